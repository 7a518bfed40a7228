import type { Tx } from '../db/pool.ts'
import type { TraceStep } from './waterfall.ts'
import type { RawItem } from './types.ts'

export interface NewRawItem {
  page_id: string
  /** Hex, of the item's own page when it has one. */
  url_hash: string | null
  item: RawItem
}

export const rawItemsChannel = 'millrace_raw_items'

/** Hands extracted items to refinement, in the transaction of the crawl that found them. */
export async function insertRawItems(
  tx: Tx,
  sourceId: string,
  runId: string | null,
  items: readonly NewRawItem[],
): Promise<void> {
  if (items.length === 0) return
  await tx`
    insert into raw_items (source_id, run_id, page_id, url_hash, kind, strategy, item)
    select ${sourceId}, ${runId}, page_id, decode(url_hash, 'hex'), item->>'kind', item->>'strategy', item
    from jsonb_to_recordset(${tx.json(items as never)}) as i(page_id bigint, url_hash text, item jsonb)`
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
  sourceId: string,
  runId: string,
  insights: readonly Insight[],
): Promise<void> {
  if (insights.length === 0) return
  await tx`
    insert into scraper_insights (source_id, run_id, page_id, winning_strategy, strategy_trace, items_found, execution_time_ms, says_empty, fields)
    select ${sourceId}, ${runId}, page_id, winning_strategy, strategy_trace, items_found, execution_time_ms, says_empty, fields
    from jsonb_to_recordset(${tx.json(insights as never)}) as i(
      page_id bigint, winning_strategy text, strategy_trace jsonb, items_found int, execution_time_ms int,
      says_empty boolean, fields jsonb)`
}
