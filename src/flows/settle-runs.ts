import { recordOutcomes, type Breaker } from '../breakers/store.ts'
import type { Db, Tx } from '../db/pool.ts'
import { jobColumns, type Job } from '../jobs/types.ts'
import { timedOut } from '../runs/reap.ts'
import type { Run } from '../runs/types.ts'
import { closeRounds } from './round-summary.ts'
import { runProblems } from './run-problems.ts'
import { settleJob, type JobSettlement } from './settle-job.ts'

/** What ended runs mean for jobs, circuits and rounds, in the transaction that ends them. */
export async function settleRuns(tx: Tx, runs: readonly Run[], now: Date): Promise<Breaker[]> {
  const jobs = await lockJobs(tx, runs)
  const settlements = runs.flatMap((run) => {
    const job = jobs.get(run.jobId ?? '')
    return (job === undefined ? null : settleJob(job, run, now)) ?? []
  })
  await saveSettlements(tx, settlements, await runProblems(tx, runs), now)
  const opened = await recordOutcomes(tx, sourceOutcomes(runs), now)
  await noteTripped(tx, opened, runs)
  await closeRounds(tx, roundsOf(runs), now)
  return opened
}

/** In the order of their ids, so that two workers never wait for each other. */
async function lockJobs(db: Db, runs: readonly Run[]): Promise<Map<string, Job>> {
  const ids = runs.flatMap((run) => run.jobId ?? [])
  if (ids.length === 0) return new Map()
  const jobs = await db<Job[]>`
    select ${jobColumns(db)} from jobs where id = any (${ids}::uuid[]) order by id for update`
  return new Map(jobs.map((job) => [job.id, job]))
}

async function saveSettlements(
  db: Db,
  settlements: readonly JobSettlement[],
  problems: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  if (settlements.length === 0) return
  const rows = settlements.map((row) => ({ ...row, problem: problems.get(row.run_id) ?? null }))
  await db`
    update jobs j
    set status = s.status, next_run_at = s.next_run_at, failure_count = s.failure_count,
        current_retry_count = s.current_retry_count, last_failure_at = s.last_failure_at,
        last_error = s.last_error, backoff_until = s.backoff_until,
        adaptive_interval_minutes = s.adaptive_interval_minutes, adaptive_reason = s.adaptive_reason,
        unchanged_count = s.unchanged_count, content_hash = s.content_hash,
        active_run_id = case when s.ended and j.active_run_id = s.run_id then null else j.active_run_id end,
        last_run_at = case when s.ended then ${now} else j.last_run_at end,
        last_run_status = case when s.ended then s.last_run_status else j.last_run_status end,
        last_run_problem = case when s.ended then s.problem else j.last_run_problem end,
        last_success_at = case when s.succeeded then ${now} else j.last_success_at end,
        success_count = j.success_count + case when s.succeeded then 1 else 0 end,
        items_total = j.items_total + s.items,
        updated_at = ${now}
    from jsonb_to_recordset(${db.json(rows)}) as s (
      id uuid, run_id uuid, status text, next_run_at timestamptz, failure_count integer,
      current_retry_count integer, last_failure_at timestamptz, last_error text, backoff_until timestamptz,
      adaptive_interval_minutes integer, adaptive_reason text, unchanged_count integer, content_hash text,
      last_run_status text, ended boolean, succeeded boolean, items bigint, problem text)
    where j.id = s.id`
}

/** A dead worker says nothing about the source. */
function sourceOutcomes(runs: readonly Run[]) {
  return runs
    .filter((run) => run.sourceId !== null && run.errorMessage !== timedOut)
    .filter((run) => run.status === 'completed' || run.status === 'failed')
    .map((run) => ({
      kind: 'source' as const,
      key: run.sourceId ?? '',
      ok: run.status === 'completed',
      error: run.errorMessage,
    }))
}

/** The summary of a round names the circuits its runs tripped. */
async function noteTripped(
  db: Db,
  opened: readonly Breaker[],
  runs: readonly Run[],
): Promise<void> {
  const sources = new Set(opened.map((breaker) => breaker.key))
  const ids = runs.filter((run) => sources.has(run.sourceId ?? '')).map((run) => run.id)
  if (ids.length === 0) return
  await db`
    update runs set counters = coalesce(counters, '{}') || '{"breaker_tripped": 1}'
    where id = any (${ids}::uuid[])`
}

function roundsOf(runs: readonly Run[]): string[] {
  return [
    ...new Set(runs.filter((run) => run.status !== 'pending').flatMap((run) => run.roundId ?? [])),
  ]
}
