import { newId } from '../kernel/ids.ts'
import type { AutoJob } from '../jobs/auto.ts'
import { transition, type JobStatus } from '../jobs/transition.ts'
import type { Decision } from '../lifecycle/decide.ts'
import { computeSchedule, type Schedule } from '../schedule/compute.ts'
import type { SourceWithConfig } from './source-facts.ts'

/** Finds a first run that keeps the load of the day even. */
export interface Planner {
  firstRun(earliest: Date, intervalMinutes: number): Date
}

export interface Planned {
  job: AutoJob | null
  /** For the event log: what the decision came to. */
  note: Record<string, unknown>
}

/** Turns a decision into the job's next state. Status changes go through the one state machine. */
export function applyDecision(
  decision: Decision,
  source: SourceWithConfig | null,
  job: AutoJob | null,
  planner: Planner,
  now: Date,
): Planned {
  if (decision.action === 'delete') return { job: null, note: {} }
  if (decision.action === 'create' && source !== null)
    return create(source, planner, now, decision.firstRunAt)
  if (job === null) return { job: null, note: {} }
  switch (decision.action) {
    case 'reschedule':
      return source === null ? { job, note: {} } : reschedule(job, source, planner, now)
    case 'rename':
      return { job: source === null ? job : relabelled(job, source), note: {} }
    case 'pause':
      return moved(job, 'hold', { paused_at: now, paused_reason: decision.reason })
    case 'resume':
      return moved(source === null ? job : relabelled(job, source), 'enable', {
        next_run_at: now,
        paused_at: null,
        paused_reason: null,
        failure_count: 0,
        backoff_until: null,
      })
    default:
      return { job, note: {} }
  }
}

export function scheduleOf(source: SourceWithConfig, failureCount = 0): Schedule {
  return computeSchedule({
    priority: source.priority,
    rateLimit: source.rateLimit,
    maxDepth: source.maxDepth,
    failureCount,
  })
}

/** The fields of a job that follow from its source, unless an operator fixed them by hand. */
export function scheduledFields(
  source: SourceWithConfig,
  override: Record<string, unknown> | null,
) {
  const schedule = scheduleOf(source)
  const fixed = (name: string, computed: number): number =>
    typeof override?.[name] === 'number' ? override[name] : computed
  return {
    interval_minutes: fixed('interval_minutes', schedule.intervalMinutes),
    interval_type: schedule.intervalType,
    schedule_chain: schedule.chain,
    priority: fixed('priority', schedule.priority),
    max_concurrent: fixed('max_concurrent', schedule.maxConcurrent),
    crawl_window_start: source.crawlWindowStart,
    crawl_window_end: source.crawlWindowEnd,
    crawl_window_days: source.crawlWindowDays,
  }
}

function create(source: SourceWithConfig, planner: Planner, now: Date, askedRunAt?: Date): Planned {
  const { initialDelayMs } = scheduleOf(source)
  const fields = scheduledFields(source, null)
  const earliest = new Date(now.getTime() + initialDelayMs)
  const job: AutoJob = {
    id: newId(now.getTime()),
    source_id: source.id,
    source_name: source.name,
    url: source.url,
    host_key: source.hostKey,
    status: 'pending',
    ...fields,
    // An urgent source starts at once, one that a person just added when it was asked for; the others find a calm
    // quarter of an hour within their first interval. The rhythm after the first run is placed in any case.
    next_run_at:
      askedRunAt !== undefined && askedRunAt < earliest
        ? askedRunAt
        : initialDelayMs === 0
          ? earliest
          : planner.firstRun(earliest, fields.interval_minutes),
    paused_at: null,
    paused_reason: null,
    failure_count: 0,
    backoff_until: null,
    override: null,
  }
  return { job, note: { job_id: job.id, interval_minutes: job.interval_minutes } }
}

function reschedule(job: AutoJob, source: SourceWithConfig, planner: Planner, now: Date): Planned {
  const fields = scheduledFields(source, job.override)
  const next = relabelled({ ...job, ...fields }, source)
  // A changed interval starts a new rhythm; an unchanged one keeps its place in the day.
  if (
    fields.interval_minutes !== job.interval_minutes &&
    job.next_run_at !== null &&
    job.status !== 'running'
  ) {
    next.next_run_at = planner.firstRun(now, fields.interval_minutes)
  }
  return {
    job: next,
    note: { from_minutes: job.interval_minutes, to_minutes: fields.interval_minutes },
  }
}

function relabelled(job: AutoJob, source: SourceWithConfig): AutoJob {
  return { ...job, source_name: source.name, url: source.url, host_key: source.hostKey }
}

function moved(job: AutoJob, action: 'hold' | 'enable', fields: Partial<AutoJob>): Planned {
  const step = transition({ status: job.status as JobStatus, recurring: true }, action)
  if (!step.ok) return { job, note: { refused: step.reason } }
  return { job: { ...job, ...fields, status: step.status }, note: { status: step.status } }
}
