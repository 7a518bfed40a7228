import type { Kept } from '../../items/types.ts'
import type { Normalized, SourceContext } from '../../normalize/types.ts'
import { itemAddress, type StageEvent } from '../../stages/record.ts'
import type { RawRow } from './claim-raw.ts'

/** "indexed" of every item that was kept or changed; an item without an address of its own gets one below its page's. */
export function indexedEvents(
  read: readonly { row: RawRow; source: SourceContext; result: Normalized }[],
  kept: readonly Kept[],
  now: Date,
): StageEvent[] {
  const outcomes = new Map(kept.map((one) => [one.rawItemId, one]))
  return read.flatMap(({ row, source, result }): StageEvent[] => {
    const one = outcomes.get(row.id)
    if (!result.ok || one === undefined || (one.outcome !== 'created' && one.outcome !== 'updated'))
      return []
    const url = result.item.url ?? row.pageUrl
    if (url === null) return []
    return [
      {
        url: row.item.url === null || row.urlShared ? itemAddress(url, one.itemId) : url,
        source: { id: source.id, name: source.name },
        stage: 'indexed',
        occurredAt: now,
        serviceName: 'millrace',
        // Two raw items of a batch may be the same item: each was kept or changed something.
        idempotencyKey: `indexed:${row.id}`,
        metadata: { kind: row.kind, item_id: one.itemId, outcome: one.outcome },
      },
    ]
  })
}
