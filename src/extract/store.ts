import type { Db, Tx } from '../db/pool.ts'
import type { TraceStep } from './waterfall.ts'
import type { RawItem, StrategyName } from './types.ts'

export interface NewRawItem {
  source_id: string
  run_id: string | null
  page_id: string
  /** Hex, of the item's own page when it has one. */
  url_hash: string | null
  item: RawItem
}

export const rawItemsChannel = 'millrace_raw_items'

/**
 * Hands extracted items to refinement, in the transaction of the crawl that found them. Kind and strategy stand beside the
 * item: taken out of it by the database they cost a sixth of the whole statement on articles.
 */
export async function insertRawItems(
  tx: Tx,
  items: readonly NewRawItem[],
  foundAt: Date = new Date(),
): Promise<void> {
  if (items.length === 0) return
  const rows = items.map((row) => ({ ...row, kind: row.item.kind, strategy: row.item.strategy }))
  await tx`
    insert into raw_items (source_id, run_id, page_id, url_hash, kind, strategy, item, created_at)
    select source_id, run_id, page_id, decode(url_hash, 'hex'), kind, strategy, item, ${foundAt}
    from jsonb_to_recordset(${tx.json(rows as never)}) as i(
      source_id uuid, run_id uuid, page_id bigint, url_hash text, kind text, strategy text, item jsonb)`
  await tx`select pg_notify(${rawItemsChannel}, '')`
}

export interface Insight {
  page_id: string
  winning_strategy: string | null
  strategy_trace: TraceStep[]
  items_found: number
  execution_time_ms: number
  says_empty: boolean
  /** By field name: how many of the items have it. */
  fields: Record<string, number>
}

export async function insertInsights(
  tx: Tx,
  insights: readonly (Insight & { source_id: string; run_id: string })[],
): Promise<void> {
  if (insights.length === 0) return
  await tx`
    insert into scraper_insights (source_id, run_id, page_id, winning_strategy, strategy_trace, items_found, execution_time_ms, says_empty, fields)
    select source_id, run_id, page_id, winning_strategy, strategy_trace, items_found, execution_time_ms, says_empty, fields
    from jsonb_to_recordset(${tx.json(insights as never)}) as i(
      source_id uuid, run_id uuid, page_id bigint, winning_strategy text, strategy_trace jsonb, items_found int, execution_time_ms int,
      says_empty boolean, fields jsonb)`
}

export interface Learning {
  hydration_path: string | null
  hydration_path_version: number
  winning_strategy: StrategyName | null
  wins_in_a_row: number
  learned_method: StrategyName | null
  /** The way of fetching that works, since when, and when cheaper ones are tried again. */
  tier: string
  tier_since: Date | null
  tier_retry_at: Date | null
}

export async function readLearning(db: Db, sourceId: string): Promise<Learning | null> {
  const [row] = await db<Learning[]>`
    select hydration_path, hydration_path_version, winning_strategy, wins_in_a_row, learned_method,
      tier, tier_since, tier_retry_at
    from source_learning where source_id = ${sourceId}`
  return row === undefined ? null : { ...row }
}

/** The last traces of a source, newest first. */
export async function recentInsights(
  db: Db,
  sourceId: string,
  limit: number,
): Promise<
  (Insight & { id: string; run_id: string | null; url: string | null; created_at: string })[]
> {
  const rows = await db<
    (Insight & { id: string; run_id: string | null; url: string | null; created_at: Date })[]
  >`
    select i.id, i.run_id, i.page_id, p.url, i.winning_strategy, i.strategy_trace, i.items_found,
      i.execution_time_ms, i.says_empty, i.fields, i.created_at
    from scraper_insights i left join pages p on p.id = i.page_id
    where i.source_id = ${sourceId} order by i.id desc limit ${limit}`
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

export interface RunYield {
  run_id: string
  at: string
  items: number
  pages: number
  /** Items by the strategy that found them. */
  strategies: Record<string, number>
}

const traceWindow = 5000

/** What the last runs that saw something new found, oldest first. */
export async function yieldsByRun(db: Db, sourceId: string, runs: number): Promise<RunYield[]> {
  const rows = await db<(Omit<RunYield, 'at'> & { at: Date })[]>`
    with recent as (
      select run_id, winning_strategy, items_found, created_at from scraper_insights
      where source_id = ${sourceId} and run_id is not null order by id desc limit ${traceWindow}
    ), by_strategy as (
      select run_id, coalesce(winning_strategy, 'none') as strategy, count(*) as pages,
        sum(items_found) as items, min(created_at) as at
      from recent group by 1, 2
    )
    select run_id, min(at) as at, sum(items)::int as items, sum(pages)::int as pages,
      coalesce(jsonb_object_agg(strategy, items) filter (where items > 0), '{}') as strategies
    from by_strategy group by run_id order by min(at) desc limit ${runs}`
  return rows.map((row) => ({ ...row, at: row.at.toISOString() })).reverse()
}
