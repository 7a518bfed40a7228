import { transaction, type Sql } from '../../db/pool.ts'
import type { Duty } from '../../db/leader.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import {
  advanceReclassification,
  claimReclassification,
  nextItems,
} from '../../publish/classify/reclassifications.ts'
import { recordStage } from '../../stages/record.ts'
import { createCompiler } from './compiled.ts'
import { publishBatch } from './publish-batch.ts'

export interface ReclassifyDeps {
  sql: Sql
  clock: Clock
  log: Log
  batchSize?: number
  /** Between two batches, so that a storm of them leaves room for the rest. */
  delayMs?: number
}

const defaultBatchSize = 500
const defaultDelayMs = 100
const pollMs = 1000

export function startReclassifying(deps: ReclassifyDeps): Duty {
  const reclassifyOnce = createReclassifier(deps)
  return startLoop({
    name: 'reclassify',
    everyMs: pollMs,
    log: deps.log,
    runOnce: async () => {
      if ((await reclassifyOnce()) === 0) return undefined
      await new Promise((resolve) => setTimeout(resolve, deps.delayMs ?? defaultDelayMs))
      return 'again'
    },
  })
}

/** One batch of the oldest reclassification; its progress commits with it, so a crash repeats nothing. */
export function createReclassifier(deps: ReclassifyDeps): () => Promise<number> {
  const compile = createCompiler()
  const limit = deps.batchSize ?? defaultBatchSize
  return () =>
    transaction(deps.sql, async (tx) => {
      const now = deps.clock.now()
      const one = await claimReclassification(tx, now)
      if (one === null) return 0
      const ids = await nextItems(tx, one, limit)
      const result = await publishBatch(tx, ids, {
        compiled: await compile(tx),
        now,
        reclassify: true,
        recordStage,
      })
      for (const { itemId, error } of result.failures)
        deps.log.warn({ item: itemId, err: error }, 'an item could not be classified again')
      await advanceReclassification(tx, one.id, {
        done: ids.length,
        changed: result.changed,
        position: ids.at(-1) ?? null,
        finished: ids.length < limit,
        now,
        nextBatchAt: new Date(now.getTime() + (deps.delayMs ?? defaultDelayMs)),
      })
      return 1
    })
}
