import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { transaction } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import { cancelRuns } from './cancel.ts'
import { claimRuns, finishAndClaim, finishRuns } from './claim.ts'
import { enqueueRuns } from './enqueue.ts'
import { holdLeases } from './fence.ts'
import { appendLogs, readLastLogs, readLogs } from './logs.ts'
import { reapRuns } from './reap.ts'
import { heartbeat, registerWorker, removeWorker } from './workers.ts'

const database = useDatabase()

beforeEach(async () => {
  await database.sql`truncate runs, workers, run_logs`
})

async function worker(leaseMs = 60_000): Promise<string> {
  const id = newId()
  const info = { id, instanceId: 'test', hostName: 'here', pid: 1, concurrency: 8 }
  await registerWorker(database.sql, info, leaseMs)
  return id
}

const claim = (workerId: string, limit = 10, hostLimit: number | null = null) =>
  claimRuns(database.sql, { workerId, limit, hostLimit })

test('higher priority goes first, and older runs first among equals', async () => {
  const w = await worker()
  const [low, oldNormal, normal, critical] = await enqueueRuns(database.sql, [
    { priority: 25 },
    { priority: 50, runAt: new Date(Date.now() - 5000) },
    { priority: 50 },
    { priority: 100 },
  ])
  expect(new Set((await claim(w, 2)).map((run) => run.id))).toEqual(new Set([critical, oldNormal]))
  expect((await claim(w, 1)).map((run) => run.id)).toEqual([normal])
  expect((await claim(w, 1)).map((run) => run.id)).toEqual([low])
})

test('a run that waited long enough overtakes newer ones of higher priority', async () => {
  const w = await worker()
  const [patient] = await enqueueRuns(database.sql, [
    { priority: 25, runAt: new Date(Date.now() - 76 * 60_000) },
    { priority: 100 },
  ])
  expect((await claim(w, 1)).map((run) => run.id)).toEqual([patient])
})

test('runs of the future wait', async () => {
  const w = await worker()
  await enqueueRuns(database.sql, [{ runAt: new Date(Date.now() + 60_000) }])
  expect(await claim(w)).toEqual([])
})

test('many claimers share the queue without overlap', async () => {
  const w = await worker()
  await enqueueRuns(
    database.sql,
    Array.from({ length: 300 }, () => ({})),
  )
  const batches = await Promise.all(Array.from({ length: 12 }, () => claim(w, 25)))
  const ids = batches.flat().map((run) => run.id)
  expect(ids.length).toBe(300)
  expect(new Set(ids).size).toBe(300)
})

test('a source never has more runs at once than it allows, whoever claims', async () => {
  const w = await worker()
  const sourceId = newId()
  const runs = Array.from({ length: 30 }, () => ({ sourceId, sourceLimit: 2 }))
  await enqueueRuns(database.sql, runs)
  const batches = await Promise.all(Array.from({ length: 8 }, () => claim(w, 5)))
  expect(batches.flat().length).toBe(2)
  expect(await claim(w)).toEqual([])
})

test('a host limit holds over all workers and lets other hosts pass', async () => {
  const w = await worker()
  const busy = Array.from({ length: 20 }, () => ({ hostKey: 'busy.example', priority: 90 }))
  await enqueueRuns(database.sql, [...busy, { hostKey: 'calm.example', priority: 10 }])
  const batches = await Promise.all(Array.from({ length: 6 }, () => claim(w, 4, 3)))
  const taken = [...batches.flat(), ...(await claim(w, 4, 3))]
  const hosts = taken.map((run) => run.hostKey)
  expect(hosts.filter((host) => host === 'busy.example').length).toBe(3)
  expect(hosts).toContain('calm.example')
})

test('a finished run is not written twice, and not by a stranger', async () => {
  const w = await worker()
  await enqueueRuns(database.sql, [{}])
  const [run] = await claim(w)
  if (run === undefined) throw new Error('nothing claimed')
  const outcome = { id: run.id, token: run.leaseToken, status: 'completed' as const }
  expect(await finishRuns(database.sql, [{ ...outcome, token: newId() }])).toEqual([])
  expect((await finishRuns(database.sql, [outcome])).length).toBe(1)
  expect(await finishRuns(database.sql, [outcome])).toEqual([])
})

test('finishing a batch and taking the next is one statement', async () => {
  const w = await worker()
  await enqueueRuns(
    database.sql,
    Array.from({ length: 5 }, () => ({})),
  )
  const first = await claim(w, 3)
  const outcomes = first.map((run) => ({
    id: run.id,
    token: run.leaseToken,
    status: 'completed' as const,
    items_crawled: 7,
  }))
  const next = await finishAndClaim(database.sql, outcomes, {
    workerId: w,
    limit: 3,
    hostLimit: null,
  })
  expect(next.length).toBe(2)
  const [row] = await database.sql`
    select count(*)::int as n from runs where status = 'completed' and items_crawled = 7`
  expect(row).toEqual({ n: 3 })
  expect(
    await finishAndClaim(database.sql, [], { workerId: w, limit: 3, hostLimit: null }),
  ).toEqual([])
})

test('an abandoned run goes back to the queue with one retry less, and its old owner is locked out', async () => {
  const dead = await worker(-1)
  await enqueueRuns(database.sql, [{ maxRetries: 1 }])
  const [run] = await claim(dead)
  if (run === undefined) throw new Error('nothing claimed')
  expect(await reapRuns(database.sql)).toMatchObject([
    { id: run.id, status: 'pending', retryCount: 1 },
  ])
  const late = transaction(database.sql, (tx) => holdLeases(tx, [run]))
  expect((await late).size).toBe(0)
  expect(
    await finishRuns(database.sql, [{ id: run.id, token: run.leaseToken, status: 'completed' }]),
  ).toEqual([])
})

test('a run whose workers keep dying fails as timed out', async () => {
  const dead = await worker(-1)
  await enqueueRuns(database.sql, [{ maxRetries: 0 }])
  await claim(dead)
  const [reaped] = await reapRuns(database.sql)
  expect(reaped).toMatchObject({ status: 'failed', errorMessage: 'Worker timed out' })
  expect(reaped?.attempts).toMatchObject([{ attempt: 1, reason: 'Worker timed out' }])
})

test('a heartbeat keeps all runs of a worker and tells which it still holds', async () => {
  const w = await worker(1)
  await enqueueRuns(database.sql, [{}, {}])
  const runs = await claim(w)
  expect(await heartbeat(database.sql, w, 60_000)).toEqual(new Set(runs.map((run) => run.id)))
  expect(await reapRuns(database.sql)).toEqual([])
  await cancelRuns(database.sql, [runs[0]?.id ?? ''], 'asked to')
  expect((await heartbeat(database.sql, w, 60_000))?.size).toBe(1)
  expect(await heartbeat(database.sql, newId(), 60_000)).toBeNull()
})

test('cancelling wins over a late finish', async () => {
  const w = await worker()
  await enqueueRuns(database.sql, [{}])
  const [run] = await claim(w)
  if (run === undefined) throw new Error('nothing claimed')
  const [cancelled] = await cancelRuns(database.sql, [run.id], 'asked to')
  expect(cancelled).toMatchObject({ status: 'cancelled', leaseToken: null })
  const outcome = { id: run.id, token: run.leaseToken, status: 'completed' as const }
  expect(await finishRuns(database.sql, [outcome])).toEqual([])
})

test('a worker that leaves hands its runs back with all their retries', async () => {
  const w = await worker()
  await enqueueRuns(database.sql, [{}])
  await claim(w)
  expect(await removeWorker(database.sql, w)).toBe(1)
  const [run] = await claim(await worker())
  expect(run).toMatchObject({ retryCount: 0 })
  const [row] = await database.sql`select attempts from runs`
  expect(row).toMatchObject({ attempts: [{ reason: 'handed back' }] })
})

test('log lines keep their order, are fenced, and end at the limit', async () => {
  const w = await worker()
  await enqueueRuns(database.sql, [{}, {}])
  const [a, b] = await claim(w)
  if (a === undefined || b === undefined) throw new Error('nothing claimed')
  const line = (message: string) => ({
    at: new Date(),
    level: 'info' as const,
    category: 'fetch',
    message,
  })
  const lines = Array.from({ length: 50 }, (_, i) => line(`line ${i}`))
  await appendLogs(database.sql, [
    { runId: a.id, token: a.leaseToken, lines },
    { runId: b.id, token: newId(), lines: [line('stranger')] },
  ])
  expect((await readLogs(database.sql, { runId: a.id }, 100)).map((l) => l.message)).toEqual(
    lines.map((l) => l.message),
  )
  expect((await readLastLogs(database.sql, { runId: a.id }, 2)).map((l) => l.message)).toEqual([
    'line 48',
    'line 49',
  ])
  expect(await readLogs(database.sql, { runId: b.id }, 10)).toEqual([])
  await database.sql`update runs set log_lines = 9_999 where id = ${a.id}`
  await appendLogs(database.sql, [{ runId: a.id, token: a.leaseToken, lines: lines.slice(0, 3) }])
  const [row] = await database.sql`select log_lines, log_dropped from runs where id = ${a.id}`
  expect(row).toEqual({ log_lines: 10_000, log_dropped: 2 })
})
