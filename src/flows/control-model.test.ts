import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { transaction } from '../db/pool.ts'
import { insertJob } from '../jobs/store.ts'
import { allowedActions, jobStatuses } from '../jobs/transition.ts'
import { newId } from '../kernel/ids.ts'
import { claimRuns, finishRuns } from '../runs/claim.ts'
import { registerWorker } from '../runs/workers.ts'
import { controlJob, type ControlRequest } from './control-jobs.ts'
import { dispatchDue } from './schedule-due.ts'
import { settleRuns } from './settle-runs.ts'

const database = useDatabase({ max: 8 })
const jobCount = 3

beforeEach(async () => {
  await database.sql`truncate jobs, runs, workers, breakers`
})

type Step =
  | { kind: 'control'; job: number; request: ControlRequest }
  | { kind: 'dispatch' }
  | { kind: 'work'; status: 'completed' | 'failed' }

const request = fc.constantFrom<ControlRequest>(
  { action: 'pause', mode: 'finish' },
  { action: 'pause', mode: 'stop' },
  { action: 'resume' },
  { action: 'cancel' },
  { action: 'retry' },
  { action: 'force-run' },
)
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({
    kind: fc.constant('control' as const),
    job: fc.nat({ max: jobCount - 1 }),
    request,
  }),
  fc.constant<Step>({ kind: 'dispatch' }),
  fc.record({
    kind: fc.constant('work' as const),
    status: fc.constantFrom('completed' as const, 'failed' as const),
  }),
)

test('whatever is asked at the same time, a job has at most one run and every refusal is right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await database.sql`truncate jobs, runs, workers, breakers`
      const ids = await makeJobs()
      const workerId = await makeWorker()
      for (let i = 0; i < steps.length; i += 5) {
        await Promise.all(steps.slice(i, i + 5).map((each) => take(each, ids, workerId)))
        await checkInvariants()
      }
    }),
    { seed: 4, numRuns: 15 },
  )
})

async function take(each: Step, ids: string[], workerId: string): Promise<void> {
  const { sql } = database
  const now = new Date()
  if (each.kind === 'dispatch') {
    await dispatchDue(sql, now)
  } else if (each.kind === 'control') {
    const result = await controlJob(sql, ids[each.job] ?? '', each.request, now)
    if (result.ok || result.reason === 'missing') return
    // The job may have moved on since, but what the answer says about itself must be the machine's word.
    const allowed = allowedActions(result.job.status)
    const word = result.allowed.length === 0 || result.allowed.join() === allowed.join()
    if (!word) throw new Error(`a ${result.job.status} job allows ${result.allowed.join()}`)
  } else {
    const [run] = await claimRuns(sql, { workerId, limit: 1, hostLimit: null })
    if (run === undefined) return
    await transaction(sql, async (tx) => {
      const outcome = { id: run.id, token: run.leaseToken, status: each.status }
      await settleRuns(tx, await finishRuns(tx, [outcome]), now)
    })
  }
}

async function checkInvariants(): Promise<void> {
  const rows = await database.sql<
    { status: string; active: string | null; live: string[]; runs: number; executions: number }[]
  >`
    select j.status, j.active_run_id as active, j.execution_count as executions,
      (select count(*)::int from runs r where r.job_id = j.id) as runs,
      (select coalesce(array_agg(r.id), '{}') from runs r
       where r.job_id = j.id and r.status in ('pending', 'running')) as live
    from jobs j`
  for (const row of rows) {
    expect(jobStatuses).toContain(row.status)
    expect(row.live.length).toBeLessThanOrEqual(1)
    // A job knows its live run, and no other; a running job has one; a cancelled one has none.
    expect(row.active).toBe(row.live[0] ?? null)
    expect(row.status === 'running' && row.active === null).toBe(false)
    expect(row.status === 'cancelled' && row.active !== null).toBe(false)
    expect(row.executions).toBe(row.runs)
  }
}

async function makeJobs(): Promise<string[]> {
  const jobs = await Promise.all(
    Array.from({ length: jobCount }, (_, n) =>
      insertJob(
        database.sql,
        {
          sourceId: newId(),
          sourceName: `Source ${n}`,
          url: 'https://example.com/',
          hostKey: `h${n}`,
          status: 'scheduled',
          intervalMinutes: n === 0 ? null : 60,
          nextRunAt: new Date(Date.now() - 1000),
        },
        new Date(),
      ),
    ),
  )
  return jobs.map((job) => job.id)
}

async function makeWorker(): Promise<string> {
  const id = newId()
  const info = { id, instanceId: 'test', hostName: 'here', pid: 1, concurrency: 1 }
  await registerWorker(database.sql, info, 600_000)
  return id
}
