import type { Db, Tx } from '../db/pool.ts'

/** The part of an auto-managed job that source events set. */
export interface AutoJob {
  id: string
  source_id: string
  source_name: string
  url: string
  host_key: string
  status: string
  interval_minutes: number
  interval_type: string
  next_run_at: Date | null
  schedule_chain: unknown
  priority: number
  max_concurrent: number
  crawl_window_start: number | null
  crawl_window_end: number | null
  crawl_window_days: number[] | null
  paused_at: Date | null
  paused_reason: string | null
  failure_count: number
  backoff_until: Date | null
  override: Record<string, unknown> | null
}

export async function lockAutoJobs(tx: Tx, sourceIds: readonly string[]): Promise<AutoJob[]> {
  return tx<AutoJob[]>`
    select id, source_id, source_name, url, host_key, status, interval_minutes, interval_type, next_run_at,
      schedule_chain, priority, max_concurrent, crawl_window_start, crawl_window_end, crawl_window_days,
      paused_at, paused_reason, failure_count, backoff_until, override
    from jobs where auto_managed and source_id = any(${[...sourceIds]}::uuid[]) order by id for update`
}

export async function insertAutoJobs(tx: Tx, jobs: readonly AutoJob[], now: Date): Promise<void> {
  if (jobs.length === 0) return
  await tx`
    insert into jobs (id, source_id, source_name, url, host_key, status, auto_managed, interval_minutes, interval_type,
      next_run_at, schedule_chain, priority, max_concurrent, crawl_window_start, crawl_window_end, crawl_window_days,
      created_at, updated_at)
    select id, source_id, source_name, url, host_key, status, true, interval_minutes, interval_type,
      next_run_at, schedule_chain, priority, max_concurrent, crawl_window_start, crawl_window_end, crawl_window_days,
      ${now}, ${now}
    from jsonb_populate_recordset(null::jobs, ${tx.json(jobs as never)})
    on conflict (source_id) where auto_managed do nothing`
}

export async function updateAutoJobs(tx: Tx, jobs: readonly AutoJob[], now: Date): Promise<void> {
  if (jobs.length === 0) return
  await tx`
    update jobs j set source_name = n.source_name, url = n.url, host_key = n.host_key, status = n.status,
      interval_minutes = n.interval_minutes, interval_type = n.interval_type, next_run_at = n.next_run_at,
      schedule_chain = n.schedule_chain, priority = n.priority, max_concurrent = n.max_concurrent,
      crawl_window_start = n.crawl_window_start, crawl_window_end = n.crawl_window_end,
      crawl_window_days = n.crawl_window_days, paused_at = n.paused_at, paused_reason = n.paused_reason,
      failure_count = n.failure_count, backoff_until = n.backoff_until, orphaned_at = null, updated_at = ${now}
    from jsonb_populate_recordset(null::jobs, ${tx.json(jobs as never)}) n
    where j.id = n.id`
}

export async function deleteAutoJobs(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx`delete from jobs where id = any(${[...ids]}::uuid[])`
}

/** Upcoming first runs and rhythms, for spreading new ones over the day. */
export async function readRhythms(db: Db): Promise<{ nextRunAt: Date; intervalMinutes: number }[]> {
  return db`
    select next_run_at as "nextRunAt", interval_minutes as "intervalMinutes" from jobs
    where next_run_at is not null and interval_minutes is not null and status in ('pending', 'scheduled', 'running')`
}

/** Jobs whose source is gone stop, and say so; deleting them is left to a person. */
export async function markOrphans(db: Db, now: Date): Promise<number> {
  const rows = await db`
    update jobs j set orphaned_at = ${now}, status = 'paused', paused_at = ${now}, paused_reason = 'source is gone', updated_at = ${now}
    where j.auto_managed and j.orphaned_at is null and j.status <> 'running'
      and not exists (select 1 from sources s where s.id = j.source_id)
      and not exists (select 1 from source_events e where e.source_id = j.source_id and e.status = 'pending')
    returning j.id`
  return rows.length
}
