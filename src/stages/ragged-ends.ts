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
 * nearly all; only one seen after the whole hours has to be looked up among the rows.
 */
export async function countNewInEnds(
  tx: Tx,
  cut: Cut,
  sourceIds: number[] | null,
): Promise<Map<number, number>> {
  if (cut.ends.length === 0) return new Map()
  const [head = nowhere, tail = nowhere] = cut.ends
  const { firstHour, endHour } = cut
  const wholeFrom = new Date(firstHour * hourMs)
  const wholeTo = endHour === never ? wholeFrom : new Date(endHour * hourMs)
  const rows = await tx<{ lane: number; n: number }[]>`
    with ends as (
      select distinct v.lane, e.stage, e.article_id
      from (
        select stage, reclassification, source_id, article_id from stage_events
        where occurred_at >= ${head.from} and occurred_at < ${head.to}
        union all
        select stage, reclassification, source_id, article_id from stage_events
        where occurred_at >= ${tail.from} and occurred_at < ${tail.to}
      ) e
      cross join lateral (values (e.stage), (case when e.stage = 3 and not e.reclassification then 6::smallint end)) v (lane)
      where v.lane is not null
        and (${sourceIds}::integer[] is null or e.source_id = any(${sourceIds}::integer[]))
    ), lasts as (
      select ends.*, case lane when 1 then m.last_crawled when 2 then m.last_indexed when 3 then m.last_classified
        when 4 then m.last_routed when 5 then m.last_published else m.last_initial end as last
      from ends cross join lateral (
        select * from stage_marks where article_id = ends.article_id offset 0) m
    )
    select lane::int, count(*)::float8 as n
    from lasts l
    where l.last < ${firstHour} or (l.last >= ${endHour} and not exists (
      select from stage_events x
      where x.article_id = l.article_id and x.stage = l.stage and (l.lane <> 6 or not x.reclassification)
        and x.occurred_at >= ${wholeFrom} and x.occurred_at < ${wholeTo}))
    group by lane`
  return new Map(rows.map((row) => [row.lane, row.n]))
}
