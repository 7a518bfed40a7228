import { beforeEach, expect, test } from 'vitest'
import { insertJob, type NewJob } from '../../src/jobs/store.ts'
import type { Job } from '../../src/jobs/types.ts'
import { dispatchDue } from '../../src/flows/schedule-due.ts'
import { settleRuns } from '../../src/flows/settle-runs.ts'
import { transaction } from '../../src/db/pool.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { claimRuns, finishRuns } from '../../src/runs/claim.ts'
import type { ClaimedRun, Outcome } from '../../src/runs/types.ts'
import { appendLogs } from '../../src/runs/logs.ts'
import { registerWorker } from '../../src/runs/workers.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'
import { waitFor } from '../harness/wait.ts'

const database = useDatabase()
const clock = manualClock(new Date())
const server = useApi(database, {
  clock,
  env: { CRAWLER_MAX_CRAWLS_AT_ONCE: '2', CRAWLER_MAX_CRAWLS_PER_DAY: '3' },
})

beforeEach(async () => {
  clock.set(new Date())
  await database.sql`truncate jobs, runs, workers, run_logs, breakers, rounds, sources cascade`
})

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
) {
  const response = await server.api.inject({
    method,
    url,
    headers: server.as('operator'),
    ...(body !== undefined && { payload: body }),
  })
  return { status: response.statusCode, body: response.body === '' ? null : response.json() }
}

async function listening(): Promise<string> {
  if (!server.api.server.listening) await server.api.listen({ port: 0, host: '127.0.0.1' })
  const address = server.api.server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

async function source(name = 'Example', fields: Record<string, unknown> = {}): Promise<string> {
  const id = newId()
  await database.sql`
    insert into sources ${database.sql({
      id,
      name,
      url: `https://${id}.example/`,
      url_key: id,
      host_key: `${id}.example`,
      ...(fields as { enabled?: boolean }),
    })}`
  return id
}

async function job(given: Partial<NewJob> = {}): Promise<Job> {
  const sourceId = given.sourceId ?? (await source())
  return await insertJob(
    database.sql,
    {
      sourceName: 'Example',
      url: 'https://example.com/',
      hostKey: 'example.com',
      intervalMinutes: 60,
      nextRunAt: clock.now(),
      status: 'scheduled',
      ...given,
      sourceId,
    },
    clock.now(),
  )
}

async function claim(): Promise<ClaimedRun> {
  const workerId = newId()
  const info = { id: workerId, instanceId: 'test', hostName: 'here', pid: 1, concurrency: 1 }
  await registerWorker(database.sql, info, 60_000)
  const [run] = await claimRuns(database.sql, { workerId, limit: 1, hostLimit: null })
  if (run === undefined) throw new Error('nothing to claim')
  return run
}

async function finish(run: ClaimedRun, outcome: Partial<Outcome> = {}): Promise<void> {
  await transaction(database.sql, async (tx) => {
    const base: Outcome = { id: run.id, token: run.leaseToken, status: 'completed' }
    await settleRuns(tx, await finishRuns(tx, [{ ...base, ...outcome }]), clock.now())
  })
}

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

test.each(['crawler', 'health', 'metrics'])('the %s stream begins with the state', async (name) => {
  const ended = new AbortController()
  const response = await fetch(`${await listening()}/sse/${name}/events`, {
    headers: server.as('viewer'),
    signal: ended.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body?.getReader()
  let text = ''
  await waitFor('the first message', async () => {
    text += Buffer.from((await reader?.read())?.value ?? []).toString()
    return text.includes('data:')
  })
  ended.abort()
  expect(text).toContain(`event: ${name}`)
})

test('logs are listed, downloaded and followed without a gap or a repeat', async () => {
  const { id } = await job()
  await dispatchDue(database.sql, clock.now())
  const run = await claim()
  let written = 0
  const write = async (n: number): Promise<void> => {
    const lines = Array.from({ length: n }, () => ({
      at: new Date(),
      level: 'info' as const,
      category: 'fetch',
      message: `line ${++written}`,
    }))
    await appendLogs(database.sql, [{ runId: run.id, token: run.leaseToken, lines }])
  }
  await write(250)
  const address = await listening()
  const stream = await follow(`${address}/api/v1/jobs/${id}/logs/stream/v2`)
  for (let i = 0; i < 10; i++) await write(5)
  await waitFor('the last line', () => stream.messages().at(-1) === 'line 300')
  const first = Number(stream.messages()[0]?.slice(5))
  expect(301 - first).toBeGreaterThanOrEqual(200)
  expect(stream.messages()).toEqual(
    Array.from({ length: 301 - first }, (_, i) => `line ${first + i}`),
  )
  const lastId = stream.lastId()
  stream.close()
  await write(5)
  const resumed = await follow(`${address}/api/v1/jobs/${id}/logs/stream/v2`, lastId)
  await waitFor('the missed lines', () => resumed.messages().length === 5)
  expect(resumed.messages()[0]).toBe('line 301')
  resumed.close()
  const listed = await call('GET', `/api/v1/runs/${run.id}/logs?limit=2&offset=1`)
  expect(listed.body).toMatchObject({
    total: 305,
    data: [{ message: 'line 2' }, { message: 'line 3' }],
  })
  const file = await server.api.inject({
    url: `/api/v1/jobs/${id}/logs/download`,
    headers: server.as('viewer'),
  })
  expect(file.body.trim().split('\n').length).toBe(305)
})

async function follow(url: string, lastId?: string) {
  const abort = new AbortController()
  const headers = {
    ...server.as('viewer'),
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  }
  const response = await fetch(url, { headers, signal: abort.signal })
  let text = ''
  void (async () => {
    try {
      const reader = response.body?.getReader()
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        text += Buffer.from(part.value).toString()
      }
    } catch {
      // The test closed it.
    }
  })()
  return {
    messages: () =>
      [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => {
        const line: { message: string } = JSON.parse(data ?? '{}')
        return line.message
      }),
    lastId: () => [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? '',
    close: () => abort.abort(),
  }
}
