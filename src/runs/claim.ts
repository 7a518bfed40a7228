import type { Db } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import { claimColumns, runColumns, type ClaimedRun, type Outcome, type Run } from './types.ts'

export interface ClaimOptions {
  workerId: string
  limit: number
  /** Runs of one host that may go at once, over all workers; null means no limit. */
  hostLimit: number | null
}

/** Takes the best waiting runs. The token is new for each batch, so an older claim on the same run is void. */
export async function claimRuns(db: Db, options: ClaimOptions): Promise<ClaimedRun[]> {
  return await db<ClaimedRun[]>`
    select ${claimColumns(db)}
    from claim_runs(${options.workerId}, ${newId()}, ${options.limit}, ${options.hostLimit}, null)`
}

/** Writes outcomes, fenced by their tokens. A run that is not in the answer belonged to somebody else by then. */
export async function finishRuns(db: Db, outcomes: readonly Outcome[]): Promise<Run[]> {
  if (outcomes.length === 0) return []
  return await db<Run[]>`
    select ${runColumns(db)} from finish_runs(${db.json(plain(outcomes))}, null)`
}

/**
 * Both in one round trip: a worker with short runs does nothing else.
 * One statement per batch of 100 carries 15 times the runs of one statement per run.
 */
export async function finishAndClaim(
  db: Db,
  outcomes: readonly Outcome[],
  options: ClaimOptions,
): Promise<ClaimedRun[]> {
  return await db<ClaimedRun[]>`
    select ${claimColumns(db)}
    from claim_runs(${options.workerId}, ${newId()}, ${options.limit}, ${options.hostLimit}, null,
      ${db.json(plain(outcomes))})`
}

/** The same objects, typed as the JSON they are, in the order of their ids: runs are always locked in that order. */
function plain(outcomes: readonly Outcome[]) {
  return outcomes
    .map((outcome) => ({ ...outcome }))
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}
