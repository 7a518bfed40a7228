import { afterEach, expect, test } from 'vitest'
import { useDatabase } from '../test/harness/database.ts'
import { createDemoHost, type RunningDemoHost } from './demo-host.ts'
import { systemClock } from './kernel/clock.ts'
import { silentLog } from './kernel/log.ts'

const database = useDatabase()
const hosts: RunningDemoHost[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})

async function host(): Promise<RunningDemoHost> {
  const { sql } = database
  const made = await createDemoHost({
    sql,
    clock: systemClock,
    log: silentLog,
    basePort: 0,
    serves: true,
  })
  hosts.push(made)
  return made
}

test('processes that load the demo together, and whoever asks twice, get the same one', async () => {
  const [one, other] = [await host(), await host()]
  const loads = await Promise.all([one.load(), other.load(), one.load()])
  expect(loads[0]).toHaveLength(25)
  for (const load of loads) expect(load).toEqual(loads[0])
  expect(await other.state()).toEqual(await one.state())
  for (const { url } of loads[0].slice(0, 2)) expect((await fetch(url)).status).toBe(200)
})
