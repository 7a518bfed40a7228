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
  /** Tables it reads; while one is missing, it is left out. */
  tables: readonly string[]
  read(db: Db, query: DropQuery): Promise<Drop[]>
}

/** Where other capabilities add what they drop. */
export const dropSources: DropSource[] = [
  {
    tables: ['pages'],
    read: async (db, { from, to, sourceIds }) =>
      await db<Drop[]>`
      select 'crawled' as stage, coalesce(reason, outcome) as reason, count(*)::float8 as n
      from pages
      where fetched_at >= ${from} and fetched_at < ${to} and outcome <> 'fetched'
        ${sourceIds === null ? db`` : db`and source_id = any(${sourceIds}::uuid[])`}
      group by 2`,
  },
  {
    tables: ['staged_items'],
    read: async (db, { from, to, sourceIds }) =>
      await db<Drop[]>`
      select 'indexed' as stage, coalesce(reason, outcome) as reason, count(*)::float8 as n
      from staged_items
      where staged_at >= ${from} and staged_at < ${to} and outcome in ('unchanged', 'failed')
        ${sourceIds === null ? db`` : db`and source_id = any(${sourceIds}::uuid[])`}
      group by 2`,
  },
]

export async function readDrops(
  db: Db,
  query: DropQuery,
): Promise<Map<StageName, Record<string, number>>> {
  const drops = new Map<StageName, Record<string, number>>()
  for (const source of dropSources) {
    if (!(await tablesExist(db, source.tables))) continue
    for (const { stage, reason, n } of await source.read(db, query)) {
      const reasons = drops.get(stage) ?? {}
      reasons[reason] = (reasons[reason] ?? 0) + n
      drops.set(stage, reasons)
    }
  }
  return drops
}

export async function tablesExist(db: Db, tables: readonly string[]): Promise<boolean> {
  const [row] = await db<{ all: boolean }[]>`
    select bool_and(to_regclass(name) is not null) as all from unnest(${[...tables]}::text[]) as name`
  return row?.all ?? true
}

/** Our own source ids behind the numbers of stage sources. */
export async function ownSourceIds(db: Db, numbers: number[] | null): Promise<string[] | null> {
  if (numbers === null) return null
  const rows = await db<{ key: string }[]>`
    select key from stage_sources
    where id = any(${numbers}::integer[]) and key ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'`
  return rows.map((row) => row.key)
}
