import { transaction, type Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop, type Loop } from '../kernel/loop.ts'
import { reapRuns } from '../runs/reap.ts'
import type { Run } from '../runs/types.ts'
import { countWork } from './scheduler-counts.ts'
import { settleRuns } from './settle-runs.ts'

/** Frees the runs of dead workers and settles those that have no retry left. */
export async function reapOnce(sql: Sql, now: Date): Promise<Run[]> {
  return await transaction(sql, async (tx) => {
    const runs = await reapRuns(tx)
    if (runs.length === 0) return runs
    await settleRuns(tx, runs, now)
    await countWork(tx, { reaped: runs.length }, now)
    return runs
  })
}

export function startReaper(options: {
  sql: Sql
  clock: Clock
  log: Log
  everyMs?: number
  onReaped?: (runs: number) => void
}): Loop {
  return startLoop({
    name: 'reaper',
    everyMs: options.everyMs ?? 1000,
    log: options.log,
    runOnce: async () => {
      const runs = await reapOnce(options.sql, options.clock.now())
      if (runs.length === 0) return
      options.onReaped?.(runs.length)
      options.log.warn({ runs: runs.length }, 'took runs from dead workers')
    },
  })
}
