import type { Db } from '../db/pool.ts'

export interface SchedulerCounts {
  dispatched: number
  reaped: number
}

/** What the scheduler and the reaper did so far, over all processes and restarts. */
export async function countWork(db: Db, work: Partial<SchedulerCounts>, now: Date): Promise<void> {
  await db`
    insert into scheduler_state as s (key, value, updated_at)
    values ('counts', ${db.json({ dispatched: work.dispatched ?? 0, reaped: work.reaped ?? 0 })}, ${now})
    on conflict (key) do update set updated_at = excluded.updated_at, value = jsonb_build_object(
      'dispatched', (s.value ->> 'dispatched')::bigint + (excluded.value ->> 'dispatched')::bigint,
      'reaped', (s.value ->> 'reaped')::bigint + (excluded.value ->> 'reaped')::bigint)`
}

export async function schedulerCounts(db: Db): Promise<SchedulerCounts> {
  const [row] = await db<{ value: SchedulerCounts }[]>`
    select value from scheduler_state where key = 'counts'`
  return row?.value ?? { dispatched: 0, reaped: 0 }
}
