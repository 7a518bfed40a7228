import { expect, test } from 'vitest'
import { dispatchDue } from '../../src/flows/schedule-due.ts'
import { newId } from '../../src/kernel/ids.ts'
import { useQueueApi } from './queue-api.ts'

const { database, clock, server, call, source, job, claim, finish } = useQueueApi()

test('a recurring and a one-time job are created as asked, and bad ones are refused by field', async () => {
  const sourceId = await source()
  const recurring = await call('POST', '/api/v1/jobs', {
    source_id: sourceId,
    url: 'https://example.com',
    interval_minutes: 360,
    interval_type: 'minutes',
    schedule_enabled: true,
  })
  expect(recurring).toMatchObject({
    status: 201,
    body: { status: 'pending', interval_minutes: 360, interval_type: 'minutes' },
  })
  const once = await call('POST', '/api/v1/jobs', { source_id: sourceId, schedule_enabled: false })
  expect(once).toMatchObject({ status: 201, body: { interval_minutes: null } })
  expect((await dispatchDue(database.sql, clock.now())).length).toBe(2)
  const unknown = await call('POST', '/api/v1/jobs', { source_id: newId() })
  expect(unknown).toMatchObject({ status: 400, body: { errors: [{ field: 'source_id' }] } })
  const late = await call('POST', '/api/v1/jobs', {
    source_id: sourceId,
    crawl_window_start: 25,
    crawl_window_end: 3,
  })
  expect(late).toMatchObject({ status: 400, body: { errors: [{ field: 'crawl_window_start' }] } })
})

test('control actions go through the machine: legal ones change the state, others are 409 with a way out', async () => {
  const { id } = await job()
  expect(await call('POST', `/api/v1/jobs/${id}/pause`, { reason: 'holiday' })).toMatchObject({
    status: 200,
    body: { status: 'paused', is_paused: true, paused_reason: 'holiday' },
  })
  expect(await call('POST', `/api/v2/jobs/${id}/force-run`)).toMatchObject({
    status: 409,
    body: {
      detail: 'A paused job cannot be run now.',
      current_status: 'paused',
      allowed_actions: ['resume', 'cancel', 'override', 'delete'],
    },
  })
  expect((await call('POST', `/api/v1/jobs/${id}/resume`)).body).toMatchObject({
    status: 'scheduled',
  })
  expect((await call('POST', `/api/v2/jobs/${id}/force-run`)).body).toMatchObject({
    status: 'running',
  })
  expect((await call('POST', `/api/v1/jobs/${id}/cancel`)).body).toMatchObject({
    status: 'cancelled',
    allowed_actions: ['delete'],
  })
  expect((await call('DELETE', `/api/v1/jobs/${id}`)).status).toBe(204)
  expect((await call('GET', `/api/v1/jobs/${id}`)).status).toBe(404)
})

test('viewers look but do not touch', async () => {
  const { id } = await job()
  const headers = server.as('viewer')
  const look = await server.api.inject({ url: `/api/v1/jobs/${id}`, headers })
  const touch = await server.api.inject({
    method: 'POST',
    url: `/api/v1/jobs/${id}/pause`,
    headers,
  })
  expect([look.statusCode, touch.statusCode]).toEqual([200, 403])
})

test('a patch changes what it names, a replacement is whole', async () => {
  const { id } = await job({ maxRetries: 7 })
  const patched = await call('PATCH', `/api/v1/jobs/${id}`, { priority: 80 })
  expect(patched.body).toMatchObject({ priority: 80, max_retries: 7, interval_minutes: 60 })
  const replaced = await call('PUT', `/api/v1/jobs/${id}`, {
    url: 'https://example.com/news',
    interval_minutes: 30,
  })
  expect(replaced.body).toMatchObject({ priority: 50, max_retries: 3, interval_minutes: 30 })
  expect((await call('PATCH', `/api/v1/jobs/${id}`, { prioritty: 3 })).status).toBe(400)
})

test('an override is set, shown and cleared', async () => {
  const { id } = await job()
  const set = await call('PUT', `/api/v1/jobs/${id}/override`, {
    interval_minutes: 15,
    reason: 'election day',
  })
  expect(set.body).toMatchObject({
    interval_minutes: 15,
    override: { interval_minutes: 15, reason: 'election day', by: 'test-operator' },
  })
  const cleared = await call('DELETE', `/api/v1/jobs/${id}/override`)
  expect(cleared.body).toMatchObject({ interval_minutes: 60, override: null })
  expect((await call('PUT', `/api/v1/jobs/${id}/override`, { reason: 'x' })).status).toBe(400)
})

test('a bulk action answers for each job', async () => {
  const a = await job()
  const b = await job({ status: 'completed' })
  const missing = newId()
  const bulk = await call('POST', '/api/v1/jobs/bulk', {
    action: 'pause',
    job_ids: [a.id, b.id, missing],
  })
  expect(bulk.body).toMatchObject({
    succeeded: 1,
    failed: 2,
    results: [
      { job_id: a.id, ok: true, status: 'paused', error: null },
      { job_id: b.id, ok: false, status: 'completed', allowed_actions: ['override', 'delete'] },
      { job_id: missing, ok: false, status: null },
    ],
  })
})

test('lists filter, sort and page', async () => {
  await job({ sourceName: 'Alpha 100%', priority: 90 })
  await job({ sourceName: 'Beta', priority: 10, status: 'paused' })
  await job({ sourceName: 'Gamma', priority: 50 })
  const names = async (query: string): Promise<string[]> => {
    const { body } = await call('GET', `/api/v1/jobs?sort=source_name&order=asc&${query}`)
    return body.data.map((each: { source_name: string }) => each.source_name)
  }
  expect(await names('')).toEqual(['Alpha 100%', 'Beta', 'Gamma'])
  expect(await names('status=paused')).toEqual(['Beta'])
  expect(await names('search=100%25')).toEqual(['Alpha 100%'])
  expect(await names('min_priority=50')).toEqual(['Alpha 100%', 'Gamma'])
  expect(await names('limit=1&offset=1')).toEqual(['Beta'])
  expect((await call('GET', '/api/v1/jobs?status=asleep')).status).toBe(400)
})

test('statistics have the shapes of the specification', async () => {
  const { id, sourceId } = await job()
  await dispatchDue(database.sql, clock.now())
  await finish(await claim(), { items_crawled: 50, items_indexed: 47 })
  const stats = await call('GET', '/api/v1/jobs/stats')
  expect(stats.body).toMatchObject({
    total_sources: 1,
    total_jobs: 1,
    jobs_by_status: {
      pending: 0,
      scheduled: 1,
      running: 0,
      completed: 0,
      failed: 0,
      paused: 0,
      cancelled: 0,
    },
    health: { healthy: 1, warning: 0, failed: 0 },
    last_24h: {
      total_runs: 1,
      successful_runs: 1,
      failed_runs: 0,
      articles_extracted: 47,
      success_rate: 1,
    },
    throughput: { articles_per_hour: 2, runs_per_hour: 0 },
  })
  const bySource = await call('GET', `/api/v1/jobs/by-source/${sourceId}`)
  expect(bySource.body).toMatchObject({
    job: { id, status: 'scheduled' },
    health: {
      status: 'healthy',
      last_run_status: 'success',
      last_24h_runs: 1,
      last_24h_failures: 0,
      last_24h_articles: 47,
      success_rate: 1,
    },
    recent_executions: [{ status: 'success', articles_count: 47 }],
  })
  expect((await call('GET', `/api/v1/jobs/${id}/stats`)).body).toMatchObject({
    total_executions: 1,
    items_total: 47,
  })
  const executions = await call('GET', `/api/v1/jobs/${id}/executions`)
  expect(executions.body).toMatchObject({
    total: 1,
    data: [{ execution_number: 1, status: 'completed', items_crawled: 50, retry_attempt: 0 }],
  })
  const [execution] = executions.body.data
  expect((await call('GET', `/api/v1/executions/${execution.id}`)).body.id).toBe(execution.id)
  expect((await call('GET', '/api/v1/jobs/status-counts')).body).toMatchObject({ scheduled: 1 })
  expect((await call('GET', '/api/v1/scheduler/metrics')).body).toMatchObject({
    jobs: { total: 1, scheduled: 1 },
    executions: { total: 1, success_rate: 1 },
    queue: { pending: 0, running: 0 },
  })
})

test('the distribution and a rebalance are shown and applied', async () => {
  for (let i = 0; i < 5; i++) {
    await job({ intervalMinutes: 1440, nextRunAt: new Date(clock.now().getTime() + 7_200_000) })
  }
  await database.sql`update jobs set phase_at = next_run_at, phase_minutes = interval_minutes`
  const before = await call('GET', '/api/v1/scheduler/distribution')
  expect(before.body.distribution_score).toBe(0)
  const preview = await call('POST', '/api/v1/scheduler/rebalance/preview')
  const applied = await call('POST', '/api/v1/scheduler/rebalance')
  expect(applied.body).toEqual(preview.body)
  expect(applied.body.total_moves).toBe(4)
  expect((await call('GET', '/api/v1/scheduler/distribution')).body.distribution_score).toBe(1)
})
