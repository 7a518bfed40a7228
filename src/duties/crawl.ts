import type { ApiContext } from '../api/context.ts'
import type { Duty } from '../db/leader.ts'
import type { DutyPlan } from '../duties.ts'
import { archiveFolder, openArchive } from '../archive/open.ts'
import { createRobotsCache } from '../crawl/politeness/robots-cache.ts'
import { openFetchers } from '../crawl/fetch/fetchers.ts'
import { startArchiveRetention } from '../flows/archive-retention.ts'
import { createCrawl } from '../flows/crawl/run-crawl.ts'
import { startExecutingRuns } from '../flows/execute-runs.ts'
import { createParsePool } from '../flows/parse/pool.ts'

/** Runs become pages: what a worker does. */
export const crawlDuties: DutyPlan[] = [
  { name: 'worker', role: 'worker', singleton: false, start: startWorker },
  {
    name: 'archive retention',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config }) =>
      startArchiveRetention({
        sql,
        clock,
        log,
        archive: openArchive(config),
        bodyDays: config.archiveDays,
        pageDays: config.pageDays,
      }),
  },
]

export type WorkerDeps = Pick<
  ApiContext,
  'sql' | 'clock' | 'log' | 'config' | 'instanceId' | 'allowedHosts'
>

export function startWorker(context: WorkerDeps): Duty {
  const { sql, clock, log, config, instanceId } = context
  const fetchers = openFetchers({
    allowPrivate: config.allowPrivateNetworks,
    allowedHosts: context.allowedHosts,
    userAgent: config.userAgent,
    rotateUserAgents: config.useRandomUserAgent,
    timeoutMs: config.fetchTimeoutMs,
    maxBytes: config.maxBodyBytes,
    maxRedirects: config.maxRedirects,
    followRedirects: config.followRedirects,
    proxies: config.proxyUrls,
    proxiesForAll: config.proxiesEnabled,
    scrapingApiUrl: config.scrapingApiUrl,
    chromiumPath: config.chromiumPath,
    browserPages: config.browserPages,
    now: () => clock.now(),
  })
  const pool = createParsePool(config.parseThreads === 0 ? {} : { threads: config.parseThreads })
  const robots = createRobotsCache({
    db: sql,
    userAgent: config.userAgent,
    fetch: fetchers.fetchRobots,
    now: () => clock.now(),
    floorMs: config.minDelayMs,
  })
  const worker = startExecutingRuns({
    sql,
    clock,
    log,
    instanceId,
    concurrency: config.workerConcurrency,
    leaseMs: config.leaseSeconds * 1000,
    maxRunMs: config.maxRunMinutes * 60_000,
    execute: createCrawl({
      sql,
      clock,
      robots,
      pool,
      ladder: fetchers.ladder,
      userAgent: config.userAgent,
      respectRobots: config.respectRobots,
      floorMs: config.minDelayMs,
      maxPages: config.maxPagesPerRun,
      concurrency: config.fetchConcurrency,
      ...(config.s3Endpoint === null
        ? { archiveFolder: archiveFolder(config) }
        : { archiveFolder: null, archive: openArchive(config) }),
      extract: true,
      discoverFeeds: config.feedDiscoveryEnabled,
    }),
  })
  return {
    stop: async () => {
      await worker.stop()
      await pool.close()
      await fetchers.close()
    },
  }
}
