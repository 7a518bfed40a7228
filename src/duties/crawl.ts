import { join } from 'node:path'
import type { ApiContext } from '../api/context.ts'
import type { Duty } from '../db/leader.ts'
import type { DutyPlan } from '../duties.ts'
import { createGuard } from '../crawl/fetch/guard.ts'
import { createStaticTier } from '../crawl/fetch/static.ts'
import { createRobotsCache } from '../crawl/politeness/robots-cache.ts'
import { createCrawl } from '../flows/crawl/run-crawl.ts'
import { startExecutingRuns } from '../flows/execute-runs.ts'
import { createParsePool } from '../flows/parse/pool.ts'

/** Runs become pages: what a worker does. */
export const crawlDuties: DutyPlan[] = [
  { name: 'worker', role: 'worker', singleton: false, start: startWorker },
]

export type WorkerDeps = Pick<
  ApiContext,
  'sql' | 'clock' | 'log' | 'config' | 'instanceId' | 'allowedHosts'
>

export function startWorker(context: WorkerDeps): Duty {
  const { sql, clock, log, config, instanceId } = context
  const guard = createGuard({
    allowPrivate: config.allowPrivateNetworks,
    allowedHosts: context.allowedHosts,
  })
  const tier = createStaticTier({
    guard,
    userAgent: () => config.userAgent,
    timeoutMs: config.fetchTimeoutMs,
    maxBytes: config.maxBodyBytes,
    maxRedirects: config.maxRedirects,
    followRedirects: config.followRedirects,
  })
  const pool = createParsePool(config.parseThreads === 0 ? {} : { threads: config.parseThreads })
  const robots = createRobotsCache({
    db: sql,
    userAgent: config.userAgent,
    fetch: (url) => tier.fetch({ url, maxBytes: 600_000, timeoutMs: 10_000 }),
    now: () => clock.now(),
  })
  const worker = startExecutingRuns({
    sql,
    clock,
    log,
    instanceId,
    concurrency: config.workerConcurrency,
    leaseMs: config.leaseSeconds * 1000,
    execute: createCrawl({
      sql,
      clock,
      robots,
      pool,
      fetchPage: (request) => tier.fetch(request),
      userAgent: config.userAgent,
      respectRobots: config.respectRobots,
      floorMs: config.minDelayMs,
      maxPages: config.maxPagesPerRun,
      concurrency: config.fetchConcurrency,
      archiveFolder: join(config.dataDir, 'archive'),
      extract: true,
    }),
  })
  return {
    stop: async () => {
      await worker.stop()
      await pool.close()
      await tier.close()
    },
  }
}
