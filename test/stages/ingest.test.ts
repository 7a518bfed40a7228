import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { createApiKey } from '../../src/access/api-keys.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'

const clock = manualClock('2026-02-10T15:42:03Z')
const database = useDatabase()
const server = useApi(database, { clock })

const event = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  article_url: 'https://example.com/article-123',
  source_name: 'example_com',
  stage: 'classified',
  occurred_at: '2026-02-10T14:30:00Z',
  service_name: 'classifier',
  idempotency_key: null,
  metadata: { quality_score: 78, topics: ['crime', 'news'], model_version: 'v2.1' },
  ...change,
})

const post = async (path: string, payload: unknown, headers: Record<string, string> = {}) =>
  await server.api.inject({
    method: 'POST',
    url: path,
    headers: { ...server.as('operator'), 'content-type': 'application/json', ...headers },
    payload: Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
  })
const get = async (path: string) => {
  const answer = await server.api.inject({ url: path, headers: server.as('viewer') })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

beforeEach(() => {
  clock.advance(1000)
})

test('an event is created once; its repetition is answered 200', async () => {
  const first = await post('/api/v1/events', event())
  const again = await post('/api/v1/events', event())

  expect(first.statusCode).toBe(201)
  expect(first.json()).toMatchObject({ status: 'created', stage: 'classified' })
  expect(again.statusCode).toBe(200)
  expect(again.json()).toMatchObject({ status: 'duplicate' })
})

test.each([
  ['article_url', { article_url: undefined }],
  ['article_url', { article_url: 'mailto:somebody@example.com' }],
  ['source_name', { source_name: '' }],
  ['stage', { stage: 'digested' }],
  ['occurred_at', { occurred_at: '2026-02-10T14:30:00' }],
  ['occurred_at', { occurred_at: '2026-02-10T15:30:00+01:00' }],
  ['occurred_at', { occurred_at: '2026-02-10T16:30:00Z' }],
  ['occurred_at', { occurred_at: '2026-02-09T15:00:00Z' }],
  ['occurred_at', { occurred_at: '2026-02-30T15:00:00Z' }],
  ['service_name', { service_name: 7 }],
  ['metadata', { metadata: [] }],
])('a wrong %s is refused by name: %j', async (field, change) => {
  const answer = await post('/api/v1/events', event(change))

  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ errors: { field: string }[] }>().errors.map((error) => error.field)).toEqual(
    [field],
  )
})

test('+00:00 is UTC too', async () => {
  const answer = await post('/api/v1/events', event({ occurred_at: '2026-02-10T14:31:00+00:00' }))
  expect(answer.statusCode).toBe(201)
})

test('an event with a canonical address counts for that address', async () => {
  const answer = await post(
    '/api/v1/events',
    event({ article_url: 'https://example.com/amp/1', canonical_url: 'https://example.com/one' }),
  )
  expect(answer.json()).toMatchObject({ article_url: 'https://example.com/one' })
  const wrong = await post('/api/v1/events', event({ canonical_url: 'nowhere' }))
  expect(wrong.statusCode).toBe(400)
})

test('one bad event does not sink its batch', async () => {
  const good = event({ article_url: 'https://example.com/batch' })
  const answer = await post('/api/v1/events/batch', { events: [good, event({ stage: 'x' }), good] })

  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toMatchObject({
    created: 1,
    duplicates: 1,
    rejected: 1,
    results: [
      { index: 0, status: 'created' },
      { index: 1, status: 'rejected', errors: [{ field: 'stage' }] },
      { index: 2, status: 'duplicate' },
    ],
  })
  const again = await post('/api/v1/events/batch', { events: [good] })
  expect(again.statusCode).toBe(200)
  const bad = await post('/api/v1/events/batch', { events: [{}] })
  expect(bad.statusCode).toBe(400)
})

test('a packed body is unpacked; one that is not gzip is refused', async () => {
  const packed = gzipSync(JSON.stringify(event({ article_url: 'https://example.com/packed' })))
  const answer = await post('/api/v1/events', packed, { 'content-encoding': 'gzip' })
  expect(answer.statusCode).toBe(201)

  const broken = await post('/api/v1/events', Buffer.from('{}'), { 'content-encoding': 'gzip' })
  expect(broken.statusCode).toBe(400)
})

test('a packed body that unpacks to too much is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32))
  const answer = await post('/api/v1/events', bomb, { 'content-encoding': 'gzip' })
  expect([400, 413]).toContain(answer.statusCode)
})

test('more than the rate is answered 429 with the time to wait', async () => {
  const many = (offset: number) => ({
    events: Array.from({ length: 600 }, (_, index) =>
      event({ article_url: `https://example.com/rate/${offset + index}` }),
    ),
  })
  const first = await post('/api/v1/events/batch', many(0))
  const second = await post('/api/v1/events/batch', many(600))

  expect(first.statusCode).toBe(201)
  expect(second.statusCode).toBe(429)
  expect(Number(second.headers['retry-after'])).toBeGreaterThanOrEqual(1)
})

test('a viewer may not report; a key with the scope may', async () => {
  const refused = await server.api.inject({
    method: 'POST',
    url: '/api/v1/events',
    headers: server.as('viewer'),
    payload: event(),
  })
  expect(refused.statusCode).toBe(403)

  const { key } = await createApiKey(database.sql, {
    name: 'classifier',
    role: 'viewer',
    scopes: ['stage_events:write'],
    dailyQuota: null,
    expiresAt: null,
    createdBy: null,
  })
  const allowed = await server.api.inject({
    method: 'POST',
    url: '/api/v1/events',
    headers: { 'x-api-key': key },
    payload: event({ article_url: 'https://example.com/by-key' }),
  })
  expect(allowed.statusCode).toBe(201)
})

test('events are listed by article, stage, service and time, page by page', async () => {
  for (const minute of ['01', '02', '03'])
    await post(
      '/api/v1/events',
      event({ article_url: 'https://list.example/a', occurred_at: `2026-02-10T15:${minute}:00Z` }),
    )
  const path =
    '/api/v1/events?article_url=https://list.example/a%23top&stage=classified&service=classifier&limit=2'
  const first = await get(path)
  const second = await get(`${path}&cursor=${String(first.body['next_cursor'])}`)

  const times = (page: typeof first) =>
    (page.body['data'] as { occurred_at: string }[]).map((row) => row.occurred_at.slice(11, 16))
  expect(times(first)).toEqual(['15:03', '15:02'])
  expect(times(second)).toEqual(['15:01'])
  expect(second.body['next_cursor']).toBeNull()
  const none = await get('/api/v1/events?service=nobody')
  expect(none.body['data']).toEqual([])
})
