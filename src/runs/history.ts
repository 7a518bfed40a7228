import type { Db } from '../db/pool.ts'
import { runColumns, type Run, type RunStatus } from './types.ts'

export interface RunFilter {
  jobId?: string
  sourceId?: string
  roundId?: string
  requestedBy?: string
  status?: RunStatus[]
}

/** Newest first: ids sort by the time the run was made. */
export async function listRuns(
  db: Db,
  filter: RunFilter,
  page: { limit: number; offset: number },
): Promise<{ runs: Run[]; total: number }> {
  const [runs, counted] = await Promise.all([
    db<Run[]>`
      select ${runColumns(db)} from runs where ${matching(db, filter)}
      order by id desc limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from runs where ${matching(db, filter)}`,
  ])
  return { runs, total: counted[0]?.total ?? 0 }
}

export async function getRun(db: Db, id: string): Promise<Run | null> {
  const [run] = await db<Run[]>`select ${runColumns(db)} from runs where id = ${id}`
  return run ?? null
}

export interface RunStats {
  total: number
  completed: number
  failed: number
  cancelled: number
  items: number
  /** Share of completed among completed and failed; null without either. */
  successRate: number | null
  avgDurationSeconds: number | null
  maxDurationSeconds: number | null
}

/** How finished runs went since a moment; without a job, of all jobs. */
export async function runStats(db: Db, since: Date, jobId?: string): Promise<RunStats> {
  const [row] = await db<RunStats[]>`
    select count(*)::int as total,
      (count(*) filter (where status = 'completed'))::int as completed,
      (count(*) filter (where status = 'failed'))::int as failed,
      (count(*) filter (where status = 'cancelled'))::int as cancelled,
      coalesce(sum(items_indexed), 0)::float8 as items,
      (count(*) filter (where status = 'completed'))::float8
        / nullif(count(*) filter (where status in ('completed', 'failed')), 0) as "successRate",
      (avg(extract(epoch from completed_at - started_at)))::float8 as "avgDurationSeconds",
      (max(extract(epoch from completed_at - started_at)))::float8 as "maxDurationSeconds"
    from runs
    where status in ('completed', 'failed', 'cancelled')
      and id >= uuid_floor(${since}) and completed_at is not null
      and ${jobId === undefined ? db`true` : db`job_id = ${jobId}`}`
  if (row === undefined) throw new Error('a sum without a row')
  return row
}

export interface QueueDepth {
  pending: number
  running: number
  /** Seconds the oldest waiting run has been due. */
  oldestSeconds: number | null
}

export async function queueDepth(db: Db): Promise<QueueDepth> {
  const [row] = await db<QueueDepth[]>`
    select
      (select count(*)::int from runs where status = 'pending') as pending,
      (select count(*)::int from runs where status = 'running') as running,
      (select extract(epoch from now() - min(run_at))::float8 from runs
       where status = 'pending' and run_at <= now()) as "oldestSeconds"`
  if (row === undefined) throw new Error('a count without a row')
  return row
}

/** Every branch names the states a partial index covers, so that no list walks the whole history. */
function matching(db: Db, filter: RunFilter) {
  return db`
    ${filter.jobId === undefined ? db`true` : db`id in (${runIdsOfJob(db, filter.jobId)})`}
    and ${filter.sourceId === undefined ? db`true` : db`source_id = ${filter.sourceId}`}
    and ${filter.roundId === undefined ? db`true` : db`round_id = ${filter.roundId}`}
    and ${filter.requestedBy === undefined ? db`true` : db`requested_by = ${filter.requestedBy}`}
    and ${filter.status === undefined ? db`true` : db`status = any (${filter.status})`}`
}

function runIdsOfJob(db: Db, jobId: string) {
  return db`
    select r.id from runs r
    where r.job_id = ${jobId} and r.status in ('completed', 'failed', 'cancelled')
    union all select r.id from runs r where r.job_id = ${jobId} and r.status = 'pending'
    union all select r.id from runs r where r.job_id = ${jobId} and r.status = 'running'`
}
