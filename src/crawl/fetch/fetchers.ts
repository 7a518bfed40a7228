import { createBrowserTier } from './browser.ts'
import { createBrowserHost, findChromium } from './browser-host.ts'
import { createGuard } from './guard.ts'
import { createImpersonatingTier } from './impersonating.ts'
import { createLadder, type Ladder } from './ladder.ts'
import { createProxyTier, rotation } from './proxy.ts'
import { createRelays } from './relays.ts'
import { createStaticTier } from './static.ts'
import type { FetchRequest, FetchResult, FetchTier } from './types.ts'
import { createUserAgents } from './user-agents.ts'

export interface FetcherOptions {
  allowPrivate: boolean
  allowedHosts?: ReadonlySet<string>
  userAgent: string
  rotateUserAgents?: boolean
  timeoutMs: number
  maxBytes: number
  maxRedirects: number
  followRedirects: boolean
  proxies?: readonly string[]
  /** Every fetch goes through the proxies, not only what failed without. */
  proxiesForAll?: boolean
  scrapingApiUrl?: string | null
  chromiumPath?: string | null
  /** Pages rendered at once; 0 renders none. */
  browserPages?: number
  now: () => Date
}

export interface Fetchers {
  ladder: Ladder
  fetchRobots(url: string, turns: Pick<FetchRequest, 'slot' | 'beforeHop'>): Promise<FetchResult>
  close(): Promise<void>
}

/** Every way to fetch that this installation has, cheapest first. */
export function openFetchers(options: FetcherOptions): Fetchers {
  const { proxies = [], browserPages = 2 } = options
  const guard = createGuard(options)
  const limits = { ...options, guard, trustedProxies: proxies }
  const relays = createRelays(guard, proxies)
  const plain = createStaticTier({
    ...limits,
    userAgent: createUserAgents({
      userAgent: options.userAgent,
      rotate: options.rotateUserAgents ?? false,
    }),
  })
  const impersonating = createImpersonatingTier({ ...limits, relays })
  const chromium = browserPages === 0 ? null : findChromium(options.chromiumPath)
  const browser =
    chromium === null
      ? null
      : createBrowserTier({
          ...limits,
          // Scripts, styles and data take their time, too.
          timeoutMs: options.timeoutMs * 2,
          pages: browserPages,
          host: createBrowserHost({ executablePath: chromium, relays }),
        })
  const proxy = createProxyTier({
    proxies,
    through: impersonating,
    direct: plain,
    apiTemplate: options.scrapingApiUrl ?? null,
  })
  const tiers = [plain, impersonating, browser, proxy].filter(
    (tier): tier is FetchTier => tier !== null,
  )
  const nextProxy = rotation(options.proxiesForAll === true ? proxies : [])
  return {
    ladder: createLadder({ tiers, timeoutMs: options.timeoutMs, now: options.now, nextProxy }),
    // Always under our own name: robots.txt is where a host looks for it.
    fetchRobots: (url, turns) =>
      plain.fetch({
        ...turns,
        url,
        maxBytes: 600_000,
        timeoutMs: Math.min(options.timeoutMs, 10_000),
        proxy: nextProxy(),
        headers: { 'user-agent': options.userAgent },
      }),
    close: async () => {
      for (const tier of tiers) await tier.close()
      await relays.close()
    },
  }
}
