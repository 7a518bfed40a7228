import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { getJob, insertJob } from '../jobs/store.ts'
import { newId } from '../kernel/ids.ts'
import { claimRuns } from '../runs/claim.ts'
import { pruneRuns } from '../runs/prune.ts'
import { registerWorker } from '../runs/workers.ts'
import { reapOnce } from './reap.ts'
import { startRoundIfDue } from './rounds.ts'
import { dispatchDue } from './schedule-due.ts'
import { schedulerCounts } from './scheduler-counts.ts'

const database = useDatabase()
const now = new Date()
const dayMs = 24 * 3_600_000

beforeEach(async () => {
  await database.sql`truncate jobs, runs, workers, run_logs, breakers, rounds, scheduler_state`
})

async function oldRuns(jobId: string | null, count: number, age: number): Promise<void> {
  await database.sql`
    insert into runs (id, job_id, status, run_at, rank_at)
    select uuid_v7(${new Date(now.getTime() - age * dayMs)}), ${jobId}, 'completed', now(), now()
    from generate_series(1, ${count}::int)`
}

async function countRuns(): Promise<number> {
  const [row] = await database.sql<{ n: number }[]>`select count(*)::int as n from runs`
  return row?.n ?? 0
}

test('history keeps the newest 100 runs of a job and nothing older than 30 days', async () => {
  const busy = newId()
  await oldRuns(busy, 130, 1)
  await oldRuns(newId(), 20, 31)
  await oldRuns(null, 5, 31)
  await oldRuns(newId(), 10, 29)
  expect(await pruneRuns(database.sql, now)).toEqual({ runs: 55, more: false })
  expect(await countRuns()).toBe(110)
})

test('pruning takes the log lines of a run with it and leaves live runs alone', async () => {
  await oldRuns(null, 1, 40)
  await database.sql`
    insert into run_logs (run_id, id, at, level, category, message)
    select id, 1, now(), 'info', 'run', 'old' from runs`
  await database.sql`
    insert into runs (id, status, run_at, rank_at)
    values (uuid_v7(${new Date(now.getTime() - 40 * dayMs)}), 'pending', now(), now())`
  await pruneRuns(database.sql, now)
  expect(await countRuns()).toBe(1)
  const [row] = await database.sql`select count(*)::int as n from run_logs`
  expect(row).toEqual({ n: 0 })
})

test('a job whose worker died for good fails, backs off, and does not blame the source', async () => {
  const job = await insertJob(
    database.sql,
    {
      sourceId: newId(),
      sourceName: 'Example',
      url: 'https://example.com/',
      hostKey: 'example.com',
      intervalMinutes: 60,
      maxRetries: 0,
      nextRunAt: now,
    },
    now,
  )
  await dispatchDue(database.sql, now)
  const workerId = newId()
  const info = { id: workerId, instanceId: 'test', hostName: 'here', pid: 1, concurrency: 1 }
  await registerWorker(database.sql, info, -1)
  await claimRuns(database.sql, { workerId, limit: 1, hostLimit: null })
  expect((await reapOnce(database.sql, now)).length).toBe(1)
  expect(await getJob(database.sql, job.id)).toMatchObject({
    status: 'scheduled',
    failureCount: 1,
    lastError: 'Worker timed out',
    activeRunId: null,
  })
  const breakers = await database.sql`select 1 from breakers`
  expect(breakers.length).toBe(0)
  expect(await schedulerCounts(database.sql)).toMatchObject({ reaped: 1 })
})

test('the daily round starts once when its time has come, however often somebody looks', async () => {
  const { sql } = database
  const daily = '0 6 * * *'
  const day = (time: string): Date => new Date(`2026-01-30T${time}:00Z`)
  expect(await startRoundIfDue(sql, daily, day('05:00'))).toBeNull()
  const looks = await Promise.all([1, 2, 3].map(() => startRoundIfDue(sql, daily, day('06:01'))))
  expect(looks.filter((round) => round !== null).length).toBe(1)
  expect(await startRoundIfDue(sql, daily, day('07:00'))).toBeNull()
})
