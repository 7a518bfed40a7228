import type { Db } from '../db/pool.ts'

export interface PageRow {
  id: string
  source_id: string
  run_id: string
  frontier_id: string
  url: string
  final_url: string
  status: number | null
  tier: string
  outcome: string
  reason: string | null
  content_type: string | null
  charset: string | null
  body_bytes: number | null
  content_hash: string | null
  archived: boolean
  stale: boolean
  headers: Record<string, string> | null
  title: string | null
  links_found: number
  items_found: number
  strategy: string | null
  redirects: { from: string; to: string; status: number }[] | null
  fetch_ms: number | null
  parse_ms: number | null
  fetched_at: Date
}

export interface PageFilter {
  source_id?: string | undefined
  run_id?: string | undefined
  outcome?: string | undefined
  reason?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** What was fetched, newest first. */
export async function listPages(
  db: Db,
  filter: PageFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: PageRow[]; total: number }> {
  const where = db`
    (${filter.source_id ?? null}::uuid is null or source_id = ${filter.source_id ?? null})
    and (${filter.run_id ?? null}::uuid is null or run_id = ${filter.run_id ?? null})
    and (${filter.outcome ?? null}::text is null or outcome = ${filter.outcome ?? null})
    and (${filter.reason ?? null}::text is null or reason = ${filter.reason ?? null})
    and (${filter.from ?? null}::timestamptz is null or fetched_at >= ${filter.from ?? null})
    and (${filter.to ?? null}::timestamptz is null or fetched_at < ${filter.to ?? null})`
  const [rows, counted] = await Promise.all([
    db<PageRow[]>`
      select ${columns(db)} from pages where ${where}
      order by id desc limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from pages where ${where}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function findPage(db: Db, id: string): Promise<PageRow | null> {
  const [row] = await db<PageRow[]>`select ${columns(db)} from pages where id = ${id}`
  return row ?? null
}

/** The pages of a run in the order they came, a batch at a time. */
export async function pagesOfRun(
  db: Db,
  runId: string,
  after: string,
  limit: number,
): Promise<PageRow[]> {
  return db<PageRow[]>`
    select ${columns(db)} from pages where run_id = ${runId} and id > ${after} order by id limit ${limit}`
}

function columns(db: Db) {
  return db`id, source_id, run_id, frontier_id, url, final_url, status, tier, outcome, reason, content_type, charset,
    body_bytes, encode(content_hash, 'hex') as content_hash, archived, stale, headers, title, links_found, items_found, strategy,
    redirects, fetch_ms, parse_ms, fetched_at`
}
