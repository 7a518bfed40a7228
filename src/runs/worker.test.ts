import { afterEach, beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { waitFor } from '../../test/harness/wait.ts'
import { Permanent } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { cancelRuns } from './cancel.ts'
import { enqueueRuns } from './enqueue.ts'
import { readLogs } from './logs.ts'
import { startRunWorker, type RunWorker, type RunWorkerOptions } from './worker.ts'

const database = useDatabase()
const workers: RunWorker[] = []

beforeEach(async () => {
  await database.sql`truncate runs, workers, run_logs`
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(200)))
})

function start(options: Partial<RunWorkerOptions>): RunWorker {
  const worker = startRunWorker({
    sql: database.sql,
    execute: () => Promise.resolve({}),
    retryDelay: (retry) => (retry > 3 ? null : 0),
    instanceId: 'test',
    log: silentLog,
    ...options,
  })
  workers.push(worker)
  return worker
}

async function statusOf(id: string | undefined): Promise<string | undefined> {
  const [row] = await database.sql<{ status: string }[]>`
    select status from runs where id = ${id ?? null}`
  return row?.status
}

/** Work that only ends by its signal. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })

test('a run starts within milliseconds of being queued, and its result is kept', async () => {
  start({
    pollMs: 60_000,
    execute: () => Promise.resolve({ itemsCrawled: 4, itemsIndexed: 2, itemsSeen: 3, itemsNew: 1 }),
  })
  const [id] = await enqueueRuns(database.sql, [{}])
  await waitFor('the run to complete', async () => (await statusOf(id)) === 'completed')
  const [row] = await database.sql`select items_crawled, items_indexed, counters from runs`
  expect(row).toEqual({
    items_crawled: 4,
    items_indexed: 2,
    counters: { items_seen: 3, items_new: 1 },
  })
})

test('an error is retried until the retries are used up, and every reason is kept', async () => {
  let tries = 0
  start({
    execute: () => Promise.reject(new Error(`broken ${++tries}`)),
    retryDelay: (retry) => (retry > 2 ? null : 0),
    pollMs: 20,
  })
  const [id] = await enqueueRuns(database.sql, [{}])
  await waitFor('the run to fail', async () => (await statusOf(id)) === 'failed')
  const [row] =
    await database.sql`select error_message, retry_count, attempts, stack_trace from runs`
  expect(row).toMatchObject({
    error_message: 'broken 3',
    retry_count: 2,
    attempts: [{ reason: 'broken 1' }, { reason: 'broken 2' }, { reason: 'broken 3' }],
  })
  expect(row?.['stack_trace']).toContain('Error: broken 3')
})

test('a permanent error is not retried', async () => {
  start({ execute: () => Promise.reject(new Permanent('no such source')) })
  const [id] = await enqueueRuns(database.sql, [{}])
  await waitFor('the run to fail', async () => (await statusOf(id)) === 'failed')
  const [row] = await database.sql`select retry_count, metadata from runs`
  expect(row).toEqual({ retry_count: 0, metadata: { permanent: true } })
})

test('cancelling stops the work of a running run within two seconds', async () => {
  let stoppedAt = 0
  start({
    execute: async (_, { signal }) => {
      await untilAborted(signal).finally(() => (stoppedAt = Date.now()))
      return {}
    },
  })
  const [id] = await enqueueRuns(database.sql, [{}])
  await waitFor('the run to start', async () => (await statusOf(id)) === 'running')
  const cancelledAt = Date.now()
  await cancelRuns(database.sql, [id ?? ''], 'asked to')
  await waitFor('the work to stop', () => stoppedAt > 0)
  expect(stoppedAt - cancelledAt).toBeLessThan(2000)
  expect(await statusOf(id)).toBe('cancelled')
})

test('a stopped worker hands its run to the next one, with all retries', async () => {
  const first = start({ execute: async (_, { signal }) => untilAborted(signal) })
  const [id] = await enqueueRuns(database.sql, [{}])
  await waitFor('the run to start', async () => (await statusOf(id)) === 'running')
  await first.stop()
  expect(await statusOf(id)).toBe('pending')
  start({})
  await waitFor('the run to complete', async () => (await statusOf(id)) === 'completed')
  const [row] = await database.sql`select retry_count, attempts from runs`
  expect(row).toMatchObject({ retry_count: 0, attempts: [{ reason: 'handed back' }] })
})

test('work that ignores its signal does not keep a worker from stopping', async () => {
  const worker = start({ execute: () => new Promise(() => {}) })
  const [id] = await enqueueRuns(database.sql, [{}])
  await waitFor('the run to start', async () => (await statusOf(id)) === 'running')
  await worker.stop(50)
  expect(await statusOf(id)).toBe('pending')
})

test('progress and log lines arrive while the run works', async () => {
  let finish = (): void => {}
  start({
    execute: async (_, { progress, log }) => {
      progress({ percent: 40, phase: 'fetching', counters: { pages: 12 } })
      log('info', 'fetch', 'half way', { url: 'https://example.com/' })
      await new Promise<void>((resolve) => (finish = resolve))
      log('info', 'fetch', 'done')
      return {}
    },
  })
  const [id] = await enqueueRuns(database.sql, [{}])
  await waitFor('progress', async () => {
    const [row] = await database.sql`select progress from runs`
    return row?.['progress'] !== null
  })
  const [row] = await database.sql`select progress from runs`
  expect(row).toEqual({ progress: { percent: 40, phase: 'fetching', counters: { pages: 12 } } })
  finish()
  await waitFor('the run to complete', async () => (await statusOf(id)) === 'completed')
  const lines = await readLogs(database.sql, { runId: id ?? '' }, 10)
  expect(lines.map((line) => line.message)).toEqual(['half way', 'done'])
})

test('a worker never works on more runs than it has room for', async () => {
  let now = 0
  let most = 0
  start({
    concurrency: 3,
    execute: async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now--
      return {}
    },
  })
  await enqueueRuns(
    database.sql,
    Array.from({ length: 30 }, () => ({})),
  )
  await waitFor('all runs to complete', async () => {
    const [row] = await database.sql`select count(*)::int as n from runs where status = 'completed'`
    return row?.['n'] === 30
  })
  expect(most).toBe(3)
})

test('the end of a run that belongs to a job is settled in the same transaction', async () => {
  const settled: string[] = []
  start({
    settle: async (tx, runs) => {
      for (const run of runs) {
        const [row] = await tx`select status from runs where id = ${run.id}`
        settled.push(`${run.status} ${row?.['status']}`)
      }
    },
  })
  const [id] = await enqueueRuns(database.sql, [{ jobId: '018f0000-0000-7000-8000-000000000001' }])
  await waitFor('the run to complete', async () => (await statusOf(id)) === 'completed')
  expect(settled).toEqual(['completed completed'])
})

test('a run that takes too long is stopped and tried again, and the reason is kept', async () => {
  start({ execute: async (_, { signal }) => untilAborted(signal), maxRunMs: 100, pollMs: 20 })
  const [id] = await enqueueRuns(database.sql, [{ maxRetries: 0 }])
  const [row] = await waitFor('the retry', async () => {
    const rows = await database.sql`select status, error_message, attempts from runs
      where id = ${id ?? null} and attempts is not null`
    return rows.length > 0 ? rows : null
  })
  expect(row).toMatchObject({
    error_message: 'took longer than 100 ms',
    attempts: [{ reason: 'took longer than 100 ms' }],
  })
})

test('work that hangs and ignores its signal holds neither its run nor its place', async () => {
  start({
    concurrency: 1,
    maxRunMs: 100,
    deafMs: 0,
    retryDelay: () => null,
    execute: (run) => (run.payload['hang'] === true ? new Promise(() => {}) : Promise.resolve({})),
  })
  const [hung, next] = await enqueueRuns(database.sql, [
    { priority: 100, payload: { hang: true } },
    {},
  ])
  await waitFor('the hung run to fail', async () => (await statusOf(hung)) === 'failed')
  await waitFor('the next run to complete', async () => (await statusOf(next)) === 'completed')
})
