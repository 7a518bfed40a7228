import { numberArray, textArray } from '../db/arrays.ts'
import type { Tx } from '../db/pool.ts'
import type { Outcome } from './types.ts'

export interface StagedItem {
  raw_item_id: string
  source_id: string
  run_id: string | null
  kind: string
  item_id: string | null
  outcome: Outcome
}

/** Notes where each raw item ended; retried ones end anew. */
export async function stageItems(tx: Tx, items: readonly StagedItem[], now: Date): Promise<void> {
  if (items.length === 0) return
  await tx`
    insert into staged_items (raw_item_id, source_id, run_id, kind, item_id, outcome, staged_at)
    select raw_item_id, source_id, run_id, kind, item_id, outcome, ${now}
    from unnest(${numberArray(items.map((item) => item.raw_item_id))}::bigint[],
      ${textArray(items.map((item) => item.source_id))}::uuid[], ${textArray(items.map((item) => item.run_id))}::uuid[],
      ${textArray(items.map((item) => item.kind))}::text[], ${textArray(items.map((item) => item.item_id))}::uuid[],
      ${textArray(items.map((item) => item.outcome))}::text[])
      as s(raw_item_id, source_id, run_id, kind, item_id, outcome)
    on conflict (raw_item_id) do update set item_id = excluded.item_id, outcome = excluded.outcome, staged_at = excluded.staged_at`
}
