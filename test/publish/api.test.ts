import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'
import { createReclassifier } from '../../src/flows/publish/reclassify.ts'
import { tidyOnce } from '../../src/flows/publish/tidy.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { addArticles, addSource, publisher } from './fixture.ts'

const database = useDatabase()
const server = useApi(database)
let sourceId: string
let publish: () => Promise<void>

interface Json {
  [key: string]: unknown
}

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) {
  const answer = await server.api.inject({
    method,
    url,
    headers: server.as('operator'),
    ...(body !== undefined && { payload: body }),
  })
  const json: Json = answer.body === '' ? {} : answer.json()
  return { status: answer.statusCode, json }
}

beforeAll(async () => {
  sourceId = await addSource(database.sql, 'Town Paper')
  publish = publisher(database.sql)
})

test('saving a topic rule shows what it changes, and reclassifying applies it with progress', async () => {
  const { sql } = database
  const ids = await addArticles(sql, sourceId, [
    { title: 'Brand in schuur', text: 'De brandweer bluste de brand snel.' },
    { title: 'Markt op zaterdag', text: 'De markt is weer open.' },
  ])
  await publish()
  const rule = {
    name: 'fires',
    topic: 'fire',
    keywords: [{ term: 'brand' }, { term: 'brandweer*', weight: 2 }],
  }
  const created = await call('POST', '/api/v1/topics', rule)
  expect(created.status).toBe(201)
  expect(created.json['preview']).toMatchObject({
    matched: 1,
    changed: 1,
    examples: [{ item_id: ids[0], before: [], after: ['fire'] }],
  })
  expect((await call('POST', '/api/v1/topics', rule)).status).toBe(409)

  const run = await call('POST', '/api/v1/reclassifications', { filter: {} })
  expect(run).toMatchObject({ status: 202, json: { status: 'running', total: 2, done: 0 } })
  const reclassify = createReclassifier({
    sql,
    clock: systemClock,
    log: silentLog,
    batchSize: 1,
    delayMs: 0,
  })
  await reclassify()
  const half = await call('GET', `/api/v1/reclassifications/${String(run.json['id'])}`)
  expect(half.json).toMatchObject({ status: 'running', done: 1 })
  while ((await reclassify()) > 0);
  const done = await call('GET', `/api/v1/reclassifications/${String(run.json['id'])}`)
  expect(done.json).toMatchObject({ status: 'completed', done: 2, changed: 1 })

  const answer = await call('GET', `/api/v1/classifications/${ids[0] ?? ''}`)
  expect(answer.json).toMatchObject({
    topics: ['fire'],
    item_version: 2,
    history: [{ is_reclassification: true, topics: ['fire'] }, { is_reclassification: false }],
  })
  const [event] = await sql`
    select count(*)::int as n from stage_events where stage = 3 and reclassification`
  expect(event?.['n']).toBe(2)
})

test('a route answers which recent items it would take and why one is left out', async () => {
  const { sql } = database
  const [jazz = '', rock = ''] = await addArticles(sql, sourceId, [
    { title: 'Jazz in the park', tags: ['Music'] },
    { title: 'Rock in the hall', tags: ['music'] },
  ])
  await publish()
  const route = await call('POST', '/api/v1/routes', {
    name: 'jazz',
    filters: { tags_any: ['music'], text: 'jazz -rock' },
  })
  const id = String(route.json['id'])
  expect((await call('POST', `/api/v1/routes/${id}/dry-run`, {})).json).toMatchObject({
    matched: 1,
    examples: [{ item_id: jazz }],
  })
  const why = await call('GET', `/api/v1/routes/${id}/explain?item_id=${rock}`)
  expect(why.json).toMatchObject({ matches: false })
  expect(why.json['filters']).toContainEqual({
    filter: 'text',
    passed: false,
    expected: 'jazz -rock',
    actual: { missing: ['jazz'] },
  })
  // A backfill begins with what is there; a change of filters takes off what no longer matches.
  await call('POST', `/api/v1/routes/${id}/backfill`, { days: 1 })
  await publish()
  await call('PATCH', `/api/v1/routes/${id}`, { filters: { text: 'rock' } })
  await publish()
  const list = await call('GET', `/api/v1/deliveries?route_id=${id}`)
  expect(list.json).toMatchObject({
    total: 2,
    data: [
      { item_id: jazz, change: 'deleted' },
      { item_id: jazz, change: 'created', status: 'delivered' },
    ],
  })
  expect((await call('GET', '/api/v1/publish/stats')).json).toMatchObject({
    by_route: [{ route: 'jazz', created: 1, deleted: 1 }],
  })
  expect((await call('GET', '/api/v1/publish/history')).json).toMatchObject({ total: 2 })
})

test('a webhook into the house is refused, and its secret is shown once', async () => {
  const inside = await call('POST', '/api/v1/channels', {
    name: 'inside',
    kind: 'webhook',
    config: { url: 'http://169.254.169.254/latest' },
  })
  expect(inside.status).toBe(400)
  expect(inside.json['errors']).toMatchObject([{ field: 'config.url' }])
  const outside = await call('POST', '/api/v1/channels', {
    name: 'outside',
    kind: 'webhook',
    config: { url: 'https://hooks.example.com/in' },
  })
  expect(outside.json['secret']).toMatch(/^whsec_/)
  const again = await call('GET', `/api/v1/channels/${String(outside.json['id'])}`)
  expect(again.json).not.toHaveProperty('secret')
  expect(again.json).toMatchObject({ has_secret: true, enabled: true })
  const rotated = await call('POST', `/api/v1/channels/${String(outside.json['id'])}/rotate-secret`)
  expect(rotated.json['secret']).not.toBe(outside.json['secret'])
})

test('a source is worth what its items are worth', async () => {
  await tidyOnce({ sql: database.sql, clock: systemClock, log: silentLog })
  const list = await call('GET', '/api/v1/reputation')
  expect(list.json).toMatchObject({ total: 1, data: [{ source: 'Town Paper', items: 4 }] })
})
