import { z } from 'zod'
import type { Controlled } from '../../jobs/control.ts'
import { allowedActions, controlActions, jobStatuses } from '../../jobs/transition.ts'
import type { Job } from '../../jobs/types.ts'
import { healthOf } from '../../jobs/store.ts'
import { explainChain, type ScheduleStep } from '../../schedule/compute.ts'
import { inWindow, nextWindowStart, windowOf } from '../../schedule/window.ts'
import { notFound, problem, type Problem } from '../problem.ts'

export const intervalTypes = ['minutes', 'hours', 'days'] as const

const stepShape = z.object({
  step: z.string(),
  factor: z.number().optional(),
  minutes: z.number(),
  why: z.string(),
})

export const jobShape = z.object({
  id: z.string(),
  source_id: z.string(),
  source_name: z.string(),
  url: z.string(),
  status: z.enum(jobStatuses),
  allowed_actions: z.array(z.enum(controlActions)),
  health: z.enum(['healthy', 'warning', 'failed']),
  auto_managed: z.boolean(),
  interval_minutes: z.number().nullable(),
  interval_type: z.enum(intervalTypes),
  schedule_enabled: z.boolean(),
  next_run_at: z.date().nullable(),
  /** Why a due job does not start, and when it may. */
  waiting_for: z.enum(['backoff', 'crawl_window']).nullable(),
  waiting_until: z.date().nullable(),
  schedule: z.object({ explanation: z.string(), chain: z.array(stepShape) }),
  override: z.record(z.string(), z.unknown()).nullable(),
  priority: z.number(),
  max_concurrent: z.number(),
  crawl_window_start: z.number().nullable(),
  crawl_window_end: z.number().nullable(),
  crawl_window_days: z.array(z.number()).nullable(),
  max_retries: z.number(),
  retry_backoff_seconds: z.number(),
  current_retry_count: z.number(),
  failure_count: z.number(),
  last_failure_at: z.date().nullable(),
  last_error: z.string().nullable(),
  backoff_until: z.date().nullable(),
  adaptive_scheduling: z.boolean(),
  adaptive_interval_minutes: z.number().nullable(),
  adaptive_reason: z.string().nullable(),
  unchanged_count: z.number(),
  is_paused: z.boolean(),
  paused_at: z.date().nullable(),
  paused_reason: z.string().nullable(),
  cancelled_at: z.date().nullable(),
  orphaned_at: z.date().nullable(),
  bucket: z.number().nullable(),
  active_run_id: z.string().nullable(),
  last_run_at: z.date().nullable(),
  last_run_status: z.string().nullable(),
  last_success_at: z.date().nullable(),
  execution_count: z.number(),
  success_count: z.number(),
  items_total: z.number(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.date(),
  updated_at: z.date(),
})

export function describeJob(job: Job, now: Date): z.infer<typeof jobShape> {
  return {
    id: job.id,
    source_id: job.sourceId,
    source_name: job.sourceName,
    url: job.url,
    status: job.status,
    allowed_actions: allowedActions(job.status),
    health: healthOf(job),
    auto_managed: job.autoManaged,
    interval_minutes: job.intervalMinutes,
    interval_type: job.intervalType,
    schedule_enabled: job.scheduleEnabled,
    next_run_at: job.nextRunAt,
    ...waiting(job, now),
    schedule: {
      explanation: explainChain(job.scheduleChain as ScheduleStep[]),
      chain: job.scheduleChain,
    },
    override: job.override === null ? null : { ...job.override },
    priority: job.priority,
    max_concurrent: job.maxConcurrent,
    crawl_window_start: job.crawlWindowStart,
    crawl_window_end: job.crawlWindowEnd,
    crawl_window_days: job.crawlWindowDays,
    max_retries: job.maxRetries,
    retry_backoff_seconds: job.retryBackoffSeconds,
    current_retry_count: job.currentRetryCount,
    failure_count: job.failureCount,
    last_failure_at: job.lastFailureAt,
    last_error: job.lastError,
    backoff_until: job.backoffUntil,
    adaptive_scheduling: job.adaptiveScheduling,
    adaptive_interval_minutes: job.adaptiveIntervalMinutes,
    adaptive_reason: job.adaptiveReason,
    unchanged_count: job.unchangedCount,
    is_paused: job.status === 'paused',
    paused_at: job.pausedAt,
    paused_reason: job.pausedReason,
    cancelled_at: job.cancelledAt,
    orphaned_at: job.orphanedAt,
    bucket: job.bucket,
    active_run_id: job.activeRunId,
    last_run_at: job.lastRunAt,
    last_run_status: job.lastRunStatus,
    last_success_at: job.lastSuccessAt,
    execution_count: job.executionCount,
    success_count: job.successCount,
    items_total: job.itemsTotal,
    metadata: job.metadata,
    created_at: job.createdAt,
    updated_at: job.updatedAt,
  }
}

/** The job after an action, or the problem that says why not. */
export function controlled(result: Controlled, id: string): Job {
  if (result.ok) return result.job
  throw refusal(result, id)
}

export function refusal(result: Controlled & { ok: false }, id: string): Problem {
  if (result.reason === 'missing') return notFound('job', id)
  const { detail, allowed, job } = result
  return problem(409, 'Not in this state', `${capital(detail)}.`, {
    status: 409,
    current_status: job.status,
    allowed_actions: allowed,
  })
}

function waiting(
  job: Job,
  now: Date,
): Pick<z.infer<typeof jobShape>, 'waiting_for' | 'waiting_until'> {
  const none = { waiting_for: null, waiting_until: null }
  if (job.nextRunAt === null || !['pending', 'scheduled'].includes(job.status)) return none
  if (job.backoffUntil !== null && job.backoffUntil > now && job.backoffUntil > job.nextRunAt) {
    return { waiting_for: 'backoff', waiting_until: job.backoffUntil }
  }
  const window = windowOf(job)
  const due = job.nextRunAt > now ? job.nextRunAt : now
  if (inWindow(window, due)) return none
  return { waiting_for: 'crawl_window', waiting_until: nextWindowStart(window, due) }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
