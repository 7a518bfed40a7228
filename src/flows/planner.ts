import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import { readRhythms } from '../jobs/auto.ts'
import { addRuns, emptyLoad, loadOf, placeRun, type Load } from '../schedule/buckets.ts'
import type { Planner } from './plan-job.ts'

const staleMs = 60_000

export interface LoadPlanner extends Planner {
  /** Reads the load again when the last look is a minute old. */
  refresh(): Promise<void>
}

/** Spreads first runs over the quarter hours of the day. It remembers its own placements between two looks. */
export function createPlanner(sql: Sql, clock: Clock): LoadPlanner {
  let load: Load = emptyLoad()
  let readAt = -Infinity
  return {
    refresh: async () => {
      const now = clock.now().getTime()
      if (now - readAt < staleMs && now >= readAt) return
      load = loadOf(await readRhythms(sql))
      readAt = now
    },
    firstRun: (earliest, intervalMinutes) => {
      const time = placeRun(load, earliest, intervalMinutes)
      addRuns(load, time, intervalMinutes, 1)
      return time
    },
  }
}
