import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { streamName } from '../../src/lifecycle/stream.ts'
import { useDatabase } from '../harness/database.ts'
import type { MillraceProcess } from '../harness/millrace.ts'
import {
  connectRedis,
  noRedis,
  startRedis,
  type RedisClient,
  type TestRedis,
} from '../harness/redis.ts'
import { waitFor } from '../harness/wait.ts'
import { addMessages, callApi, createFleet, type Fleet } from './processes.ts'

interface Page<T> {
  data: T[]
  total: number
}

describe.skipIf(noRedis)('source events over Redis Streams', () => {
  const database = useDatabase()
  let redis: TestRedis
  let client: RedisClient
  let fleet: Fleet
  let millrace: MillraceProcess

  beforeAll(async () => {
    redis = await startRedis()
    client = await connectRedis(redis.url)
    fleet = createFleet({ databaseUrl: database.url, redisUrl: redis.url })
    millrace = await fleet.start('one', 'api,scheduler,relay')
  }, 90_000)
  afterAll(async () => {
    await fleet.stop()
    client.destroy()
    await redis.remove()
  })

  const job = async (sourceId: string) =>
    (await database.sql`select * from jobs where source_id = ${sourceId}`)[0]
  const api = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    callApi<T>(millrace, method, path, body)
  const add = (host: string): Promise<{ id: string }> =>
    api('POST', '/api/v1/sources', { name: host, url: `https://${host}` })
  const onStream = async (): Promise<{ event_id: string; source_id: string }[]> =>
    ((await client.xRange(streamName, '-', '+')) ?? []).map(
      ({ message }) =>
        JSON.parse(message['event'] ?? '') as { event_id: string; source_id: string },
    )

  test('events that another program adds make, change, pause, resume and delete jobs', async () => {
    const id = newId()
    const send = (type: string, payload: unknown): Promise<void> =>
      addMessages(client, [message(type, id, payload)])
    const url = 'https://foreign.example.com'
    await send('SOURCE_CREATED', {
      name: 'Foreign',
      url,
      rate_limit: 10,
      max_depth: 1,
      enabled: true,
    })
    await waitFor('the job', async () => (await job(id))?.['interval_minutes'] === 60)
    const change = { changed_fields: ['priority'], previous: {}, current: { priority: 'high' } }
    await send('SOURCE_UPDATED', change)
    await waitFor('the new interval', async () => (await job(id))?.['interval_minutes'] === 30)
    await send('SOURCE_DISABLED', { reason: 'broken', disabled_by: 'system' })
    await waitFor('the pause', async () => (await job(id))?.['status'] === 'paused')
    await send('SOURCE_ENABLED', { reason: 'fixed', toggled_by: 'user' })
    await waitFor('the resumption', async () => (await job(id))?.['status'] !== 'paused')
    await send('SOURCE_DELETED', { name: 'Foreign', deletion_reason: 'user_requested' })
    await waitFor('the end of the job', async () => (await job(id)) === undefined)
    const log = await api<Page<{ origin: string; status: string }>>(
      'GET',
      `/api/v1/events/log?source_id=${id}`,
    )
    expect(log.data.map((row) => `${row.origin} ${row.status}`)).toEqual(
      Array(5).fill('stream applied'),
    )
  })

  test('a malformed message is quarantined and visible, and neither it nor a refused one holds up the next', async () => {
    const good = newId()
    const refused = { name: 'In the house', url: 'http://10.0.0.1/', enabled: true }
    await addMessages(client, [
      'not json \0',
      JSON.stringify({ event_type: 'SOURCE_CREATED' }),
      message('SOURCE_CREATED', newId(), refused),
      message('SOURCE_CREATED', good, {
        name: 'Good',
        url: 'https://good.example.com',
        enabled: true,
      }),
    ])
    await waitFor('the good one', () => job(good))
    const open = await waitFor('three entries', async () => {
      const page = await api<Page<{ id: string; reason: string }>>(
        'GET',
        '/api/v1/events/quarantine',
      )
      return page.data.length === 3 ? page : null
    })
    const idOf = (reason: string): string =>
      open.data.find((row) => row.reason.includes(reason))?.id ?? 'missing'

    await expect(
      api('POST', `/api/v1/events/quarantine/${idOf('not valid JSON')}/retry`),
    ).rejects.toThrow('422')
    await api('POST', `/api/v1/events/quarantine/${idOf('not valid JSON')}/discard`)
    await api('POST', `/api/v1/events/quarantine/${idOf('event_id')}/discard`)
    await api('POST', `/api/v1/events/quarantine/${idOf('url')}/retry`)
    // Nothing changed about the address, so it comes back as a new entry.
    await waitFor('the retried one to come back', async () => {
      const page = await api<Page<{ id: string }>>('GET', '/api/v1/events/quarantine')
      return page.data.length === 1 && page.data[0]?.id !== idOf('url')
    })
    await client.xTrim(streamName, 'MAXLEN', 0)
  })

  test('while Redis is away sources get their jobs all the same, and the relay catches up in order', async () => {
    const before = await add('before.example.com')
    await waitFor('its job', () => job(before.id))
    await waitFor('the relay', async () => (await onStream()).length === 1)
    await redis.kill()
    const during = await Promise.all(
      Array.from({ length: 20 }, (_, i) => add(`during${i}.example.com`)),
    )
    for (const { id } of during) await api('PATCH', `/api/v1/sources/${id}`, { priority: 'high' })
    await waitFor('all jobs without Redis', async () => {
      const rows = await database.sql`
        select 1 from jobs where source_id = any(${during.map(({ id }) => id)}) and priority = 75`
      return rows.length === during.length
    })
    await waitFor('the breaker', async () =>
      /crawler_redis_breaker_open\{link="relay"\} 1/.test(await api('GET', '/metrics')),
    )
    expect(millrace.output()).toContain('redis breaker')

    await redis.start()
    client.destroy()
    client = await connectRedis(redis.url)
    const written = await database.sql<{ event_id: string; source_id: string }[]>`
      select event_id, source_id from source_events where origin = 'local' order by seq`
    const relayed = await waitFor(
      'the relay to catch up',
      async () => {
        const events = await onStream()
        return events.length >= written.length ? events : null
      },
      { timeoutMs: 30_000 },
    )
    expect(relayed.map((event) => event.event_id)).toEqual(written.map((row) => row.event_id))
    await waitFor('the breaker to close', async () =>
      /crawler_redis_breaker_open\{link="relay"\} 0/.test(await api('GET', '/metrics')),
    )
    const doubled =
      await database.sql`select 1 from source_events where origin = 'local' and attempts <> 1`
    expect(doubled).toHaveLength(0)
    expect(await api('GET', '/metrics')).toMatch(/crawler_jobs_by_status\{status="\w+"\} \d+/)
  }, 60_000)
})

function message(type: string, sourceId: string, payload: unknown): string {
  const timestamp = new Date().toISOString()
  return JSON.stringify({
    event_id: newId(),
    event_type: type,
    source_id: sourceId,
    timestamp,
    payload,
  })
}
