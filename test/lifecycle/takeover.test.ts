import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { consumerGroup, streamName } from '../../src/lifecycle/stream.ts'
import { useDatabase } from '../harness/database.ts'
import {
  connectRedis,
  noRedis,
  startRedis,
  type RedisClient,
  type TestRedis,
} from '../harness/redis.ts'
import { waitFor } from '../harness/wait.ts'
import { addMessages, createFleet, type Fleet } from './processes.ts'

const messageCount = 50

describe.skipIf(noRedis)('two consumer processes', () => {
  const database = useDatabase()
  let redis: TestRedis
  let client: RedisClient
  let fleet: Fleet

  beforeAll(async () => {
    redis = await startRedis()
    client = await connectRedis(redis.url)
    fleet = createFleet({ databaseUrl: database.url, redisUrl: redis.url })
  })
  afterAll(async () => {
    await fleet.stop()
    client.destroy()
    await redis.remove()
  })

  test('when one is killed with messages pending, the other claims and finishes them', async () => {
    const [first, second] = await Promise.all([
      fleet.start('first', 'scheduler'),
      fleet.start('second', 'scheduler'),
    ])
    const sources = Array.from({ length: messageCount }, (_, i) => ({ id: newId(), place: i }))

    // Redis hands a message to whoever waits. The second is frozen until its wait is over, so the first gets them all;
    // frozen too, it has them and does nothing with them.
    await waitFor('both to wait for messages', async () => (await blocked()).length === 2)
    second.kill('SIGSTOP')
    await waitFor('the end of its wait', async () => !(await blocked()).includes('crawler-second'))
    await waitFor('the first to be frozen while it waits', async () => {
      first.kill('SIGSTOP')
      if ((await blocked()).includes('crawler-first')) return true
      first.kill('SIGCONT')
      return false
    })
    await addMessages(client, sources.map(created))
    await waitFor('the first to have them', async () => (await pendingOf('crawler-first')) > 0)
    expect(await pendingOf('crawler-first')).toBe(messageCount)
    expect(await database.sql`select 1 from source_events`).toHaveLength(0)
    first.kill('SIGKILL')
    second.kill('SIGCONT')

    await waitFor(
      'every job',
      async () => (await database.sql`select 1 from jobs`).length === messageCount,
    )
    await waitFor('an empty list of pending messages', async () => {
      const pending = await client.xPending(streamName, consumerGroup)
      return pending.pending === 0
    })
    const events =
      await database.sql`select distinct status, attempts, processed_by from source_events`
    expect([...events]).toEqual([{ status: 'applied', attempts: 1, processed_by: 'second' }])
    expect(second.output()).toContain('claimed what another consumer left')
  }, 60_000)

  /** Names of the consumers that Redis would hand the next message to. */
  const blocked = async (): Promise<(string | undefined)[]> =>
    (await client.clientList())
      .filter((entry) => entry.flags.includes('b'))
      .map((entry) => entry.name)
  const pendingOf = async (name: string): Promise<number> =>
    (await client.xInfoConsumers(streamName, consumerGroup)).find(
      (consumer) => consumer.name === name,
    )?.pending ?? 0
})

function created({ id, place }: { id: string; place: number }): string {
  return JSON.stringify({
    event_id: newId(),
    event_type: 'SOURCE_CREATED',
    source_id: id,
    timestamp: new Date().toISOString(),
    payload: { name: `Source ${place}`, url: `https://s${place}.example.com`, enabled: true },
  })
}
