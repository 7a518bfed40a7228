import type { Db } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import type { JobStatus } from './transition.ts'
import {
  jobColumns,
  type ChainStep,
  type IntervalType,
  type Job,
  type JsonObject,
} from './types.ts'

export interface NewJob {
  id?: string
  sourceId: string
  sourceName: string
  url: string
  /** host[:port] of the url. */
  hostKey: string
  status?: JobStatus
  autoManaged?: boolean
  /** Null or missing: runs once. */
  intervalMinutes?: number | null
  intervalType?: IntervalType
  scheduleEnabled?: boolean
  nextRunAt: Date | null
  scheduleChain?: ChainStep[]
  priority?: number
  maxConcurrent?: number
  crawlWindowStart?: number | null
  crawlWindowEnd?: number | null
  crawlWindowDays?: number[] | null
  maxRetries?: number
  retryBackoffSeconds?: number
  adaptiveScheduling?: boolean
  metadata?: JsonObject
}

export async function insertJob(db: Db, job: NewJob, now: Date): Promise<Job> {
  const [row] = await db<Job[]>`
    insert into jobs ${db(toColumns(db, job, now))} returning ${jobColumns(db)}`
  if (row === undefined) throw new Error('the new job did not come back')
  return row
}

/**
 * The one job of a source that source events manage: made, or brought up to date. What an operator overrode and
 * what the job went through stay as they are.
 */
export async function upsertAutoJob(db: Db, job: NewJob, now: Date): Promise<Job> {
  const [row] = await db<Job[]>`
    insert into jobs ${db(toColumns(db, { ...job, autoManaged: true }, now))}
    on conflict (source_id) where auto_managed do update set
      source_name = excluded.source_name,
      url = excluded.url,
      host_key = excluded.host_key,
      interval_minutes = case when jobs.override ? 'interval_minutes'
        then jobs.interval_minutes else excluded.interval_minutes end,
      interval_type = case when jobs.override ? 'interval_minutes'
        then jobs.interval_type else excluded.interval_type end,
      priority = case when jobs.override ? 'priority' then jobs.priority else excluded.priority end,
      max_concurrent = case when jobs.override ? 'max_concurrent'
        then jobs.max_concurrent else excluded.max_concurrent end,
      override = case when jobs.override is null then null
        else jobs.override || jsonb_build_object('computed', jsonb_build_object(
          'interval_minutes', excluded.interval_minutes, 'priority', excluded.priority,
          'max_concurrent', excluded.max_concurrent)) end,
      schedule_chain = excluded.schedule_chain,
      crawl_window_start = excluded.crawl_window_start,
      crawl_window_end = excluded.crawl_window_end,
      crawl_window_days = excluded.crawl_window_days,
      orphaned_at = null,
      updated_at = excluded.updated_at
    returning ${jobColumns(db)}`
  if (row === undefined) throw new Error('the job did not come back')
  return row
}

export async function getJob(db: Db, id: string): Promise<Job | null> {
  const [row] = await db<Job[]>`select ${jobColumns(db)} from jobs where id = ${id}`
  return row ?? null
}

/** The job of a source: the managed one, or else the newest other. */
export async function findJobBySource(db: Db, sourceId: string): Promise<Job | null> {
  const [row] = await db<Job[]>`
    select ${jobColumns(db)} from jobs where source_id = ${sourceId}
    order by auto_managed desc, created_at desc limit 1`
  return row ?? null
}

export interface JobPatch {
  url?: string
  hostKey?: string
  sourceName?: string
  intervalMinutes?: number | null
  intervalType?: IntervalType
  scheduleEnabled?: boolean
  nextRunAt?: Date | null
  priority?: number
  maxConcurrent?: number
  crawlWindowStart?: number | null
  crawlWindowEnd?: number | null
  crawlWindowDays?: number[] | null
  maxRetries?: number
  retryBackoffSeconds?: number
  adaptiveScheduling?: boolean
  metadata?: JsonObject
}

/** Changes what the patch names and nothing else. */
export async function updateJob(
  db: Db,
  id: string,
  patch: JobPatch,
  now: Date,
): Promise<Job | null> {
  const [row] = await db<Job[]>`
    update jobs set ${db({ ...columnsOf(db, patch), updated_at: now })}
    where id = ${id} returning ${jobColumns(db)}`
  return row ?? null
}

export interface JobFilter {
  status?: JobStatus[]
  sourceId?: string
  search?: string
  autoManaged?: boolean
  minPriority?: number
  /** healthy: no failures; warning: some; failed: the state, or five failures in a row. */
  health?: 'healthy' | 'warning' | 'failed'
}

export const jobSorts = [
  'created_at',
  'next_run_at',
  'last_run_at',
  'priority',
  'source_name',
] as const

export interface JobPage {
  limit: number
  offset: number
  sort: (typeof jobSorts)[number]
  order: 'asc' | 'desc'
}

export async function listJobs(
  db: Db,
  filter: JobFilter,
  page: JobPage,
): Promise<{ jobs: Job[]; total: number }> {
  const direction = page.order === 'asc' ? db`asc nulls last` : db`desc nulls last`
  const [jobs, counted] = await Promise.all([
    db<Job[]>`
      select ${jobColumns(db)} from jobs where ${matching(db, filter)}
      order by ${db(page.sort)} ${direction}, id ${direction}
      limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from jobs where ${matching(db, filter)}`,
  ])
  return { jobs, total: counted[0]?.total ?? 0 }
}

/** Failures in a row from which a job counts as failed, although it still tries. */
export const failedFrom = 5

/** Runs that ended well from which on a source that never gave anything is worth a look. */
export const fruitlessFrom = 3

export type Health = 'healthy' | 'warning' | 'failed'

/** How a job is doing, as SQL over its columns; `healthOf` says the same of one that was read. */
export function healthCase(db: Db) {
  return db`case
    when status = 'failed' or failure_count >= ${failedFrom} then 'failed'
    when failure_count > 0 or ${fruitless(db)} then 'warning'
    else 'healthy' end`
}

/** Its runs end well and bring nothing. */
export function fruitless(db: Db) {
  return db`(last_run_problem is not null or items_total = 0 and success_count >= ${fruitlessFrom})`
}

export function healthOf(
  job: Pick<Job, 'status' | 'failureCount' | 'lastRunProblem' | 'itemsTotal' | 'successCount'>,
): Health {
  if (job.status === 'failed' || job.failureCount >= failedFrom) return 'failed'
  const nothing = job.itemsTotal === 0 && job.successCount >= fruitlessFrom
  return job.failureCount > 0 || job.lastRunProblem !== null || nothing ? 'warning' : 'healthy'
}

function matching(db: Db, filter: JobFilter) {
  const search =
    filter.search === undefined ? null : `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`
  return db`
    ${filter.status === undefined ? db`true` : db`status = any (${filter.status})`}
    and ${filter.sourceId === undefined ? db`true` : db`source_id = ${filter.sourceId}`}
    and ${filter.autoManaged === undefined ? db`true` : db`auto_managed = ${filter.autoManaged}`}
    and ${filter.minPriority === undefined ? db`true` : db`priority >= ${filter.minPriority}`}
    and ${filter.health === undefined ? db`true` : db`${healthCase(db)} = ${filter.health}`}
    and ${search === null ? db`true` : db`(source_name ilike ${search} or url ilike ${search})`}`
}

type Column = string | number | boolean | Date | null | number[] | ReturnType<Db['json']>

function toColumns(db: Db, job: NewJob, now: Date): Record<string, Column> {
  return {
    ...columnsOf(db, job),
    id: job.id ?? newId(),
    source_id: job.sourceId,
    status: job.status ?? 'pending',
    auto_managed: job.autoManaged ?? false,
    schedule_chain: db.json((job.scheduleChain ?? []).map((step) => ({ ...step }))),
    created_at: now,
    updated_at: now,
  }
}

/** Only what is given, so that an update leaves the rest alone. */
function columnsOf(db: Db, patch: JobPatch): Record<string, Column> {
  const all: Record<string, Column | undefined> = {
    source_name: patch.sourceName,
    url: patch.url,
    host_key: patch.hostKey,
    interval_minutes: patch.intervalMinutes,
    interval_type: patch.intervalType,
    schedule_enabled: patch.scheduleEnabled,
    next_run_at: patch.nextRunAt,
    priority: patch.priority,
    max_concurrent: patch.maxConcurrent,
    crawl_window_start: patch.crawlWindowStart,
    crawl_window_end: patch.crawlWindowEnd,
    crawl_window_days: patch.crawlWindowDays,
    max_retries: patch.maxRetries,
    retry_backoff_seconds: patch.retryBackoffSeconds,
    adaptive_scheduling: patch.adaptiveScheduling,
    metadata: patch.metadata === undefined ? undefined : db.json(patch.metadata),
  }
  const given: Record<string, Column> = {}
  for (const [name, value] of Object.entries(all)) if (value !== undefined) given[name] = value
  return given
}
