import { transition, type JobAction, type JobStatus } from '../jobs/transition.ts'
import { factsOf, type Job } from '../jobs/types.ts'
import type { Run } from '../runs/types.ts'
import { adaptInterval } from '../schedule/adaptive.ts'
import { failureBackoffMinutes } from '../schedule/compute.ts'
import { nextTurn } from '../schedule/rhythm.ts'

/** What the end of a run changes on its job. Snake case: it is written as one JSON row. */
export interface JobSettlement {
  id: string
  run_id: string
  status: JobStatus
  next_run_at: string | null
  failure_count: number
  current_retry_count: number
  last_failure_at: string | null
  last_error: string | null
  backoff_until: string | null
  adaptive_interval_minutes: number | null
  adaptive_reason: string | null
  unchanged_count: number
  content_hash: string | null
  last_run_status: string
  ended: boolean
  succeeded: boolean
  items: number
}

/** Pure: job and finished run in, new job out. Null when the run only goes back to the queue untouched. */
export function settleJob(job: Job, run: Run, now: Date): JobSettlement | null {
  const unchanged = asItIs(job, run)
  if (run.status === 'pending') return waitingForRetry(unchanged, run)
  const action = actionFor(run)
  const verdict = transition(factsOf(job), action)
  // Paused or cancelled meanwhile: the run counts, the state stays what the operator made it.
  const ours =
    job.activeRunId === run.id || (run.status === 'cancelled' && job.activeRunId === null)
  const status = verdict.ok && ours ? verdict.status : job.status
  const base: JobSettlement = { ...unchanged, status, last_run_status: run.status, ended: true }
  if (run.status === 'cancelled') return base
  return run.status === 'completed'
    ? afterSuccess(base, job, run, now)
    : afterFailure(base, job, run, now)
}

function actionFor(run: Run): JobAction {
  if (run.status === 'completed') return 'complete'
  return run.metadata?.['permanent'] === true ? 'give-up' : 'fail'
}

function afterSuccess(base: JobSettlement, job: Job, run: Run, now: Date): JobSettlement {
  const settled: JobSettlement = {
    ...base,
    succeeded: true,
    failure_count: 0,
    current_retry_count: 0,
    last_failure_at: null,
    last_error: null,
    backoff_until: null,
    items: run.itemsIndexed ?? 0,
  }
  const baseline = job.scheduleEnabled ? job.intervalMinutes : null
  if (baseline === null) return { ...settled, next_run_at: null }
  if (!job.adaptiveScheduling) {
    return { ...settled, next_run_at: turnAfter(job, run, baseline, baseline, now) }
  }
  const adapted = adaptInterval({
    baselineMinutes: baseline,
    unchangedCount: job.unchangedCount,
    previousHash: job.contentHash,
    hash: run.contentHash,
    itemsSeen: run.counters?.['items_seen'] ?? null,
    itemsNew: run.counters?.['items_new'] ?? null,
  })
  return {
    ...settled,
    adaptive_interval_minutes: adapted.intervalMinutes,
    adaptive_reason: adapted.why,
    unchanged_count: adapted.unchangedCount,
    content_hash: adapted.contentHash,
    next_run_at: turnAfter(job, run, baseline, adapted.intervalMinutes, now),
  }
}

function afterFailure(base: JobSettlement, job: Job, run: Run, now: Date): JobSettlement {
  const failures = job.failureCount + 1
  const baseline = job.scheduleEnabled ? job.intervalMinutes : null
  const settled: JobSettlement = {
    ...base,
    failure_count: failures,
    current_retry_count: run.retryCount,
    last_failure_at: now.toISOString(),
    last_error: run.errorMessage,
  }
  if (baseline === null) return { ...settled, next_run_at: null }
  const backoff = new Date(now.getTime() + failureBackoffMinutes(baseline, failures) * 60_000)
  return {
    ...settled,
    backoff_until: backoff.toISOString(),
    next_run_at: nextTurn(job.phaseAt ?? job.nextRunAt ?? now, baseline, now).toISOString(),
  }
}

function waitingForRetry(base: JobSettlement, run: Run): JobSettlement | null {
  if (run.errorMessage === null) return null
  return { ...base, current_retry_count: run.retryCount, last_error: run.errorMessage }
}

/** A turn of the job's own rhythm, about `wait` after this run was due: stretching it never shifts its phase. */
function turnAfter(job: Job, run: Run, baseline: number, wait: number, now: Date): string {
  const earliest = run.createdAt.getTime() + (wait - baseline / 2) * 60_000
  const phase = job.phaseAt ?? job.nextRunAt ?? run.createdAt
  return nextTurn(phase, baseline, new Date(Math.max(now.getTime(), earliest))).toISOString()
}

function asItIs(job: Job, run: Run): JobSettlement {
  return {
    id: job.id,
    run_id: run.id,
    status: job.status,
    next_run_at: job.nextRunAt?.toISOString() ?? null,
    failure_count: job.failureCount,
    current_retry_count: job.currentRetryCount,
    last_failure_at: job.lastFailureAt?.toISOString() ?? null,
    last_error: job.lastError,
    backoff_until: job.backoffUntil?.toISOString() ?? null,
    adaptive_interval_minutes: job.adaptiveIntervalMinutes,
    adaptive_reason: job.adaptiveReason,
    unchanged_count: job.unchangedCount,
    content_hash: job.contentHash,
    last_run_status: job.lastRunStatus ?? '',
    ended: false,
    succeeded: false,
    items: 0,
  }
}
