import type { Tx } from '../db/pool.ts'
import { initialLane, kinds, stageNames, stageNumber, type StageName } from './kinds.ts'
import { countEnds } from './ragged-ends.ts'
import { cutRange } from './range.ts'
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
  snapshot: Snapshot,
  range: { from: Date; to: Date },
  filter: FunnelFilter = everything,
): Promise<FunnelStage[]> {
  const { events, articles } = await countStages(snapshot, range, filter.sourceIds)
  return stageNames.map((name) => {
    const stage = stageNumber(name)
    const skips = filter.excludeReclassifications && name === 'classified'
    return {
      name,
      count: (events.get(stage) ?? 0) - (skips ? (events.get(kinds.reclassified) ?? 0) : 0),
      uniqueArticles: articles.get(skips ? initialLane : stage) ?? 0,
    }
  })
}

export interface StageCounts {
  /** By stage, and the reclassifications among them under their own kind. */
  events: Map<number, number>
  /** Distinct ones, by lane. */
  articles: Map<number, number>
}

export async function countStages(
  { tx, latestEvent }: Snapshot,
  range: { from: Date; to: Date },
  sourceIds: number[] | null,
): Promise<StageCounts> {
  const cut = cutRange(range, latestEvent)
  const countKinds = [1, 2, 3, 4, 5, kinds.reclassified]
  // Sent together, answered together: one round trip.
  const [sums, articles, ends] = await Promise.all([
    sumTallies(tx, cut, { kinds: countKinds, sourceIds: sourceIds ?? [0] }),
    sumPairs(tx, cut, sourceIds ?? [0]),
    countEnds(tx, cut, sourceIds),
  ])
  const { events } = ends
  for (const { kind, n } of sums) events.set(kind, (events.get(kind) ?? 0) + n)
  for (const [lane, n] of ends.newArticles) articles.set(lane, (articles.get(lane) ?? 0) + n)
  return { events, articles }
}

/** Numbers of the sources a person means by an id or a name; several may share a name. */
export async function findStageSources(tx: Tx, text: string): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from stage_sources where key = ${text} or name = ${text}`
  return rows.map((row) => row.id)
}
