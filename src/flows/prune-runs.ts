import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop, type Loop } from '../kernel/loop.ts'
import { pruneRuns } from '../runs/prune.ts'

const hourMs = 3_600_000

/** Keeps the history of runs small, an hour at a time. */
export function startPruning(options: { sql: Sql; clock: Clock; log: Log }): Loop {
  return startLoop({
    name: 'prune runs',
    everyMs: hourMs,
    log: options.log,
    runOnce: async () => {
      const { runs, more } = await pruneRuns(options.sql, options.clock.now())
      if (runs > 0) options.log.info({ runs }, 'old runs deleted')
      return more ? 'again' : undefined
    },
  })
}
