import { openArchive } from '../archive/open.ts'
import { openFetchers } from '../crawl/fetch/fetchers.ts'
import { createRobotsCache } from '../crawl/politeness/robots-cache.ts'
import { createCrawl } from '../flows/crawl/run-crawl.ts'
import { createParsePool } from '../flows/parse/pool.ts'
import type { Execute } from '../runs/desk.ts'
import type { WorkerDeps } from './crawl.ts'

export interface CrawlTools {
  execute: Execute
  close(): Promise<void>
}

/** Fetch tiers, parse threads and robots cache of one process, as its configuration wants them. */
export function openCrawlTools(context: WorkerDeps): CrawlTools {
  const { sql, clock, config } = context
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
  const pool = createParsePool({
    ...(config.parseThreads > 0 && { threads: config.parseThreads }),
    articles: config.readabilityFallbackEnabled,
  })
  const robots = createRobotsCache({
    db: sql,
    userAgent: config.userAgent,
    fetch: fetchers.fetchRobots,
    now: () => clock.now(),
    floorMs: config.minDelayMs,
  })
  const execute = createCrawl({
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
    archive: openArchive(config, sql),
    extract: true,
    readability: config.readabilityFallbackEnabled,
    discoverFeeds: config.feedDiscoveryEnabled,
    pollFeeds: config.feedPollEnabled,
  })
  return {
    execute,
    close: async () => {
      await pool.close()
      await fetchers.close()
    },
  }
}
