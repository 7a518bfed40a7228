import { openFetchers } from '../../crawl/fetch/fetchers.ts'
import { createRobotsCache } from '../../crawl/politeness/robots-cache.ts'
import { createParsePool } from '../../flows/parse/pool.ts'
import { previewSource } from '../../flows/preview/preview-source.ts'
import type { ApiContext } from '../context.ts'

export interface PreviewTools {
  preview(url: string): ReturnType<typeof previewSource>
  close(): Promise<void>
}

/** Fetchers and a parse thread of their own: a preview never waits behind the crawl. */
export function openPreviewTools({ sql, clock, config, allowedHosts }: ApiContext): PreviewTools {
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
  const deps = { db: sql, clock, robots, pool, ladder, userAgent, respectRobots, floorMs }
  return {
    preview: (url) => previewSource(deps, url),
    close: async () => {
      await pool.close()
      await fetchers.close()
    },
  }
}
