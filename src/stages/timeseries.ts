import type { Tx } from '../db/pool.ts'
import { readFunnel, type FunnelFilter, type FunnelStage } from './funnel.ts'
import { hourMs, initialLane, kinds, never, stageNames, stageNumber } from './kinds.ts'
import { bucketStarts, type Range } from './range.ts'
import type { Snapshot } from './snapshot.ts'
import { pairChanges, tallyChanges } from './sums.ts'

export interface FunnelBucket {
  from: Date
  to: Date
  stages: FunnelStage[]
}

/**
 * The funnel of each hour or day of a range. Buckets on whole hours come from one look at the sums; zones that are
 * half an hour off need each bucket's ragged ends.
 */
export async function readTimeseries(
  snapshot: Snapshot,
  range: Range,
  bucket: 'hour' | 'day',
  filter: FunnelFilter,
): Promise<FunnelBucket[]> {
  const starts = bucketStarts(range, bucket)
  const buckets = starts.map((from, index) => ({ from, to: starts[index + 1] ?? range.to }))
  const isOpen = snapshot.latestEvent === null || snapshot.latestEvent < range.to
  if (isOpen && starts.every((start) => start.getTime() % hourMs === 0))
    return await fromSums(snapshot.tx, buckets, filter)
  const series: FunnelBucket[] = []
  for (const { from, to } of buckets)
    series.push({ from, to, stages: await readFunnel(snapshot, { from, to }, filter) })
  return series
}

async function fromSums(
  tx: Tx,
  buckets: { from: Date; to: Date }[],
  filter: FunnelFilter,
): Promise<FunnelBucket[]> {
  const bounds = [...buckets.map((bucket) => bucket.from.getTime() / hourMs), never]
  const sourceIds = filter.sourceIds ?? [0]
  const counts = keyed(await countPerBucket(tx, bounds, sourceIds))
  const uniques = keyed(await uniquesPerBucket(tx, bounds, sourceIds))
  return buckets.map((bucket, index) => ({
    ...bucket,
    stages: stageNames.map((name) => {
      const stage = stageNumber(name)
      const skips = filter.excludeReclassifications && name === 'classified'
      const at = (of: Map<string, number>, what: number): number =>
        of.get(`${index + 1}:${what}`) ?? 0
      return {
        name,
        count: at(counts, stage) - (skips ? at(counts, kinds.reclassified) : 0),
        uniqueArticles: at(uniques, skips ? initialLane : stage),
      }
    }),
  }))
}

interface BucketSum {
  bucket: number
  what: number
  n: number
}

function keyed(rows: BucketSum[]): Map<string, number> {
  return new Map(rows.map((row) => [`${row.bucket}:${row.what}`, row.n]))
}

async function countPerBucket(tx: Tx, bounds: number[], sourceIds: number[]): Promise<BucketSum[]> {
  return await tx<BucketSum[]>`
    select width_bucket(hour, ${bounds}::integer[]) as bucket, kind::int as what, sum(n)::float8 as n
    from (
      select kind, hour, n from stage_tally_hours
      where kind between 1 and 6 and source_id = any(${sourceIds}::integer[]) and hour >= ${bounds[0] ?? never}
      union all
      select kind, hour, n from ${tallyChanges(tx, sourceIds)}
      where kind between 1 and 6 and source_id = any(${sourceIds}::integer[]) and hour >= ${bounds[0] ?? never}
    ) parts
    group by 1, 2`
}

async function uniquesPerBucket(
  tx: Tx,
  bounds: number[],
  sourceIds: number[],
): Promise<BucketSum[]> {
  return await tx<BucketSum[]>`
    select bucket, lane::int as what, sum(n)::float8 as n
    from (
      select width_bucket(hour, ${bounds}::integer[]) as bucket, lane, next_hour, n
      from (
        select hour, lane, next_hour, n from stage_pairs
        where source_id = any(${sourceIds}::integer[]) and hour >= ${bounds[0] ?? never}
        union all
        select hour, lane, next_hour, n from ${pairChanges(tx, sourceIds)}
        where source_id = any(${sourceIds}::integer[]) and hour >= ${bounds[0] ?? never}
      ) parts
    ) bucketed
    where next_hour >= (${bounds}::integer[])[bucket + 1]
    group by 1, 2`
}
