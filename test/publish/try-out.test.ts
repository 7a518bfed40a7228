import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'
import { addArticles, addSource, publisher } from './fixture.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const database = useDatabase()
const server = useApi(database, { env: { CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true' } })
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

async function call(method: 'GET' | 'POST', url: string, payload?: object, role = 'operator') {
  const answer = await server.api.inject({
    method,
    url,
    headers: server.as(role as 'operator'),
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, json: answer.json<Record<string, unknown>>() }
}

test('a test message is signed like a delivery, is none, and tells what the receiver answered', async () => {
  const channel = { name: 'hook', kind: 'webhook', config: { url: receiver.url } }
  const made = await call('POST', '/api/v1/channels', channel)
  const path = `/api/v1/channels/${String(made.json['id'])}/test`

  expect(await call('POST', path)).toMatchObject({
    status: 200,
    json: { ok: true, error: null, response_code: 204 },
  })
  const [received] = receiver.accepted
  expect(received?.message.type).toBe('channel.test')
  new Webhook(String(made.json['secret'])).verify(received?.body ?? '', received?.headers ?? {})

  receiver.mood = () => '500'
  const refused = await call('POST', path)
  expect(refused.json).toMatchObject({ ok: false, response_code: 500, error: 'answered 500' })
  const after = await call('GET', `/api/v1/channels/${String(made.json['id'])}`)
  expect(after.json).toMatchObject({ consecutive_failures: 0, enabled: true, last_error: null })
  expect((await call('POST', path, undefined, 'viewer')).status).toBe(403)
})

test('testing a Redis channel without a Redis says what is missing', async () => {
  const channel = { name: 'bus', kind: 'redis_pubsub', config: { topic: 'news' } }
  const made = await call('POST', '/api/v1/channels', channel)
  const answer = await call('POST', `/api/v1/channels/${String(made.json['id'])}/test`)
  expect(answer.status).toBe(409)
  expect(answer.json['detail']).toContain('REDIS_URL')
})

test('filters that are not saved yet explain themselves for one item', async () => {
  const source = await addSource(database.sql, 'Paper')
  const [item] = await addArticles(database.sql, source, [{ title: 'Market on Saturday' }])
  await publisher(database.sql)()
  const ask = (text: string) =>
    call('POST', '/api/v1/routes/explain', { filters: { text }, item_id: item })
  expect((await ask('market')).json).toMatchObject({ matches: true, filters: [{ passed: true }] })
  expect((await ask('harbour')).json).toMatchObject({
    matches: false,
    filters: [{ filter: 'text', passed: false }],
  })
})

test('a town is found by its name', async () => {
  const found = await call('GET', '/api/v1/places?name=utrecht')
  expect(found.json).toMatchObject({ data: [{ name: 'Utrecht', country: 'NL' }] })
  expect((await call('GET', '/api/v1/places?name=nowhereville')).json).toEqual({ data: [] })
})
