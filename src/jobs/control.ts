import type { Db } from '../db/pool.ts'
import { statesBefore, transition, type ControlAction, type JobAction } from './transition.ts'
import { factsOf, jobColumns, type Job, type JobOverride } from './types.ts'
import { getJob } from './store.ts'

export type Refusal =
  | { ok: false; reason: 'missing' }
  | { ok: false; reason: 'illegal'; detail: string; allowed: ControlAction[]; job: Job }
export type Controlled = { ok: true; job: Job } | Refusal

// Every action is one statement that names the states it may start from, so two of them at once cannot
// both win, whatever the caller believed the state to be.

/** The run under way goes on; whoever wants it stopped cancels it in the same transaction. */
export async function pauseJob(db: Db, id: string, reason: string, now: Date): Promise<Controlled> {
  const rows = await db<Job[]>`
    update jobs set status = 'paused', paused_at = ${now}, paused_reason = ${reason}, updated_at = ${now}
    where id = ${id} and status = any (${statesBefore('pause')})
    returning ${jobColumns(db)}`
  return await answer(db, id, 'pause', rows)
}

/** Back into the schedule; the scheduler finds it the least busy place, and it runs no later than its interval. */
export async function resumeJob(db: Db, id: string, now: Date): Promise<Controlled> {
  const rows = await db<Job[]>`
    update jobs
    set status = 'scheduled', paused_at = null, paused_reason = null, phase_at = null, phase_minutes = null,
        next_run_at = case
          when schedule_enabled then least(greatest(next_run_at, ${now}),
            ${now}::timestamptz + make_interval(mins => coalesce(interval_minutes, 0)))
          else coalesce(next_run_at, case when execution_count = 0 then ${now}::timestamptz end) end,
        updated_at = ${now}
    where id = ${id} and status = any (${statesBefore('resume')})
    returning ${jobColumns(db)}`
  return await answer(db, id, 'resume', rows)
}

export async function cancelJob(db: Db, id: string, now: Date): Promise<Controlled> {
  const rows = await db<Job[]>`
    update jobs set status = 'cancelled', cancelled_at = ${now}, next_run_at = null, updated_at = ${now}
    where id = ${id} and status = any (${statesBefore('cancel')})
    returning ${jobColumns(db)}`
  return await answer(db, id, 'cancel', rows)
}

/** A fresh start: counters and backoff gone, due at once. */
export async function retryJob(db: Db, id: string, now: Date): Promise<Controlled> {
  const rows = await db<Job[]>`
    update jobs
    set status = 'pending', current_retry_count = 0, failure_count = 0, backoff_until = null, last_error = null,
        next_run_at = ${now}, updated_at = ${now}
    where id = ${id} and status = any (${statesBefore('retry')})
    returning ${jobColumns(db)}`
  return await answer(db, id, 'retry', rows)
}

/** Running from this moment; the caller queues the run in the same transaction. */
export async function forceJob(db: Db, id: string, runId: string, now: Date): Promise<Controlled> {
  const rows = await db<Job[]>`
    update jobs
    set status = 'running', active_run_id = ${runId}, execution_count = execution_count + 1,
        next_run_at = next_turn(coalesce(phase_at, next_run_at), interval_minutes, ${now}), updated_at = ${now}
    where id = ${id} and status = any (${statesBefore('force-run')}) and active_run_id is null
    returning ${jobColumns(db)}`
  return await answer(db, id, 'force-run', rows)
}

export async function deleteJob(db: Db, id: string): Promise<Controlled> {
  const rows = await db<Job[]>`delete from jobs where id = ${id} returning ${jobColumns(db)}`
  return await answer(db, id, 'delete', rows)
}

export interface OverrideRequest {
  intervalMinutes?: number | undefined
  priority?: number | undefined
  maxConcurrent?: number | undefined
  reason: string
  by: string
}

/** Fixes parts of the schedule by hand and remembers what was computed. */
export async function overrideJob(
  db: Db,
  id: string,
  request: OverrideRequest,
  now: Date,
): Promise<Controlled> {
  const fixed = {
    ...(request.intervalMinutes !== undefined && { interval_minutes: request.intervalMinutes }),
    ...(request.priority !== undefined && { priority: request.priority }),
    ...(request.maxConcurrent !== undefined && { max_concurrent: request.maxConcurrent }),
  }
  const note: Omit<JobOverride, 'computed'> = {
    ...fixed,
    reason: request.reason,
    by: request.by,
    at: now.toISOString(),
  }
  const rows = await db<Job[]>`
    update jobs
    set override = ${db.json(note)}::jsonb || jsonb_build_object('computed', coalesce(override -> 'computed',
          jsonb_build_object('interval_minutes', interval_minutes, 'priority', priority,
            'max_concurrent', max_concurrent))),
        interval_minutes = coalesce(${request.intervalMinutes ?? null}, interval_minutes),
        priority = coalesce(${request.priority ?? null}, priority),
        max_concurrent = coalesce(${request.maxConcurrent ?? null}, max_concurrent),
        unchanged_count = 0, adaptive_interval_minutes = null, updated_at = ${now}
    where id = ${id} and status = any (${statesBefore('override')})
    returning ${jobColumns(db)}`
  return await answer(db, id, 'override', rows)
}

/** Back to what the schedule computes. */
export async function clearOverride(db: Db, id: string, now: Date): Promise<Controlled> {
  const rows = await db<Job[]>`
    update jobs
    set interval_minutes = case when override is null then interval_minutes
          else (override -> 'computed' ->> 'interval_minutes')::integer end,
        priority = coalesce((override -> 'computed' ->> 'priority')::integer, priority),
        max_concurrent = coalesce((override -> 'computed' ->> 'max_concurrent')::integer, max_concurrent),
        override = null, updated_at = ${now}
    where id = ${id} and status = any (${statesBefore('override')})
    returning ${jobColumns(db)}`
  return await answer(db, id, 'override', rows)
}

/** No row came back: the job is gone, or its state forbids the action, and the machine says why. */
async function answer(
  db: Db,
  id: string,
  action: JobAction,
  rows: readonly Job[],
): Promise<Controlled> {
  const [job] = rows
  if (job !== undefined) return { ok: true, job }
  const current = await getJob(db, id)
  if (current === null) return { ok: false, reason: 'missing' }
  const verdict = transition(factsOf(current), action)
  const detail = verdict.ok ? 'its last run has not ended yet' : verdict.reason
  const allowed = verdict.ok ? [] : verdict.allowed
  return { ok: false, reason: 'illegal', detail, allowed, job: current }
}
