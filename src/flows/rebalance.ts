import type { Db } from '../db/pool.ts'
import {
  distributionScore,
  loadOf,
  planRebalance,
  type Load,
  type Move,
} from '../schedule/buckets.ts'
import { applyMoves, jobNames, readLoad, readPlacedJobs } from '../schedule/store.ts'

export interface Rebalance {
  moves: Move[]
  scoreBefore: number
  scoreAfter: number
  /** Runs per slot of the day when all moves are made. */
  loadAfter: Load
  /** What the jobs that move are called. */
  names: Map<string, string>
}

/** What a rebalance would do now; asking changes nothing. */
export async function previewRebalance(db: Db, now: Date): Promise<Rebalance> {
  const jobs = await readPlacedJobs(db, now)
  const moves = planRebalance(jobs, now)
  const target = new Map(moves.map((move) => [move.id, move.to]))
  const after = jobs.map((job) => ({ ...job, nextRunAt: target.get(job.id) ?? job.nextRunAt }))
  const loadAfter = loadOf(after)
  return {
    moves,
    scoreBefore: distributionScore(loadOf(jobs)),
    scoreAfter: distributionScore(loadAfter),
    loadAfter,
    names: await jobNames(db, [...target.keys()]),
  }
}

/** The same plan, carried out. A job that changed in between is left out of the answer. */
export async function rebalance(db: Db, now: Date): Promise<Rebalance> {
  const plan = await previewRebalance(db, now)
  const moved = new Set(await applyMoves(db, plan.moves, now))
  return { ...plan, moves: plan.moves.filter((move) => moved.has(move.id)) }
}

export async function readDistribution(db: Db): Promise<{ load: Load; score: number }> {
  const load = await readLoad(db)
  return { load, score: distributionScore(load) }
}
