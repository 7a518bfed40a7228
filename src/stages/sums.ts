import type { Db, Tx } from '../db/pool.ts'
import { kinds, never } from './kinds.ts'
import type { Cut } from './range.ts'

export interface TallySum {
  kind: number
  source_id: number
  model: number
  value: number
  n: number
}

/** Everything counted in the whole hours of a range, by days where it can. */
export async function sumTallies(
  tx: Tx,
  cut: Cut,
  filter: { kinds: number[]; sourceIds: number[] },
): Promise<TallySum[]> {
  const { firstHour, endHour } = cut
  const { firstDay, endDay } = wholeDays(cut)
  return await tx<TallySum[]>`
    select kind::int, source_id, model, value, sum(n)::float8 as n
    from (
      select kind, source_id, model, value, n from stage_tally_days
      where kind = any(${filter.kinds}::smallint[]) and source_id = any(${filter.sourceIds}::integer[])
        and day >= ${firstDay} and day < ${endDay}
      union all
      select kind, source_id, model, value, n from stage_tally_hours
      where kind = any(${filter.kinds}::smallint[]) and source_id = any(${filter.sourceIds}::integer[])
        and hour >= ${firstHour} and hour < ${Math.min(endHour, firstDay * 24)}
      union all
      select kind, source_id, model, value, n from stage_tally_hours
      where kind = any(${filter.kinds}::smallint[]) and source_id = any(${filter.sourceIds}::integer[])
        and hour >= ${Math.min(never, endDay * 24)} and hour < ${endHour}
      union all
      select kind, source_id, model, value, n from ${tallyChanges(tx, filter.sourceIds)}
      where kind = any(${filter.kinds}::smallint[]) and source_id = any(${filter.sourceIds}::integer[])
        and hour >= ${firstHour} and hour < ${endHour}
    ) parts
    group by kind, source_id, model, value
    having sum(n) <> 0`
}

/** Events per stage of all times. */
export async function countEverything(db: Db): Promise<Map<number, number>> {
  const rows = await db<{ kind: number; n: number }[]>`
    select kind::int, sum(n)::float8 as n
    from (
      select kind, n from stage_tally_days where source_id = 0 and kind between 1 and 5
      union all
      select kind, n from stage_tally_deltas where source_id = 0 and kind between 1 and 5
    ) parts
    group by kind`
  return new Map(rows.map((row) => [row.kind, row.n]))
}

/** Crawled events by source. The list of sources leads the index to their hours; a mere range reads all hours of all. */
export async function sumBySource(
  tx: Tx,
  cut: Cut,
  sourceIds: number[] | null,
): Promise<{ source_id: number; n: number }[]> {
  const { firstHour, endHour } = cut
  const { firstDay, endDay } = wholeDays(cut)
  return await tx<{ source_id: number; n: number }[]>`
    with wanted as materialized (
      select coalesce(${sourceIds}::integer[], array(select id from stage_sources)) as ids
    )
    select source_id, sum(n)::float8 as n
    from (
      select source_id, n from stage_tally_days
      where kind = ${kinds.crawled} and source_id = any((select ids from wanted)::integer[])
        and day >= ${firstDay} and day < ${endDay}
      union all
      select source_id, n from stage_tally_hours
      where kind = ${kinds.crawled} and source_id = any((select ids from wanted)::integer[])
        and hour >= ${firstHour} and hour < ${Math.min(endHour, firstDay * 24)}
      union all
      select source_id, n from stage_tally_hours
      where kind = ${kinds.crawled} and source_id = any((select ids from wanted)::integer[])
        and hour >= ${Math.min(never, endDay * 24)} and hour < ${endHour}
      union all
      select source_id, n from stage_tally_changes
      where kind = ${kinds.crawled} and source_id = any((select ids from wanted)::integer[])
        and hour >= ${firstHour} and hour < ${endHour}
    ) parts
    group by source_id`
}

/** Distinct articles per lane in the whole hours of a range. */
export async function sumPairs(
  tx: Tx,
  cut: Cut,
  sourceIds: number[],
): Promise<Map<number, number>> {
  const rows =
    cut.endHour === never
      ? await openPairs(tx, cut.firstHour, sourceIds)
      : await closedPairs(tx, cut.firstHour, cut.endHour, sourceIds)
  return new Map(rows.map((row) => [row.lane, row.n]))
}

/** Up to now, only articles "not seen since" count: few rows, in an index of their own. */
async function openPairs(
  tx: Tx,
  firstHour: number,
  sourceIds: number[],
): Promise<{ lane: number; n: number }[]> {
  return await tx<{ lane: number; n: number }[]>`
    select lane::int, sum(n)::float8 as n
    from (
      select lane, n from stage_pairs
      where source_id = any(${sourceIds}::integer[]) and hour >= ${firstHour} and next_hour = 2147483647
      union all
      select lane, n from ${pairChanges(tx, sourceIds)}
      where source_id = any(${sourceIds}::integer[]) and hour >= ${firstHour} and next_hour = 2147483647
    ) parts
    group by lane`
}

async function closedPairs(
  tx: Tx,
  firstHour: number,
  endHour: number,
  sourceIds: number[],
): Promise<{ lane: number; n: number }[]> {
  return await tx<{ lane: number; n: number }[]>`
    select lane::int, sum(n)::float8 as n
    from (
      select lane, n from stage_pairs
      where source_id = any(${sourceIds}::integer[])
        and hour >= ${firstHour} and hour < ${endHour} and next_hour >= ${endHour}
      union all
      select lane, n from ${pairChanges(tx, sourceIds)}
      where source_id = any(${sourceIds}::integer[])
        and hour >= ${firstHour} and hour < ${endHour} and next_hour >= ${endHour}
    ) parts
    group by lane`
}

/** Where changes to the sums wait to be folded: those of all sources together stand by themselves and are few. */
export function tallyChanges(tx: Tx, sourceIds: number[]) {
  return areOfAll(sourceIds) ? tx`stage_tally_deltas` : tx`stage_tally_changes`
}

export function pairChanges(tx: Tx, sourceIds: number[]) {
  return areOfAll(sourceIds) ? tx`stage_pair_deltas` : tx`stage_pair_changes`
}

function areOfAll(sourceIds: number[]): boolean {
  return sourceIds.every((id) => id === 0)
}

/** The whole days within the whole hours; none of them leaves everything before `firstDay`, to the hours. */
function wholeDays({ firstHour, endHour }: Cut): { firstDay: number; endDay: number } {
  const firstDay = Math.ceil(firstHour / 24)
  const endDay = endHour === never ? Math.floor(never / 24) : Math.floor(endHour / 24)
  if (endDay <= firstDay)
    return { firstDay: Math.ceil(endHour / 24), endDay: Math.ceil(endHour / 24) }
  return { firstDay, endDay }
}
