import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unrelayedEvents } from '../../src/lifecycle/store.ts'
import { consumerGroup, streamName } from '../../src/lifecycle/stream.ts'
import { useDatabase } from '../harness/database.ts'
import type { MillraceProcess } from '../harness/millrace.ts'
import { connectRedis, noRedis, startRedis, type TestRedis } from '../harness/redis.ts'
import { waitFor } from '../harness/wait.ts'
import { createModel, expectedJobs, type ExpectedJob } from './model.ts'
import { addMessages, createFleet, type Fleet } from './processes.ts'
import { seededRandom } from './random.ts'

// CHAOS_OPERATIONS makes the test longer, CHAOS_SEED makes it another one.
const operations = Number(process.env['CHAOS_OPERATIONS'] ?? 2000)
const seed = Number(process.env['CHAOS_SEED'] ?? 11)
const lanes = 8

describe.skipIf(noRedis)('source events in a bad week', () => {
  const database = useDatabase()
  const random = seededRandom(seed + 1)
  const slots = new Map<string, MillraceProcess | null>()
  let redis: TestRedis
  let fleet: Fleet
  let ended = false

  beforeAll(async () => {
    redis = await startRedis()
    fleet = createFleet({ databaseUrl: database.url, redisUrl: redis.url })
    await database.sql`create table applied (event_id uuid)`
    await database.sql`
      create function note_applied() returns trigger language plpgsql as $$
      begin insert into applied values (new.event_id); return new; end $$`
    await database.sql`
      create trigger note_applied after update on source_events for each row
      when (new.status = 'applied' and new.attempts > old.attempts) execute function note_applied()`
  })
  afterAll(async () => {
    ended = true
    await fleet.stop()
    await redis.remove()
  })

  test(
    'the jobs are as a simple model says and every event took effect exactly once',
    { timeout: 240_000 },
    async () => {
      await Promise.all(['consumer-1', 'consumer-2', 'relay'].map((name) => keepRunning(name)))
      const models = Array.from({ length: lanes }, (_, lane) => createModel(lane))
      const choices = models.map((_, lane) => seededRandom(seed * 100 + lane))
      const disturbances = random.shuffled([
        ...Array.from({ length: 3 }, () => () => kill('consumer')),
        ...Array.from({ length: 2 }, () => () => kill('relay')),
        ...Array.from({ length: 3 }, () => outage),
        ...Array.from({ length: 3 }, () => copies),
      ])
      const steps = Math.ceil(operations / lanes / disturbances.length)
      for (const disturb of disturbances) {
        const changes = models.map(async (model, lane) => {
          const choice = choices[lane] ?? random
          for (let i = 0; i < steps; i++) await model.step(database.sql, choice)
        })
        await Promise.all([disturb(), ...changes])
      }

      await waitFor('every event to take effect and to be relayed', isQuiet, { timeoutMs: 60_000 })
      expect(await jobs()).toEqual(new Map(models.flatMap((model) => [...expectedJobs(model)])))
      const written = models.reduce((sum, model) => sum + model.events, 0)
      const [counted] = await database.sql`
        select count(*)::int as events, count(*) filter (where status = 'applied')::int as applied,
          count(*) filter (where origin = 'local')::int as own from source_events`
      expect(counted).toEqual({ events: written, applied: written, own: written })
      const [effects] = await database.sql`
        select count(*)::int as effects, count(distinct event_id)::int as events from applied`
      expect(effects).toEqual({ effects: written, events: written })
    },
  )

  /** A process that ends is replaced, as a service manager would do. */
  async function keepRunning(name: string): Promise<void> {
    slots.set(name, null)
    const millrace = await fleet.start(name, name.startsWith('relay') ? 'relay' : 'scheduler')
    slots.set(name, millrace)
    void millrace.exited.then(() => (ended ? undefined : keepRunning(name)))
  }

  async function kill(kind: 'consumer' | 'relay'): Promise<void> {
    const victim = await waitFor(
      `a ${kind} to kill`,
      () => {
        const ready = [...slots].filter(([name, it]) => name.startsWith(kind) && it !== null)
        return ready.length === 0 ? null : random.pick(ready)[1]
      },
      { timeoutMs: 60_000 },
    )
    await pause(random.below(300))
    victim.kill('SIGKILL')
    await victim.exited
  }

  async function outage(): Promise<void> {
    await (random.chance(0.5) ? redis.kill() : redis.stop())
    await pause(random.below(2000))
    await redis.start()
  }

  /** Old messages once more, and new ones before the relay brings them, the last first. */
  async function copies(): Promise<void> {
    const client = await connectRedis(redis.url)
    try {
      const stream = (await client.xRange(streamName, '-', '+')) ?? []
      const old = random.shuffled(stream.map(({ message }) => message['event'] ?? '')).slice(0, 40)
      const early = (await unrelayedEvents(database.sql, 40)).map(({ message }) => message)
      await addMessages(client, [...early.reverse(), ...old])
    } finally {
      client.destroy()
    }
  }

  async function isQuiet(): Promise<boolean> {
    const waiting = await database.sql`
      select 1 from source_events where status = 'pending' or relayed_at is null limit 1`
    if (waiting.length > 0) return false
    const client = await connectRedis(redis.url)
    try {
      const [group] = await client.xInfoGroups(streamName)
      return group?.name === consumerGroup && group.pending === 0 && group.lag === 0
    } finally {
      client.destroy()
    }
  }

  async function jobs(): Promise<Map<string, ExpectedJob>> {
    const rows = await database.sql<(ExpectedJob & { id: string })[]>`
      select source_id as id, case when status in ('pending', 'scheduled', 'running') then 'active' else status end as state,
        source_name as name, url, interval_minutes as minutes, priority
      from jobs where auto_managed`
    return new Map(rows.map(({ id, ...job }) => [id, job]))
  }
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
