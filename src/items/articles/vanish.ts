import type { Tx } from '../../db/pool.ts'
import { insertChanges } from '../changes.ts'
import { pickCanonical } from '../dedup/clusters.ts'

export interface ArticleSweep {
  sourceId: string
  runId: string
  now: Date
  /** Healthy runs that must have found the page gone. */
  afterRuns: number
}

/**
 * After a healthy run: an article whose own page is not there any more (404) was missed, and vanished when enough runs
 * missed it. A site that says so itself (410) is believed at once. Pages that were not visited prove nothing, and an
 * article that a list or feed of this run still tells is not missed. When its page is back, so is the article.
 */
export async function sweepArticles(tx: Tx, options: ArticleSweep): Promise<number> {
  const { sourceId, runId, now, afterRuns } = options
  const moved = await tx<{ id: string; status: 'active' | 'vanished' | null }[]>`
    with visited as (
      select distinct on (f.id) f.id, f.url_hash, p.outcome, p.status from pages p join frontier f on f.id = p.frontier_id
      where p.run_id = ${runId} and f.source_id = ${sourceId}
        and (p.outcome = 'unchanged' or (p.outcome = 'failed' and p.status in (404, 410)))
      order by f.id, p.id desc),
    -- News that has another address than the page it was read from, and no page there that we visit.
    elsewhere as (
      select distinct on (s.item_id) s.item_id, v.outcome, v.status from visited v
      join pages p on p.frontier_id = v.id and p.outcome = 'fetched'
      join raw_items r on r.page_id = p.id and r.kind = 'article' and r.strategy = 'article'
      join staged_items s on s.raw_item_id = r.id and s.item_id is not null
      where (v.outcome = 'failed' or exists (
          select from pages lost where lost.frontier_id = v.id and lost.outcome = 'failed' and lost.status in (404, 410)))
        and not exists (
          select from articles a join frontier own on own.source_id = a.source_id and own.url_hash = a.url_hash where a.id = s.item_id)
      order by s.item_id, v.id),
    seen as (
      select a.id, v.outcome, v.status from visited v join articles a on a.source_id = ${sourceId} and a.url_hash = v.url_hash
      union
      select item_id, outcome, status from elsewhere),
    judged as (
      select a.id, a.status as before, case when v.outcome = 'unchanged' then 0 else a.missed_runs + 1 end as missed,
        case when v.outcome = 'unchanged' then 'active' when v.status = 410 or a.missed_runs + 1 >= ${afterRuns} then 'vanished'
          else a.status end as after
      from seen v join articles a on a.id = v.id and a.source_id = ${sourceId}
      where (v.outcome = 'unchanged' and (a.missed_runs > 0 or a.status = 'vanished'))
        or (v.outcome = 'failed' and a.status = 'active' and a.run_id is distinct from ${runId}::uuid)
      for update of a)
    update articles a set status = j.after, missed_runs = j.missed,
      updated_at = case when j.after = j.before then a.updated_at else ${now}::timestamptz end
    from judged j where a.id = j.id
    returning a.id, case when j.after <> j.before then j.after end as status`
  const changed = moved.filter((row) => row.status !== null)
  await insertChanges(
    tx,
    changed.map(({ id, status }) => ({
      kind: 'article',
      item_id: id,
      source_id: sourceId,
      run_id: runId,
      change: status === 'vanished' ? 'vanished' : 'restored',
      fields: { status: status === 'vanished' ? ['active', status] : ['vanished', status] },
    })),
    now,
  )
  await pickOthers(
    tx,
    changed.map((row) => row.id),
  )
  return changed.length
}

/** A cluster is not shown by a page that is gone. */
async function pickOthers(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const clusters = await tx<{ id: string }[]>`
    select distinct cluster_id as id from cluster_members where item_id = any(${[...ids]}::uuid[])`
  await pickCanonical(
    tx,
    'article',
    clusters.map((cluster) => cluster.id),
  )
}
