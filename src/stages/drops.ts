import type { PendingQuery, Row } from 'postgres'
import type { Db } from '../db/pool.ts'
import type { StageName } from './kinds.ts'

export interface DropQuery {
  from: Date
  to: Date
  /** Ids of our own sources; null: all. */
  sourceIds: string[] | null
}

/** One thing that was dropped. */
export interface Dropped {
  id: string
  /** Where its journey can be followed. */
  url: string | null
  title: string | null
  source_id: string
  item_id: string | null
  detail: string | null
  at: Date
}

/** What is dropped on the way to one stage, from the tables of the work itself. */
interface DropTable {
  stage: StageName
  /** The rows that were dropped in a stretch of time; `t` names the table. */
  from(db: Db, query: DropQuery): PendingQuery<Row[]>
  reason(db: Db): PendingQuery<Row[]>
  columns(db: Db): PendingQuery<Row[]>
  newestFirst(db: Db): PendingQuery<Row[]>
}

const tables: DropTable[] = [
  {
    stage: 'crawled',
    from: (db, { from, to, sourceIds }) => db`
      pages t where t.fetched_at >= ${from} and t.fetched_at < ${to} and t.outcome <> 'fetched'
        and not ${missedGuess(db)} ${ofSources(db, sourceIds)}`,
    reason: (db) => db`coalesce(t.reason, t.outcome)`,
    columns: (db) => db`
      t.id::text, t.url, t.title, t.source_id, null::uuid as item_id, 'HTTP ' || t.status as detail,
      t.fetched_at as at`,
    newestFirst: (db) => db`t.id desc`,
  },
  {
    stage: 'indexed',
    from: (db, { from, to, sourceIds }) => db`
      staged_items t where t.staged_at >= ${from} and t.staged_at < ${to} and t.outcome in ('unchanged', 'failed')
        ${ofSources(db, sourceIds)}`,
    reason: (db) => db`coalesce(t.reason, t.outcome)`,
    columns: (db) => db`
      t.raw_item_id::text as id, t.source_id, t.item_id, null::text as detail, t.staged_at as at,
      coalesce((select r.item->>'url' from raw_items r where r.id = t.raw_item_id),
        (select p.url from raw_items r join pages p on p.id = r.page_id where r.id = t.raw_item_id)) as url,
      (select r.item->>'title' from raw_items r where r.id = t.raw_item_id) as title`,
    newestFirst: (db) => db`t.raw_item_id desc`,
  },
  {
    stage: 'published',
    from: (db, { from, to, sourceIds }) => db`
      deliveries t where t.created_at >= ${from} and t.created_at < ${to} and t.status = 'failed'
        ${ofSources(db, sourceIds)}`,
    reason: (db) => db`'delivery_failed'`,
    columns: (db) => db`
      t.id::text, t.source_id, t.item_id, t.last_error as detail, t.created_at as at, t.stage_url as url,
      coalesce((select a.title from articles a where a.id = t.item_id),
        (select c.title from calendar_events c where c.id = t.item_id)) as title`,
    newestFirst: (db) => db`t.id desc`,
  },
]

/** How much was dropped, by stage and reason. */
export async function readDrops(
  db: Db,
  query: DropQuery,
): Promise<Map<StageName, Record<string, number>>> {
  const drops = new Map<StageName, Record<string, number>>()
  await Promise.all(
    tables.map(async (table) => {
      const counts = await db<{ reason: string; n: number }[]>`
        select ${table.reason(db)} as reason, count(*)::float8 as n from ${table.from(db, query)} group by 1`
      drops.set(table.stage, Object.fromEntries(counts.map(({ reason, n }) => [reason, n])))
    }),
  )
  return drops
}

/** What one of these numbers counts, newest first. */
export async function listDropped(
  db: Db,
  drop: { stage: StageName; reason: string },
  query: DropQuery,
  page: { limit: number; offset: number },
): Promise<{ dropped: Dropped[]; total: number }> {
  const table = tables.find(({ stage }) => stage === drop.stage)
  if (table === undefined) return { dropped: [], total: 0 }
  const wanted = db`${table.from(db, query)} and ${table.reason(db)} = ${drop.reason}`
  const [dropped, counted] = await Promise.all([
    db<Dropped[]>`
      select ${table.columns(db)} from ${wanted}
      order by ${table.newestFirst(db)} limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from ${wanted}`,
  ])
  return { dropped, total: counted[0]?.total ?? 0 }
}

function ofSources(db: Db, sourceIds: string[] | null) {
  return sourceIds === null ? db`` : db`and t.source_id = any(${sourceIds}::uuid[])`
}

/** Usual places of feeds and agendas that a site does not have. Nobody linked to them, so nothing was dropped. */
export async function countMissedGuesses(
  db: Db,
  { from, to, sourceIds }: DropQuery,
): Promise<number> {
  const [row] = await db<{ n: number }[]>`
    select count(*)::float8 as n from pages t
    where t.fetched_at >= ${from} and t.fetched_at < ${to} and ${missedGuess(db)} ${ofSources(db, sourceIds)}`
  return row?.n ?? 0
}

/** As the counters of a run tell them apart. */
function missedGuess(db: Db) {
  return db`(t.outcome = 'failed' and t.reason in ('gone', 'http_4xx')
    and exists (select from frontier f where f.id = t.frontier_id and f.origin = 'alternative'))`
}

/** Our own source ids behind the numbers of stage sources. */
export async function ownSourceIds(db: Db, numbers: number[] | null): Promise<string[] | null> {
  if (numbers === null) return null
  const rows = await db<{ key: string }[]>`
    select key from stage_sources
    where id = any(${numbers}::integer[]) and key ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'`
  return rows.map((row) => row.key)
}
