import type { Tx } from '../db/pool.ts'
import { hourMs, kinds, never } from './kinds.ts'
import type { Cut } from './range.ts'

export interface EndCounts {
  /** Events by stage, and the reclassifications among them by their own kind. */
  events: Map<number, number>
  /** By lane: articles that the whole hours do not hold yet. */
  newArticles: Map<number, number>
}

const nowhere = { from: new Date(0), to: new Date(0) }

/**
 * What lies in a range outside its whole hours, from the rows. An article's last hour decides for nearly all whether
 * the whole hours hold it; only one seen after them has to be looked up among the rows. Lanes are bits, so that each
 * article's marks are read once and not once per lane.
 */
export async function countEnds(tx: Tx, cut: Cut, sourceIds: number[] | null): Promise<EndCounts> {
  const counts: EndCounts = { events: new Map(), newArticles: new Map() }
  if (cut.ends.length === 0) return counts
  const [head = nowhere, tail = nowhere] = cut.ends
  const hasWholeHours = cut.endHour > cut.firstHour
  const firstHour = hasWholeHours ? cut.firstHour : never
  const endHour = hasWholeHours ? cut.endHour : never
  const wholeFrom = new Date(cut.firstHour * hourMs)
  const wholeTo = endHour === never ? wholeFrom : new Date(endHour * hourMs)
  const ofSources = sourceIds === null ? tx`` : tx`and source_id = any(${sourceIds}::integer[])`
  const rows = await tx<{ what: 'stage' | 'lane'; key: number; n: number }[]>`
    with happened as materialized (
      select article_id, stage, reclassification from stage_events
      where occurred_at >= ${head.from} and occurred_at < ${head.to} ${ofSources}
      union all
      select article_id, stage, reclassification from stage_events
      where occurred_at >= ${tail.from} and occurred_at < ${tail.to} ${ofSources}
    ), seen as (
      select article_id,
        bit_or(case when stage = 3 and not reclassification then 72 else 1 << stage::int end) as lanes
      from happened group by article_id
    ), marked as materialized (
      select seen.lanes, m.*
      from seen cross join lateral (select * from stage_marks where article_id = seen.article_id offset 0) m
    ), before as (
      select count(*) filter (where lanes & 2 <> 0 and last_crawled < ${firstHour}) as crawled,
        count(*) filter (where lanes & 4 <> 0 and last_indexed < ${firstHour}) as indexed,
        count(*) filter (where lanes & 8 <> 0 and last_classified < ${firstHour}) as classified,
        count(*) filter (where lanes & 16 <> 0 and last_routed < ${firstHour}) as routed,
        count(*) filter (where lanes & 32 <> 0 and last_published < ${firstHour}) as published,
        count(*) filter (where lanes & 64 <> 0 and last_initial < ${firstHour}) as initial
      from marked
    ), later as (
      select m.article_id, v.lane
      from marked m
      cross join lateral (values (1, last_crawled), (2, last_indexed), (3, last_classified), (4, last_routed),
        (5, last_published), (6, last_initial)) as v (lane, last)
      where m.lanes & (1 << v.lane) <> 0 and v.last >= ${endHour}
    )
    select 'stage' as what, stage::int as key, count(*)::float8 as n from happened group by stage
    union all
    select 'stage', ${kinds.reclassified}::int, count(*)::float8 from happened where reclassification
    union all
    select 'lane', v.lane, v.n::float8
    from before cross join lateral (values (1, crawled), (2, indexed), (3, classified), (4, routed), (5, published),
      (6, initial)) as v (lane, n)
    union all
    select 'lane', lane, count(*)::float8
    from later l
    where not exists (
      select from stage_events x
      where x.article_id = l.article_id and x.stage = case l.lane when 6 then 3 else l.lane end
        and (l.lane <> 6 or not x.reclassification)
        and x.occurred_at >= ${wholeFrom} and x.occurred_at < ${wholeTo})
    group by lane`
  for (const { what, key, n } of rows) {
    const counted = what === 'stage' ? counts.events : counts.newArticles
    counted.set(key, (counted.get(key) ?? 0) + n)
  }
  return counts
}
