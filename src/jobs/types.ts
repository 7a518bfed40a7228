import type { Db } from '../db/pool.ts'
import type { JobFacts, JobStatus } from './transition.ts'

export type IntervalType = 'minutes' | 'hours' | 'days'
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export interface ChainStep {
  step: string
  factor?: number
  minutes: number
  why: string
}

/** What an operator fixed by hand; an unset part stays computed. */
export interface JobOverride {
  interval_minutes?: number
  priority?: number
  max_concurrent?: number
  reason: string
  by: string
  at: string
  /** What the schedule computed, to go back to. */
  computed: { interval_minutes: number | null; priority: number; max_concurrent: number }
}

export interface Job {
  id: string
  sourceId: string
  sourceName: string
  url: string
  hostKey: string
  status: JobStatus
  autoManaged: boolean
  intervalMinutes: number | null
  intervalType: IntervalType
  scheduleEnabled: boolean
  nextRunAt: Date | null
  scheduleChain: ChainStep[]
  override: JobOverride | null
  priority: number
  maxConcurrent: number
  crawlWindowStart: number | null
  crawlWindowEnd: number | null
  crawlWindowDays: number[] | null
  maxRetries: number
  retryBackoffSeconds: number
  currentRetryCount: number
  failureCount: number
  lastFailureAt: Date | null
  lastError: string | null
  backoffUntil: Date | null
  adaptiveScheduling: boolean
  adaptiveIntervalMinutes: number | null
  adaptiveReason: string | null
  unchangedCount: number
  contentHash: string | null
  pausedAt: Date | null
  pausedReason: string | null
  cancelledAt: Date | null
  orphanedAt: Date | null
  phaseAt: Date | null
  bucket: number | null
  movedAt: Date | null
  activeRunId: string | null
  lastRunAt: Date | null
  lastRunStatus: string | null
  /** What was wrong with a run that ended well. */
  lastRunProblem: string | null
  lastSuccessAt: Date | null
  executionCount: number
  successCount: number
  itemsTotal: number
  lastEventAt: Date | null
  metadata: JsonObject
  createdAt: Date
  updatedAt: Date
}

export function factsOf(
  job: Pick<Job, 'status' | 'intervalMinutes' | 'scheduleEnabled'>,
): JobFacts {
  return { status: job.status, recurring: job.intervalMinutes !== null && job.scheduleEnabled }
}

/** The row of a job, with our names. */
export function jobColumns(db: Db) {
  return db`
    jobs.id, jobs.source_id as "sourceId", jobs.source_name as "sourceName", jobs.url,
    jobs.host_key as "hostKey", jobs.status, jobs.auto_managed as "autoManaged",
    jobs.interval_minutes as "intervalMinutes", jobs.interval_type as "intervalType",
    jobs.schedule_enabled as "scheduleEnabled", jobs.next_run_at as "nextRunAt",
    jobs.schedule_chain as "scheduleChain", jobs.override, jobs.priority,
    jobs.max_concurrent as "maxConcurrent", jobs.crawl_window_start as "crawlWindowStart",
    jobs.crawl_window_end as "crawlWindowEnd", jobs.crawl_window_days as "crawlWindowDays",
    jobs.max_retries as "maxRetries", jobs.retry_backoff_seconds as "retryBackoffSeconds",
    jobs.current_retry_count as "currentRetryCount", jobs.failure_count as "failureCount",
    jobs.last_failure_at as "lastFailureAt", jobs.last_error as "lastError",
    jobs.backoff_until as "backoffUntil", jobs.adaptive_scheduling as "adaptiveScheduling",
    jobs.adaptive_interval_minutes as "adaptiveIntervalMinutes", jobs.adaptive_reason as "adaptiveReason",
    jobs.unchanged_count as "unchangedCount", jobs.content_hash as "contentHash",
    jobs.paused_at as "pausedAt", jobs.paused_reason as "pausedReason",
    jobs.cancelled_at as "cancelledAt", jobs.orphaned_at as "orphanedAt", jobs.phase_at as "phaseAt",
    jobs.bucket, jobs.moved_at as "movedAt", jobs.active_run_id as "activeRunId",
    jobs.last_run_at as "lastRunAt", jobs.last_run_status as "lastRunStatus",
    jobs.last_run_problem as "lastRunProblem",
    jobs.last_success_at as "lastSuccessAt", jobs.execution_count as "executionCount",
    jobs.success_count as "successCount", jobs.items_total::float8 as "itemsTotal",
    jobs.last_event_at as "lastEventAt", jobs.metadata, jobs.created_at as "createdAt",
    jobs.updated_at as "updatedAt"`
}
