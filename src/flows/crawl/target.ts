import type { Db } from '../../db/pool.ts'
import type { StrategyName } from '../../extract/types.ts'
import type { WaterfallOptions } from '../../extract/waterfall.ts'
import type { TierMemory } from '../../crawl/fetch/ladder.ts'
import { tierNames } from '../../crawl/fetch/types.ts'
import type { Scope } from '../../crawl/scope.ts'
import type { ClaimedRun } from '../../runs/types.ts'
import { effectiveConfig } from '../../sources/effective.ts'
import type { GroupSettings } from '../../sources/fields.ts'
import type { Source } from '../../sources/source.ts'

/** What one run crawls, from its source or, for a one-off crawl, from its own payload. */
export interface CrawlTarget {
  /** Whose frontier it is: the source, or the run itself for a one-off crawl. */
  frontierId: string
  name: string
  startUrl: string
  scope: Scope
  rateLimit: number | null
  renderMode: string
  proxy: string | null
  /** The way of fetching that worked last time. */
  memory: TierMemory
  kind: string
  timezone: string | null
  locale: string | null
  preferredMethod: StrategyName | null
  selectors: Record<string, string>
  learnedPath: string | null
  feedUrls: readonly string[]
  maxPages: number
  /** The run ends by itself after so long, with what it has; null leaves it to the limit of all runs. */
  maxDurationMs: number | null
  /** Only what feeds and sitemaps announce is fetched, not what pages link to. */
  feedsOnly: boolean
}

export async function loadTarget(
  db: Db,
  run: ClaimedRun,
  limits: { maxPages: number },
): Promise<CrawlTarget | null> {
  const [source] = await db<(Source & Learned & { group_settings: GroupSettings | null })[]>`
    select s.*, g.settings as group_settings, l.hydration_path as learned_path, l.tier as learned_tier,
      l.tier_retry_at, l.tier_failures
    from sources s left join source_groups g on g.id = s.group_id left join source_learning l on l.source_id = s.id
    where s.id = ${run.sourceId}`
  if (source === undefined)
    return typeof run.payload['url'] === 'string' ? oneOff(run, limits) : null
  const config = effectiveConfig(source, source.group_settings)
  const depth = config.max_depth.value as number | null
  const renderMode = requestedRenderMode(run)
  return {
    frontierId: source.id,
    name: source.name,
    startUrl: source.url,
    scope: {
      startUrl: source.url,
      // Zero means not set; the specification's default is 3.
      maxDepth: depth === null || depth === 0 ? 3 : depth,
      includePatterns: source.include_patterns,
      excludePatterns: source.exclude_patterns,
    },
    rateLimit: config.rate_limit.value as number | null,
    renderMode: config.render_mode.value as string,
    proxy: config.proxy.value as string | null,
    memory: memoryOf(source),
    kind: source.kind,
    timezone: config.timezone.value as string | null,
    locale: config.locale.value as string | null,
    preferredMethod: source.preferred_method,
    selectors: textOnly(source.selectors),
    learnedPath: source.learned_path,
    feedUrls: source.feed_urls,
    ...requestedLimits(run, limits),
    ...(renderMode !== null && { renderMode }),
  }
}

/** What the waterfall should know about the source. */
export function extractOptions(target: CrawlTarget): WaterfallOptions {
  const { preferredMethod, learnedPath, selectors, kind } = target
  return {
    preferredMethod,
    ...(learnedPath !== null && { learnedPath }),
    ...(Object.keys(selectors).length > 0 && { selectors }),
    ...(kind !== 'mixed' && {
      preferredKind: kind === 'news' ? ('article' as const) : ('calendar_event' as const),
    }),
  }
}

interface Learned {
  learned_path: string | null
  learned_tier: string | null
  tier_retry_at: Date | null
  tier_failures: number | null
}

function memoryOf(learned: Learned): TierMemory {
  return {
    tier: tierNames.find((name) => name === learned.learned_tier) ?? 'static',
    retryAt: learned.tier_retry_at,
    failures: learned.tier_failures ?? 0,
  }
}

function oneOff(run: ClaimedRun, limits: { maxPages: number }): CrawlTarget {
  const { url } = run.payload
  const startUrl = typeof url === 'string' ? url : ''
  return {
    frontierId: run.id,
    name: new URL(startUrl).host,
    startUrl,
    scope: {
      startUrl,
      maxDepth: numberIn(run.payload, 'depth') ?? 1,
      includePatterns: [],
      excludePatterns: [],
    },
    rateLimit: null,
    renderMode: requestedRenderMode(run) ?? 'auto',
    proxy: null,
    memory: { tier: 'static', retryAt: null, failures: 0 },
    kind: 'mixed',
    timezone: null,
    locale: null,
    preferredMethod: null,
    selectors: {},
    learnedPath: null,
    feedUrls: [],
    ...requestedLimits(run, limits),
  }
}

/** How somebody asked for this crawl to be fetched: the same words as the render mode of a source. */
function requestedRenderMode(run: ClaimedRun): string | null {
  const { strategy } = run.payload
  return strategy === 'static' || strategy === 'browser' ? strategy : null
}

function requestedLimits(
  run: ClaimedRun,
  limits: { maxPages: number },
): Pick<CrawlTarget, 'maxPages' | 'maxDurationMs' | 'feedsOnly'> {
  const seconds = numberIn(run.payload, 'max_duration_seconds')
  return {
    maxPages: numberIn(run.payload, 'max_pages') ?? limits.maxPages,
    maxDurationMs: seconds === null ? null : seconds * 1000,
    feedsOnly: run.payload['strategy'] === 'feed',
  }
}

function numberIn(payload: Record<string, unknown>, name: string): number | null {
  return typeof payload[name] === 'number' ? payload[name] : null
}

function textOnly(selectors: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(selectors).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}
