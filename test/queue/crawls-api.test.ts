import { expect, test } from 'vitest'
import { useQueueApi } from './queue-api.ts'

const { database, clock, server, call, source, job, claim, finish } = useQueueApi()

test('a one-off crawl is queued, followed and cancelled by its owner, within a quota', async () => {
  const created = await call('POST', '/api/v1/crawl', {
    url: 'https://example.com/a',
    max_depth: 2,
  })
  expect(created.status).toBe(202)
  const { id } = created.body
  expect((await call('GET', `/api/v1/crawl/${id}`)).body).toMatchObject({
    status: 'pending',
    trigger: 'one_off',
    url: 'https://example.com/a',
  })
  expect((await call('GET', `/api/v1/crawl/${id}/results`)).body).toMatchObject({
    total: 0,
    data: [],
  })
  expect((await call('POST', `/api/v1/crawl/${id}/cancel`)).body.status).toBe('cancelled')
  expect((await call('POST', `/api/v1/crawl/${id}/cancel`)).status).toBe(409)
  expect((await call('POST', '/api/v1/crawl', { url: 'ftp://example.com' })).status).toBe(400)
  expect((await call('POST', '/api/v1/crawl', { url: 'https://e.com', depth: 99 })).status).toBe(
    400,
  )
})

test('a caller over the quota is refused with the reason and when to come back', async () => {
  const key = await server.api.inject({
    method: 'POST',
    url: '/api/v1/api-keys',
    headers: server.as('admin'),
    payload: { name: 'crawler', role: 'viewer', scopes: ['crawl'] },
  })
  const headers = { 'x-api-key': key.json().key }
  const ask = () =>
    server.api.inject({
      method: 'POST',
      url: '/api/v1/crawl',
      headers,
      payload: { url: 'https://example.com/' },
    })
  expect((await ask()).statusCode).toBe(202)
  expect((await ask()).json()).toMatchObject({ active_crawls: 2, crawls_today: 2 })
  const busy = await ask()
  expect(busy.statusCode).toBe(429)
  expect(busy.headers['retry-after']).toBe('30')
  expect(busy.json()).toMatchObject({
    title: 'Quota used up',
    detail: 'You may have 2 crawls at once.',
    quota: 'active',
    limit: 2,
  })
  await database.sql`update runs set status = 'completed'`
  expect((await ask()).statusCode).toBe(202)
  const spent = await ask()
  expect(spent.statusCode).toBe(429)
  expect(spent.json()).toMatchObject({ quota: 'per_day', limit: 3 })
  // Another caller is not affected.
  expect((await call('POST', '/api/v1/crawl', { url: 'https://example.com/' })).status).toBe(202)
})

test('a round takes healthy sources in score order and sums up as they finish', async () => {
  const fresh = await source('Fresh')
  const stale = await source('Stale')
  const off = await source('Off', { enabled: false })
  const later = new Date(clock.now().getTime() + 3_600_000)
  const freshJob = await job({ sourceId: fresh, autoManaged: true, nextRunAt: later })
  await job({ sourceId: stale, autoManaged: true, nextRunAt: later })
  await job({ sourceId: off, autoManaged: true, nextRunAt: later })
  await database.sql`update jobs set last_run_at = now() where id = ${freshJob.id}`
  const round = await call('POST', '/api/v1/rounds', {})
  expect(round).toMatchObject({
    status: 201,
    body: { sources: 2, status: 'running', not_enqueued: { disabled: 1 } },
  })
  const first = await claim()
  expect(first.sourceId).toBe(stale)
  await finish(first, { counters: { items_new: 3, items_updated: 2 } })
  const url = `/api/v1/rounds/${round.body.id}`
  expect((await call('GET', url)).body).toMatchObject({
    status: 'running',
    summary: { sources_processed: 1, waiting: 1, inserted: 3, updated: 2, errors: 0 },
  })
  await finish(await claim(), { status: 'failed', error_message: 'refused' })
  expect((await call('GET', url)).body).toMatchObject({
    status: 'completed',
    summary: { sources_processed: 2, errors: 1, breakers_tripped: [] },
  })
  const health = await call('GET', '/api/v1/source-health?available=false')
  expect(health.body.data.map((each: { name: string }) => each.name).sort()).toEqual([
    'Fresh',
    'Off',
  ])
})
