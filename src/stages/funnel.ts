import type { Tx } from '../db/pool.ts'
import { initialLane, kinds, stageNames, stageNumber, type StageName } from './kinds.ts'
import { countEnds, countNewInEnds } from './ragged-ends.ts'
import { cutRange, type Cut } from './range.ts'
import type { Snapshot } from './snapshot.ts'
import { sumPairs, sumTallies } from './sums.ts'

export interface FunnelStage {
  name: StageName
  /** All events, repeats included. */
  count: number
  /** Distinct addresses: the funnel itself. */
  uniqueArticles: number
}

export interface FunnelFilter {
  /** Null: all sources. */
  sourceIds: number[] | null
  excludeReclassifications: boolean
}

export const everything: FunnelFilter = { sourceIds: null, excludeReclassifications: false }

/** Counts and distinct articles per stage of any stretch of time, exact to the last event. */
export async function readFunnel(
  { tx, latestEvent }: Snapshot,
  range: { from: Date; to: Date },
  filter: FunnelFilter = everything,
): Promise<FunnelStage[]> {
  const cut = cutRange(range, latestEvent)
  // Sent together, answered together: one round trip.
  const [counts, whole, ends] = await Promise.all([
    countStages(tx, cut, filter.sourceIds),
    sumPairs(tx, cut, filter.sourceIds ?? [0]),
    countNewInEnds(tx, cut, filter.sourceIds),
  ])
  return stageNames.map((name) => {
    const stage = stageNumber(name)
    const skips = filter.excludeReclassifications && name === 'classified'
    const lane = skips ? initialLane : stage
    return {
      name,
      count: (counts.get(stage) ?? 0) - (skips ? (counts.get(kinds.reclassified) ?? 0) : 0),
      uniqueArticles: (whole.get(lane) ?? 0) + (ends.get(lane) ?? 0),
    }
  })
}

/** Events per stage, and the reclassifications among them under their own kind. */
export async function countStages(
  tx: Tx,
  cut: Cut,
  sourceIds: number[] | null,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  const add = (kind: number, n: number): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + n)
  }
  const countKinds = [1, 2, 3, 4, 5, kinds.reclassified]
  const filter = { kinds: countKinds, sourceIds: sourceIds ?? [0] }
  const [sums, ends] = await Promise.all([
    sumTallies(tx, cut, filter),
    countEnds(tx, cut, sourceIds),
  ])
  for (const sum of sums) add(sum.kind, sum.n)
  for (const end of ends) {
    add(end.stage, end.n)
    add(kinds.reclassified, end.reclassified)
  }
  return counts
}

/** Numbers of the sources a person means by an id or a name; several may share a name. */
export async function findStageSources(tx: Tx, text: string): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from stage_sources where key = ${text} or name = ${text}`
  return rows.map((row) => row.id)
}
