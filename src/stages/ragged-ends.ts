import type { Tx } from '../db/pool.ts'
import { hourMs, never } from './kinds.ts'
import type { Cut } from './range.ts'

export interface EndCounts {
  stage: number
  n: number
  reclassified: number
}

const nowhere = { from: new Date(0), to: new Date(0) }

/** Events of a range outside its whole hours. */
export async function countEnds(
  tx: Tx,
  cut: Cut,
  sourceIds: number[] | null,
): Promise<EndCounts[]> {
  if (cut.ends.length === 0) return []
  const [head = nowhere, tail = nowhere] = cut.ends
  return await tx<EndCounts[]>`
    select stage::int, count(*)::float8 as n, (count(*) filter (where reclassification))::float8 as reclassified
    from (
      select stage, reclassification, source_id from stage_events
      where occurred_at >= ${head.from} and occurred_at < ${head.to}
      union all
      select stage, reclassification, source_id from stage_events
      where occurred_at >= ${tail.from} and occurred_at < ${tail.to}
    ) e
    where ${sourceIds}::integer[] is null or source_id = any(${sourceIds}::integer[])
    group by stage`
}

/**
 * Articles of the ragged ends that the whole hours do not hold yet, per lane. The article's last hour decides for
 * nearly all; only one seen after the whole hours has to be looked up among the rows. Lanes are bits, so that each
 * article's marks are read once and not once per lane.
 */
export async function countNewInEnds(
  tx: Tx,
  cut: Cut,
  sourceIds: number[] | null,
): Promise<Map<number, number>> {
  if (cut.ends.length === 0) return new Map()
  const [head = nowhere, tail = nowhere] = cut.ends
  const hasWholeHours = cut.endHour > cut.firstHour
  const firstHour = hasWholeHours ? cut.firstHour : never
  const endHour = hasWholeHours ? cut.endHour : never
  const wholeFrom = new Date(cut.firstHour * hourMs)
  const wholeTo = endHour === never ? wholeFrom : new Date(endHour * hourMs)
  const rows = await tx<{ lane: number; n: number }[]>`
    with seen as (
      select article_id,
        bit_or(case when stage = 3 and not reclassification then 72 else 1 << stage::int end) as lanes
      from (
        select article_id, stage, reclassification, source_id from stage_events
        where occurred_at >= ${head.from} and occurred_at < ${head.to}
        union all
        select article_id, stage, reclassification, source_id from stage_events
        where occurred_at >= ${tail.from} and occurred_at < ${tail.to}
      ) e
      where ${sourceIds}::integer[] is null or source_id = any(${sourceIds}::integer[])
      group by article_id
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
    select v.lane, v.n::float8
    from before cross join lateral (values (1, crawled), (2, indexed), (3, classified), (4, routed), (5, published),
      (6, initial)) as v (lane, n)
    union all
    select lane, count(*)::float8
    from later l
    where not exists (
      select from stage_events x
      where x.article_id = l.article_id and x.stage = case l.lane when 6 then 3 else l.lane end
        and (l.lane <> 6 or not x.reclassification)
        and x.occurred_at >= ${wholeFrom} and x.occurred_at < ${wholeTo})
    group by lane`
  const news = new Map<number, number>()
  for (const { lane, n } of rows) news.set(lane, (news.get(lane) ?? 0) + n)
  return news
}
