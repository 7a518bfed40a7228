import { transaction, type Sql } from '../../db/pool.ts'
import type { Duty } from '../../db/leader.ts'
import { sweepArticles } from '../../items/articles/vanish.ts'
import { sweepCalendar, unsweptRuns } from '../../items/events/vanish.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'

export interface SweepDeps {
  sql: Sql
  clock: Clock
  log: Log
  /** Healthy runs an event or article must be missing from before it counts as vanished. */
  vanishAfterRuns?: number
}

const everyMs = 15_000
const batch = 50
const lookBackMs = 2 * 86_400_000

/** Looks through what is kept of every source after its run: which events and articles are no longer there? */
export function startCalendarSweeps(deps: SweepDeps): Duty {
  return startLoop({
    name: 'calendar sweeps',
    everyMs,
    log: deps.log,
    runOnce: async () => ((await sweepOnce(deps)) === batch ? 'again' : undefined),
  })
}

export async function sweepOnce(deps: SweepDeps): Promise<number> {
  const now = deps.clock.now()
  const since = new Date(now.getTime() - lookBackMs)
  const runs = await transaction(deps.sql, (tx) => unsweptRuns(tx, since, batch))
  for (const { runId, sourceId } of runs) {
    const options = { runId, sourceId, now, afterRuns: deps.vanishAfterRuns ?? 2 }
    const sweep = await transaction(deps.sql, async (tx) => {
      const calendar = await sweepCalendar(tx, options)
      if (calendar.skipped !== 'unhealthy') await sweepArticles(tx, options)
      return calendar
    })
    if (sweep.skipped === 'suspicious_loss')
      deps.log.warn(
        { sourceId, runId, missing: sweep.missed },
        'most of a calendar is missing; nothing counts as vanished',
      )
  }
  return runs.length
}
