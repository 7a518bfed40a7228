import type { Config } from '../../config.ts'
import { openFetchers } from '../../crawl/fetch/fetchers.ts'
import { createRobotsCache } from '../../crawl/politeness/robots-cache.ts'
import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createParsePool } from '../parse/pool.ts'
import { previewSource, type SourcePreview } from './preview-source.ts'

export interface PreviewTools {
  preview(url: string): Promise<SourcePreview>
  close(): Promise<void>
}

/** What a look at an address takes: fetchers behind the guard, robots, a thread to parse in. */
export function openPreviewTools(options: {
  sql: Sql
  clock: Clock
  config: Config
  allowedHosts: ReadonlySet<string>
}): PreviewTools {
  const { sql, clock, config, allowedHosts } = options
  const fetchers = openFetchers({
    allowPrivate: config.allowPrivateNetworks,
    allowedHosts,
    userAgent: config.userAgent,
    timeoutMs: Math.min(config.fetchTimeoutMs, 10_000),
    maxBytes: config.maxBodyBytes,
    maxRedirects: config.maxRedirects,
    followRedirects: true,
    proxies: config.proxyUrls,
    proxiesForAll: config.proxiesEnabled,
    chromiumPath: config.chromiumPath,
    browserPages: Math.min(1, config.browserPages),
    now: () => clock.now(),
  })
  const pool = createParsePool({ threads: 1 })
  const robots = createRobotsCache({
    db: sql,
    userAgent: config.userAgent,
    fetch: fetchers.fetchRobots,
    now: () => clock.now(),
    floorMs: config.minDelayMs,
  })
  const { userAgent, respectRobots, minDelayMs: floorMs } = config
  const { ladder } = fetchers
  const deps = { db: sql, clock, robots, pool, userAgent, respectRobots, floorMs, ladder }
  return {
    preview: (url) => previewSource(deps, url),
    close: async () => {
      await pool.close()
      await fetchers.close()
    },
  }
}
