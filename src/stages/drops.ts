import type { Db } from '../db/pool.ts'
import type { StageName } from './kinds.ts'

export interface Drop {
  /** The stage that was reached, but not passed. */
  stage: StageName
  reason: string
  n: number
}

export interface DropQuery {
  from: Date
  to: Date
  /** Ids of our own sources; null: all. */
  sourceIds: string[] | null
}

/** Tells what was dropped on the way to a stage, from the tables of the work itself. */
export interface DropSource {
  read(db: Db, query: DropQuery): Promise<Drop[]>
}

/** Where other capabilities add what they drop. */
export const dropSources: DropSource[] = [
  {
    read: async (db, { from, to, sourceIds }) =>
      await db<Drop[]>`
      select 'crawled' as stage, coalesce(p.reason, p.outcome) as reason, count(*)::float8 as n
      from pages p
      where p.fetched_at >= ${from} and p.fetched_at < ${to} and p.outcome <> 'fetched' and not ${missedGuess(db)}
        ${sourceIds === null ? db`` : db`and p.source_id = any(${sourceIds}::uuid[])`}
      group by 2`,
  },
  {
    read: async (db, { from, to, sourceIds }) =>
      await db<Drop[]>`
      select 'indexed' as stage, coalesce(reason, outcome) as reason, count(*)::float8 as n
      from staged_items
      where staged_at >= ${from} and staged_at < ${to} and outcome in ('unchanged', 'failed')
        ${sourceIds === null ? db`` : db`and source_id = any(${sourceIds}::uuid[])`}
      group by 2`,
  },
  {
    read: async (db, { from, to, sourceIds }) =>
      await db<Drop[]>`
      select 'published' as stage, 'delivery_failed' as reason, count(*)::float8 as n
      from deliveries
      where created_at >= ${from} and created_at < ${to} and status = 'failed'
        ${sourceIds === null ? db`` : db`and source_id = any(${sourceIds}::uuid[])`}
      having count(*) > 0`,
  },
]

export async function readDrops(
  db: Db,
  query: DropQuery,
): Promise<Map<StageName, Record<string, number>>> {
  const drops = new Map<StageName, Record<string, number>>()
  const answers = await Promise.all(dropSources.map((source) => source.read(db, query)))
  for (const { stage, reason, n } of answers.flat()) {
    const reasons = drops.get(stage) ?? {}
    reasons[reason] = (reasons[reason] ?? 0) + n
    drops.set(stage, reasons)
  }
  return drops
}

/** Usual places of feeds and agendas that a site does not have. Nobody linked to them, so nothing was dropped. */
export async function countMissedGuesses(
  db: Db,
  { from, to, sourceIds }: DropQuery,
): Promise<number> {
  const [row] = await db<{ n: number }[]>`
    select count(*)::float8 as n from pages p
    where p.fetched_at >= ${from} and p.fetched_at < ${to} and ${missedGuess(db)}
      ${sourceIds === null ? db`` : db`and p.source_id = any(${sourceIds}::uuid[])`}`
  return row?.n ?? 0
}

/** As the counters of a run tell them apart. */
function missedGuess(db: Db) {
  return db`(p.outcome = 'failed' and p.reason in ('gone', 'http_4xx')
    and exists (select from frontier f where f.id = p.frontier_id and f.origin = 'alternative'))`
}

/** Our own source ids behind the numbers of stage sources. */
export async function ownSourceIds(db: Db, numbers: number[] | null): Promise<string[] | null> {
  if (numbers === null) return null
  const rows = await db<{ key: string }[]>`
    select key from stage_sources
    where id = any(${numbers}::integer[]) and key ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'`
  return rows.map((row) => row.key)
}
