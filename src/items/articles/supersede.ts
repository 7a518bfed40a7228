import type { Tx } from '../../db/pool.ts'
import { insertChanges } from '../changes.ts'
import { leaveClusters } from '../dedup/clusters.ts'

/**
 * A list may name a page before the page is read, so that it is first kept as an article without a date. Once an event
 * has that address, the page was the event's all along, and the article goes.
 */
export async function supersedeArticles(
  tx: Tx,
  events: readonly { sourceId: string; urlHash: string; runId: string | null }[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return
  const gone = await tx<{ id: string; sourceId: string; runId: string | null }[]>`
    delete from articles a
    using (select distinct on (s, u) s, decode(u, 'hex') as u, r
      from unnest(${events.map((event) => event.sourceId)}::uuid[], ${events.map((event) => event.urlHash)}::text[],
        ${events.map((event) => event.runId)}::uuid[]) as e(s, u, r)) e
    where a.source_id = e.s and a.url_hash = e.u and a.published_at is null
    returning a.id, a.source_id as "sourceId", e.r as "runId"`
  if (gone.length === 0) return
  const ids = gone.map((article) => article.id)
  await leaveClusters(tx, ids, now)
  await tx`delete from dedup_keys where item_id = any(${ids}::uuid[])`
  await tx`delete from dedup_queue where item_id = any(${ids}::uuid[])`
  await insertChanges(
    tx,
    gone.map(({ id, sourceId, runId }) => ({
      kind: 'article',
      item_id: id,
      source_id: sourceId,
      run_id: runId,
      change: 'vanished',
      fields: {},
    })),
    now,
  )
}
