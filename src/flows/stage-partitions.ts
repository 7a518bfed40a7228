import type { Duty } from '../db/leader.ts'
import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'
import { foldDeltas } from '../stages/fold.ts'
import type { StageMetrics } from '../stages/metrics.ts'
import {
  createPartitions,
  dropOldPartitions,
  listPartitions,
  oldestKept,
} from '../stages/partitions.ts'

export interface StageKeeperDeps {
  sql: Sql
  clock: Clock
  log: Log
  metrics: StageMetrics
  retentionMonths: number
}

const foldEveryMs = 5000
const keepEveryMs = 3_600_000

/** Months ahead, months gone, and how many rows each holds. */
export async function keepPartitions(
  deps: StageKeeperDeps,
): Promise<{ made: number; dropped: string[] }> {
  const { sql, clock, log, metrics } = deps
  const made = await createPartitions(sql, clock.now())
  const dropped = await dropOldPartitions(sql, oldestKept(clock.now(), deps.retentionMonths))
  if (made > 0) log.info({ partitions: made }, 'months for stage events made')
  if (dropped.length > 0)
    log.info({ dropped }, 'old stage events dropped; their sums by day are kept')
  metrics.rows.reset()
  for (const { name, rows } of await listPartitions(sql))
    metrics.rows.set({ partition: name }, rows)
  return { made, dropped }
}

/** Keeps the months, and keeps the sums short by folding what writers appended. */
export function startStageKeeper(deps: StageKeeperDeps): Duty {
  const { sql, log } = deps
  const keeper = startLoop({
    name: 'stage partitions',
    everyMs: keepEveryMs,
    log,
    runOnce: async () => void (await keepPartitions(deps)),
  })
  const folder = startLoop({
    name: 'stage fold',
    everyMs: foldEveryMs,
    log,
    runOnce: async () => ((await foldDeltas(sql)).isMore ? 'again' : undefined),
  })
  return {
    stop: async () => {
      await keeper.stop()
      await folder.stop()
    },
  }
}
