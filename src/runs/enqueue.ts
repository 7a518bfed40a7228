import type { Db } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import { channels } from './channels.ts'
import type { JsonObject, RunTrigger } from './types.ts'

export interface NewRun {
  id?: string
  jobId?: string | null
  sourceId?: string | null
  roundId?: string | null
  requestedBy?: string | null
  hostKey?: string
  trigger?: RunTrigger
  /** 0 to 100; a point is worth a minute of waiting. */
  priority?: number
  /** Runs of this source that may go at once, this one included. */
  sourceLimit?: number | null
  maxRetries?: number
  retryBackoffSeconds?: number
  executionNumber?: number | null
  payload?: JsonObject
  /** Not before; now when unset. */
  runAt?: Date
}

/** Puts runs into the queue with one statement and wakes the workers when it commits. Returns their ids. */
export async function enqueueRuns(db: Db, runs: readonly NewRun[]): Promise<string[]> {
  if (runs.length === 0) return []
  const rows = runs.map(toRow)
  await db`
    with queued as (
      insert into runs (id, job_id, source_id, round_id, requested_by, host_key, trigger, priority, source_limit,
        max_retries, retry_backoff_seconds, execution_number, payload, run_at, rank_at)
      select id, job_id, source_id, round_id, requested_by, coalesce(host_key, ''), coalesce(trigger, 'schedule'),
        coalesce(priority, 50), source_limit, coalesce(max_retries, 3), coalesce(retry_backoff_seconds, 60),
        execution_number, coalesce(payload, '{}'), coalesce(run_at, now()),
        coalesce(run_at, now()) - make_interval(mins => coalesce(priority, 50))
      from jsonb_to_recordset(${db.json(rows)}) as r (id uuid, job_id uuid, source_id uuid, round_id uuid,
        requested_by uuid, host_key text, trigger text, priority smallint, source_limit smallint,
        max_retries smallint, retry_backoff_seconds integer, execution_number integer, payload jsonb,
        run_at timestamptz)
      returning 1
    )
    select pg_notify(${channels.ready}, '') from queued limit 1`
  return rows.map((row) => row.id)
}

/** Only what is given: most rows leave most to the defaults, and every field costs both sides. */
function toRow(run: NewRun) {
  return {
    id: run.id ?? newId(),
    job_id: run.jobId,
    source_id: run.sourceId,
    round_id: run.roundId,
    requested_by: run.requestedBy,
    host_key: run.hostKey,
    trigger: run.trigger,
    priority: run.priority,
    source_limit: run.sourceLimit,
    max_retries: run.maxRetries,
    retry_backoff_seconds: run.retryBackoffSeconds,
    execution_number: run.executionNumber,
    payload: run.payload,
    run_at: run.runAt?.toISOString(),
  }
}
