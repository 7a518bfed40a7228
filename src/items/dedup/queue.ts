import { textArray } from '../../db/arrays.ts'
import type { Tx } from '../../db/pool.ts'
import type { ItemKind } from '../types.ts'

export const dedupChannel = 'millrace_dedup'

/** Items whose cluster has to be looked for, now that their text, time or place is new. */
export async function enqueueDedup(
  tx: Tx,
  kind: ItemKind,
  items: readonly { itemId: string; sourceId: string }[],
): Promise<void> {
  if (items.length === 0) return
  await tx`
    insert into dedup_queue (item_id, kind, source_id)
    select i, ${kind}, s
    from unnest(${textArray(items.map((item) => item.itemId))}::uuid[],
      ${textArray(items.map((item) => item.sourceId))}::uuid[]) as q(i, s)
    on conflict (item_id) do nothing`
  await tx`select pg_notify(${dedupChannel}, '')`
}
