import { expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { createSources, patchSources } from '../sources/change.ts'
import { sourceInput } from '../sources/fields.ts'
import { disableHopeless } from './auto-disable.ts'

const database = useDatabase()
const now = new Date()
const options = { now, by: 'user' as const, autoManage: true }
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test('a source that failed every time for days is switched off with the reason, and enabling starts anew', async () => {
  const { sql } = database
  const inputs = ['dead', 'slow', 'new'].map((host) =>
    sourceInput.parse({ name: host, url: `https://${host}.example.com` }),
  )
  const { created } = await createSources(sql, inputs, options)
  const [dead, slow, fresh] = created.toSorted((a, b) => a.name.localeCompare(b.name))
  await sql`update sources set created_at = ${daysAgo(60)}`
  for (const [source, failures, success] of [
    [dead, 12, null],
    [slow, 12, daysAgo(3)],
    [fresh, 2, null],
  ] as const) {
    await sql`
      insert into jobs (id, source_id, source_name, url, status, auto_managed, failure_count, last_error, last_success_at)
      values (gen_random_uuid(), ${source?.id ?? ''}, 'x', 'https://x.example.com', 'scheduled', true, ${failures},
        'http 500', ${success})`
  }
  const names = async () =>
    (await sql<{ name: string }[]>`select name from sources where auto_disabled`).map((r) => r.name)

  expect(await disableHopeless(sql, 14, now)).toHaveLength(1)
  expect(await names()).toEqual(['dead'])
  const [row] = await sql`
    select s.auto_disabled_reason as reason, e.payload ->> 'disabled_by' as by from sources s
    join source_events e on e.source_id = s.id and e.event_type = 'SOURCE_DISABLED'`
  expect(row).toEqual({
    reason: 'No run succeeded for 14 days, 12 failures in a row; last: http 500',
    by: 'system',
  })
  expect(await disableHopeless(sql, 14, now)).toEqual([])
  const [id = ''] = created.filter(({ name }) => name === 'dead').map((source) => source.id)
  await patchSources(sql, [id], () => ({ enabled: true }), options)
  expect(await names()).toEqual([])
})
