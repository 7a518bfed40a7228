import type { Db } from '../db/pool.ts'
import { failedFrom, fruitless } from '../jobs/store.ts'
import type { JobStatus } from '../jobs/transition.ts'
import { priorities } from '../sources/fields.ts'
import { matchingSources, type SourceFilter } from '../sources/list.ts'
import type { Source } from '../sources/source.ts'

const hourMs = 3_600_000

/** Worst first: the order in which a person wants to see them. */
export const sourceStates = ['failed', 'warning', 'new', 'healthy', 'paused', 'disabled'] as const
export type SourceState = (typeof sourceStates)[number]

const sortKeys = [
  'name',
  'created_at',
  'updated_at',
  'priority',
  'status',
  'last_run_at',
  'next_run_at',
  'items_24h',
] as const
type SortKey = (typeof sortKeys)[number]
export type SourceSort = SortKey | `-${SortKey}`
export const sourceSorts = sortKeys.flatMap((key): SourceSort[] => [key, `-${key}`])

/** What the job and the breakers of a source say about it. */
export interface SourceWork {
  status: SourceState
  status_reason: string | null
  job_id: string | null
  job_status: JobStatus | null
  interval_minutes: number | null
  last_run_at: Date | null
  last_run_status: string | null
  next_run_at: Date | null
  breaker_state: 'closed' | 'open' | 'half_open'
  items_24h: number
  /** Items per hour over the last 24 hours, oldest first. */
  items_by_hour: number[]
}

export type ListedSource = Source & SourceWork

type Row = Source &
  Omit<SourceWork, 'status_reason' | 'breaker_state' | 'items_24h' | 'items_by_hour'> &
  Causes
interface Causes {
  failure_count: number | null
  last_error: string | null
  last_run_problem: string | null
  success_count: number | null
  paused_reason: string | null
}
interface OpenBreaker {
  state: 'open' | 'half_open'
  error: string | null
}

/** One page of sources with the state of their jobs. */
export async function listSources(
  db: Db,
  filter: SourceFilter & { status?: SourceState | undefined },
  page: { sort: SourceSort; limit: number; offset: number },
  now: Date,
): Promise<{ sources: ListedSource[]; total: number }> {
  const since = new Date(now.getTime() - 24 * hourMs)
  const where = db`${matchingSources(db, filter)}
    and (${filter.status ?? null}::text is null or ${stateOf(db)} = ${filter.status ?? null})`
  const [rows, counted] = await Promise.all([
    db<Row[]>`
      select s.*, ${stateOf(db)} as status, j.id as job_id, j.status as job_status,
        coalesce(j.adaptive_interval_minutes, j.interval_minutes) as interval_minutes,
        j.last_run_at, j.last_run_status, ${nextRun(db)} as next_run_at,
        j.failure_count, j.last_error, j.last_run_problem, j.success_count, j.paused_reason
      from ${joined(db)} where ${where}
      order by ${order(db, page.sort, since)}, s.id limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from ${joined(db)} where ${where}`,
  ])
  const [items, breakers] = await Promise.all([
    itemsByHour(
      db,
      rows.flatMap((row) => row.job_id ?? []),
      since,
    ),
    openBreakers(db, rows),
  ])
  return {
    sources: rows.map((row) =>
      listed(
        row,
        items.get(row.job_id ?? '') ?? quietDay(),
        breakers.get(row.id) ?? breakers.get(row.host_key),
      ),
    ),
    total: counted[0]?.total ?? 0,
  }
}

/** How many sources are in each state: the same rule as the list, so every number leads to its rows. */
export async function countSourceStates(db: Db): Promise<Record<SourceState, number>> {
  const rows = await db<{ status: SourceState; sources: number }[]>`
    select ${stateOf(db)} as status, count(*)::int as sources from ${joined(db)} group by 1`
  const counts = { failed: 0, warning: 0, new: 0, healthy: 0, paused: 0, disabled: 0 }
  for (const row of rows) counts[row.status] = row.sources
  return counts
}

/** One source as the list shows it. */
export async function findListedSource(
  db: Db,
  id: string,
  now: Date,
): Promise<ListedSource | null> {
  const page = await listSources(db, { id }, { sort: 'name', limit: 1, offset: 0 }, now)
  return page.sources[0] ?? null
}

function joined(db: Db) {
  return db`
    sources s
    left join source_groups g on g.id = s.group_id
    left join jobs j on j.source_id = s.id and j.auto_managed`
}

/** Breakers are looked up in a hashed set: joined, the planner may compare each source with each breaker. */
function stateOf(db: Db) {
  const open = (kind: string) =>
    db`(select key from breakers where kind = ${kind} and state <> 'closed')`
  return db`case
    when not s.enabled or s.auto_disabled then 'disabled'
    when j.status in ('paused', 'cancelled') then 'paused'
    when j.status = 'failed' or j.failure_count >= ${failedFrom} then 'failed'
    when j.failure_count > 0 or s.id::text in ${open('source')} or s.host_key in ${open('host')}
      or ${fruitless(db)} then 'warning'
    when j.last_run_at is null then 'new'
    else 'healthy' end`
}

function nextRun(db: Db) {
  return db`case when s.enabled and j.status in ('pending', 'scheduled', 'running')
    then greatest(j.next_run_at, j.backoff_until) end`
}

/** One index range per job: as a grouped join, the planner may compare each job with each group. */
function itemsOf(db: Db, since: Date) {
  return db`(
    select coalesce(sum(r.items_indexed), 0) from runs r
    where r.job_id = j.id and r.status in ('completed', 'failed', 'cancelled')
      and r.id >= uuid_floor(${since}))`
}

function order(db: Db, sort: SourceSort, since: Date) {
  const descending = sort.startsWith('-')
  const key = (descending ? sort.slice(1) : sort) as SortKey
  const rank = (names: readonly string[], of: ReturnType<typeof stateOf>) =>
    db`array_position(${[...names]}::text[], ${of})`
  const keys = {
    name: () => db`lower(s.name)`,
    created_at: () => db`s.created_at`,
    updated_at: () => db`s.updated_at`,
    priority: () => rank(priorities, db`coalesce(s.priority, g.settings->>'priority', 'normal')`),
    status: () => rank(sourceStates, stateOf(db)),
    last_run_at: () => db`j.last_run_at`,
    next_run_at: () => nextRun(db),
    items_24h: () => itemsOf(db, since),
  }
  const direction = descending ? db`desc nulls last` : db`asc nulls last`
  return key === 'name'
    ? db`${keys.name()} ${direction}`
    : db`${keys[key]()} ${direction}, lower(s.name)`
}

async function itemsByHour(db: Db, jobIds: string[], since: Date): Promise<Map<string, number[]>> {
  const rows = await db<{ job: string; hour: number; items: number }[]>`
    select job_id as job, floor(extract(epoch from completed_at - ${since}) / 3600)::int as hour,
      sum(items_indexed)::int as items
    from runs
    where job_id = any (${jobIds}::uuid[]) and status in ('completed', 'failed', 'cancelled')
      and id >= uuid_floor(${since}) and completed_at >= ${since} and items_indexed > 0
    group by 1, 2`
  const byJob = new Map<string, number[]>()
  for (const { job, hour, items } of rows) {
    const hours = byJob.get(job) ?? quietDay()
    byJob.set(
      job,
      hours.map((value, at) => (at === Math.min(hour, 23) ? value + items : value)),
    )
  }
  return byJob
}

/** By the id of the source or the host it guards. */
async function openBreakers(db: Db, rows: readonly Row[]): Promise<Map<string, OpenBreaker>> {
  const found = await db<(OpenBreaker & { key: string })[]>`
    select key, state, last_error as error from breakers
    where state <> 'closed' and (kind = 'source' and key = any (${rows.map((row) => row.id)}::text[])
      or kind = 'host' and key = any (${rows.map((row) => row.host_key)}::text[]))`
  return new Map(found.map(({ key, state, error }) => [key, { state, error }]))
}

function quietDay(): number[] {
  return Array.from({ length: 24 }, () => 0)
}

function listed(row: Row, hours: number[], breaker: OpenBreaker | undefined): ListedSource {
  const { failure_count, last_error, last_run_problem, success_count, paused_reason, ...source } =
    row
  const causes = { failure_count, last_error, last_run_problem, success_count, paused_reason }
  return {
    ...source,
    status_reason: reasonOf(source, causes, breaker),
    breaker_state: breaker?.state ?? 'closed',
    items_24h: hours.reduce((sum, items) => sum + items, 0),
    items_by_hour: hours,
  }
}

function reasonOf(
  row: Omit<Row, keyof Causes>,
  causes: Causes,
  breaker: OpenBreaker | undefined,
): string | null {
  if (row.status === 'disabled') return row.auto_disabled_reason ?? row.disabled_reason
  if (row.job_id === null) return 'its job is being planned'
  if (row.status === 'paused') return causes.paused_reason ?? `job is ${row.job_status ?? 'paused'}`
  if (breaker !== undefined)
    return because(breaker.state === 'open' ? 'breaker open' : 'breaker tries again', breaker.error)
  const failures = causes.failure_count ?? 0
  if (failures === 0 && row.status === 'warning')
    return causes.last_run_problem ?? `no items in ${causes.success_count ?? 0} runs`
  if (failures === 0) return row.status === 'failed' ? causes.last_error : null
  return because(
    failures === 1 ? 'last run failed' : `${failures} runs failed in a row`,
    causes.last_error,
  )
}

function because(what: string, error: string | null): string {
  return error === null ? what : `${what}: ${error}`
}
