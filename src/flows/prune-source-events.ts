import type { Duty } from '../db/leader.ts'
import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'
import { dropOldEvents, dropOldQuarantine } from '../lifecycle/retention.ts'

export interface PruneDeps {
  sql: Sql
  clock: Clock
  log: Log
  retentionDays: number
  keepUnrelayed: boolean
}

const everyMs = 3_600_000
const batchSize = 5000

export function startEventPruner(deps: PruneDeps): Duty {
  return startLoop({
    name: 'old source events',
    everyMs,
    log: deps.log,
    runOnce: () => pruneSourceEvents(deps),
  })
}

/** One batch; a short one was the last. */
export async function pruneSourceEvents(deps: PruneDeps): Promise<'again' | void> {
  const before = new Date(deps.clock.now().getTime() - deps.retentionDays * 86_400_000)
  const dropped = await dropOldEvents(deps.sql, {
    before,
    keepUnrelayed: deps.keepUnrelayed,
    limit: batchSize,
  })
  if (dropped === batchSize) return 'again'
  const closed = await dropOldQuarantine(deps.sql, before)
  if (dropped + closed > 0) deps.log.info({ dropped, closed }, 'dropped old source events')
}
