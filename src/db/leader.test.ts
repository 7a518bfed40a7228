import { expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { waitFor } from '../../test/harness/wait.ts'
import { silentLog } from '../kernel/log.ts'
import { listLeaders, startLeadership, type Leadership } from './leader.ts'

const database = useDatabase()

function candidate(instanceId: string, active: Set<string>): Leadership {
  return startLeadership({
    databaseUrl: database.url,
    instanceId,
    log: silentLog,
    duties: [
      {
        name: 'reaper',
        start: () => {
          active.add(instanceId)
          return {
            stop: async () => {
              active.delete(instanceId)
            },
          }
        },
      },
    ],
  })
}

test('one process leads at a time, and another takes over within five seconds of its end', async () => {
  const active = new Set<string>()
  const first = candidate('one', active)
  await waitFor('the first to lead', () => active.has('one'))
  const second = candidate('two', active)
  expect(await listLeaders(database.sql, ['reaper'])).toEqual([{ duty: 'reaper', holder: 'one' }])

  const ended = Date.now()
  await first.stop()
  await waitFor('the second to lead', () => active.has('two'))
  expect(Date.now() - ended).toBeLessThan(5000)
  expect([...active]).toEqual(['two'])
  await second.stop()
})

test('a leader whose connection dies stops its duties and stands again', async () => {
  const active = new Set<string>()
  let starts = 0
  const leader = startLeadership({
    databaseUrl: database.url,
    instanceId: 'three',
    log: silentLog,
    duties: [
      {
        name: 'relay',
        start: () => {
          starts++
          active.add('three')
          return {
            stop: async () => {
              active.delete('three')
            },
          }
        },
      },
    ],
  })
  await waitFor('the leader', () => active.size === 1)
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'millrace-leader:three'`
  await waitFor('the leader to stand again', () => starts === 2 && active.size === 1)
  await leader.stop()
  expect(active.size).toBe(0)
})
