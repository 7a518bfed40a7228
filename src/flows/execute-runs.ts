import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Execute } from '../runs/desk.ts'
import { startRunWorker, type RunWorker } from '../runs/worker.ts'
import { retryDelayMs } from '../schedule/retry.ts'
import { settleRuns } from './settle-runs.ts'

/** A worker of this process: it claims runs, carries them out, and settles what they mean for their jobs. */
export function startExecutingRuns(options: {
  sql: Sql
  clock: Clock
  log: Log
  instanceId: string
  execute: Execute
  concurrency: number
  hostLimit?: number | null
  leaseMs: number
  maxRunMs?: number
}): RunWorker {
  const { clock, log, execute } = options
  return startRunWorker({
    ...options,
    execute: async (run, context) => {
      context.log('info', 'run', 'started', { attempt: run.retryCount + 1, trigger: run.trigger })
      try {
        const result = await execute(run, context)
        context.log('info', 'run', 'finished', { ...result.counters })
        return result
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        context.log('warn', 'run', `ended early: ${message}`)
        throw error
      }
    },
    retryDelay: (retry, rule) => retryDelayMs(retry, rule),
    settle: async (tx, runs) => {
      const opened = await settleRuns(tx, runs, clock.now())
      for (const breaker of opened) {
        log.warn({ source: breaker.key, until: breaker.cooldownUntil }, 'circuit opened')
      }
    },
  })
}
