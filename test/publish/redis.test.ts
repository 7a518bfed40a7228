import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliverOnce, type DeliverDeps } from '../../src/flows/publish/deliver.ts'
import { createSenders } from '../../src/flows/publish/senders.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { useDatabase } from '../harness/database.ts'
import {
  connectRedis,
  noRedis,
  startRedis,
  type RedisClient,
  type TestRedis,
} from '../harness/redis.ts'
import { waitFor } from '../harness/wait.ts'
import { expectExactly, type Heard } from './expect-exactly.ts'
import { addArticles, addChannel, addRoute, addSource, changeTitle, publisher } from './fixture.ts'

const database = useDatabase()

describe.skipIf(noRedis)('Redis', () => {
  let redis: TestRedis
  let deps: DeliverDeps
  let close: () => Promise<void>
  let publish: () => Promise<void>

  beforeAll(async () => {
    redis = await startRedis()
    publish = publisher(database.sql)
    const made = createSenders({
      redisUrl: redis.url,
      allowPrivate: true,
      allowedHosts: new Set(),
      userAgent: 'Millrace/test',
      log: silentLog,
    })
    close = made.close
    deps = {
      sql: database.sql,
      clock: systemClock,
      log: silentLog,
      senders: made.senders,
      policy: { pause: { baseMs: 5, maxMs: 20 }, retry: { baseMs: 5, maxMs: 20, jitter: 0 } },
      batchSize: 20,
    }
  })
  afterAll(async () => {
    await close()
    await redis.remove()
  })

  async function pending(channelId: string): Promise<number> {
    const [row] = await database.sql<{ n: number }[]>`
      select count(*)::int as n from deliveries where channel_id = ${channelId} and status = 'pending'`
    return row?.n ?? 0
  }

  async function readStream(client: RedisClient, key: string): Promise<Heard[]> {
    const entries = await client.xRange(key, '-', '+')
    return (entries ?? []).map(({ message }) => toHeard(message['message'] ?? '{}'))
  }

  function toHeard(text: string): Heard {
    const message = JSON.parse(text) as {
      id: string
      data: { item_id: string; item_version: number }
    }
    return {
      id: message.id,
      itemId: message.data.item_id,
      version: message.data.item_version,
    }
  }

  test('while Redis is away items are routed and not published; afterwards everything arrives in order', async () => {
    const { sql } = database
    const sourceId = await addSource(sql, 'Outage')
    const channel = await addChannel(sql, 'redis_stream', { topic: 'articles:outage' })
    await addRoute(sql, { sources: [sourceId] }, channel)
    const ids = await addArticles(
      sql,
      sourceId,
      Array.from({ length: 30 }, () => ({})),
    )
    await publish()
    await deliverOnce(deps)
    expect(await pending(channel)).toBe(0)

    await redis.kill()
    for (const id of ids) await changeTitle(sql, id, `During the outage ${id}`)
    await publish()
    for (let round = 0; round < 5; round++) await deliverOnce(deps)
    expect(await pending(channel)).toBe(30)
    const counts = async (): Promise<Record<string, number>[]> => sql`
      select count(*) filter (where stage = 4)::int as routed, count(*) filter (where stage = 5)::int as published
      from stage_events`
    expect(await counts()).toEqual([{ routed: 60, published: 30 }])

    await redis.start()
    await waitFor('everything to arrive', async () => {
      await deliverOnce(deps)
      return (await pending(channel)) === 0
    })
    expect(await counts()).toEqual([{ routed: 60, published: 60 }])
    const client = await connectRedis(redis.url)
    await expectExactly(sql, channel, await readStream(client, 'articles:outage'))
    client.destroy()
    const [enabled] = await sql`select enabled, failures from channels where id = ${channel}`
    expect(enabled).toEqual({ enabled: true, failures: 0 })
  })

  test('PUBLISH tells how many subscribers heard it', async () => {
    const { sql } = database
    const sourceId = await addSource(sql, 'Subscribers')
    const channel = await addChannel(sql, 'redis_pubsub', { topic: 'articles:live' })
    await addRoute(sql, { sources: [sourceId] }, channel)
    const subscriber = await connectRedis(redis.url)
    const heard: Heard[] = []
    await subscriber.subscribe('articles:live', (text) => heard.push(toHeard(text)))
    await addArticles(
      sql,
      sourceId,
      Array.from({ length: 10 }, () => ({})),
    )
    await publish()
    await deliverOnce(deps)
    await waitFor('the subscriber to hear all', () => heard.length >= 10)
    await expectExactly(sql, channel, heard)
    const rows = await sql<{ metadata: Record<string, unknown> }[]>`
      select e.metadata from stage_events e join channels c on c.name = e.metadata ->> 'channel'
      where e.stage = 5 and c.id = ${channel}`
    expect(rows).toHaveLength(10)
    for (const { metadata } of rows)
      expect(metadata).toMatchObject({ redis_subscribers: 1, attempt: 1 })
    subscriber.destroy()
  })

  test('Redis restarted again and again in the middle of deliveries loses nothing', async () => {
    const { sql } = database
    const sourceId = await addSource(sql, 'Flapping')
    const channel = await addChannel(sql, 'redis_stream', { topic: 'articles:flapping' })
    await addRoute(sql, { sources: [sourceId] }, channel)
    const ids = await addArticles(
      sql,
      sourceId,
      Array.from({ length: 60 }, () => ({})),
    )
    await publish()
    for (const id of ids) await changeTitle(sql, id, `Second ${id}`)
    await publish()
    const state = { done: false }
    const flapping = (async () => {
      for (let round = 0; round < 3 && !state.done; round++) {
        await redis.kill()
        await redis.start()
      }
    })()
    await waitFor('everything to arrive', async () => {
      await deliverOnce({ ...deps, batchSize: 7 })
      return (await pending(channel)) === 0
    })
    state.done = true
    await flapping
    const client = await connectRedis(redis.url)
    await expectExactly(sql, channel, await readStream(client, 'articles:flapping'))
    client.destroy()
  })
})
