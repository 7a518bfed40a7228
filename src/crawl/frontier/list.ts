import type { Db } from '../../db/pool.ts'

export interface FrontierFilter {
  source_id?: string | undefined
  status?: string | undefined
  kind?: string | undefined
  reason?: string | undefined
  search?: string | undefined
  due?: boolean | undefined
}

export interface FrontierRow {
  id: string
  source_id: string
  source_name: string | null
  url: string
  kind: string
  origin: string
  depth: number
  priority: number
  status: string
  reason: string | null
  next_fetch_at: Date | null
  interval_minutes: number | null
  attempts: number
  last_status: number | null
  last_error: string | null
  last_fetched_at: Date | null
  last_changed_at: Date | null
  first_seen_at: Date
}

export async function listFrontier(
  db: Db,
  filter: FrontierFilter,
  page: { limit: number; offset: number },
  now: Date,
): Promise<{ rows: FrontierRow[]; total: number }> {
  const where = condition(db, filter, now)
  const rows = await db<FrontierRow[]>`
    select f.id, f.source_id, s.name as source_name, f.url, f.kind, f.origin, f.depth, f.priority, f.status, f.reason,
      f.next_fetch_at, f.interval_minutes, f.attempts, f.last_status, f.last_error, f.last_fetched_at, f.last_changed_at, f.first_seen_at
    from frontier f left join sources s on s.id = f.source_id
    where ${where} order by f.id desc limit ${page.limit} offset ${page.offset}`
  const [count] = await db<
    { total: number }[]
  >`select count(*)::int as total from frontier f where ${where}`
  return { rows, total: count?.total ?? 0 }
}

/** Where the URLs of a source, or of all, have ended: the buckets add up to the total. */
export async function frontierStats(
  db: Db,
  sourceId: string | null,
  now: Date,
): Promise<{ status: string; reason: string | null; count: number; due: number }[]> {
  return db`
    select status, case when status in ('refused', 'failed', 'gone') then reason end as reason, count(*)::int as count,
      count(*) filter (where next_fetch_at <= ${now})::int as due
    from frontier where ${sourceId}::uuid is null or source_id = ${sourceId}
    group by 1, 2 order by 1, 3 desc`
}

/** Makes URLs due now, whatever they ended in; robots and scope are asked again when they are fetched. */
export async function retryUrls(db: Db, ids: readonly string[], now: Date): Promise<number> {
  const rows = await db`
    update frontier set status = 'waiting', reason = null, attempts = 0, next_fetch_at = ${now}
    where id = any(${[...ids]}::bigint[]) returning id`
  return rows.length
}

export async function deleteUrls(db: Db, ids: readonly string[]): Promise<number> {
  const rows = await db`delete from frontier where id = any(${[...ids]}::bigint[]) returning id`
  return rows.length
}

export interface DomainRow {
  source_id: string
  source_name: string | null
  domain: string
  links: number
  example_url: string
  example_anchor: string | null
  first_seen_at: Date
  last_seen_at: Date
}

export async function listDomains(
  db: Db,
  filter: { source_id?: string | undefined; search?: string | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: DomainRow[]; total: number }> {
  const pattern = likePattern(filter.search)
  const where = db`(${filter.source_id ?? null}::uuid is null or d.source_id = ${filter.source_id ?? null})
    and (${pattern}::text is null or d.domain ilike ${pattern})`
  const rows = await db<DomainRow[]>`
    select d.*, s.name as source_name from discovered_domains d left join sources s on s.id = d.source_id
    where ${where} order by d.links desc, d.domain limit ${page.limit} offset ${page.offset}`
  const [count] = await db<
    { total: number }[]
  >`select count(*)::int as total from discovered_domains d where ${where}`
  return { rows, total: count?.total ?? 0 }
}

export async function deleteDomain(db: Db, sourceId: string, domain: string): Promise<boolean> {
  const rows =
    await db`delete from discovered_domains where source_id = ${sourceId} and domain = ${domain} returning 1`
  return rows.length > 0
}

function condition(db: Db, filter: FrontierFilter, now: Date) {
  const pattern = likePattern(filter.search)
  return db`
    (${filter.source_id ?? null}::uuid is null or f.source_id = ${filter.source_id ?? null})
    and (${filter.status ?? null}::text is null or f.status = ${filter.status ?? null})
    and (${filter.kind ?? null}::text is null or f.kind = ${filter.kind ?? null})
    and (${filter.reason ?? null}::text is null or f.reason = ${filter.reason ?? null})
    and (${pattern}::text is null or f.url ilike ${pattern})
    and (${filter.due ?? null}::boolean is null or coalesce(f.next_fetch_at <= ${now}, false) = ${filter.due ?? null})`
}

function likePattern(search: string | undefined): string | null {
  return search === undefined ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
}
