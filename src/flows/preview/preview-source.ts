import type { Ladder } from '../../crawl/fetch/ladder.ts'
import {
  freeForAll,
  type HostRules,
  type RobotsCache,
} from '../../crawl/politeness/robots-cache.ts'
import { politeDelayMs, waitForSlot } from '../../crawl/politeness/slots.ts'
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import { hostKey } from '../../kernel/url.ts'
import type { ParsePool } from '../parse/pool.ts'
import { readDetail, type DetailFinding } from './read-detail.ts'
import { readFeeds, readSitemaps, type FeedFinding, type SitemapFinding } from './read-extras.ts'
import { readPage, type PageFinding } from './read-page.ts'
import { recommendSettings, type Recommended } from './recommend.ts'

export interface PreviewDeps {
  db: Db
  clock: Clock
  ladder: Ladder
  robots: RobotsCache
  pool: Pick<ParsePool, 'parse' | 'survey'>
  userAgent: string
  respectRobots: boolean
  floorMs: number
}

/** Waits for its turn at the host; false when the time of the preview is up. */
export type Turn = (signal: AbortSignal) => Promise<boolean>

export interface RobotsVerdict {
  verdict: HostRules['verdict']
  allowed: boolean
  crawlDelayMs: number | null
  sitemaps: readonly string[]
  /** Why robots.txt could not be asked for. */
  unreachable: string | null
}

export interface SourcePreview {
  url: string
  robots: RobotsVerdict
  page: PageFinding
  /** The own page of one of the items. */
  detail: DetailFinding | null
  feeds: FeedFinding[]
  sitemaps: SitemapFinding[]
  recommended: Recommended
  tookMs: number
}

/** A person waits for the answer: what is not known by then is told as such. */
const pageMs = 14_000
const extrasMs = 6000
/** A host that wants more time between requests is asked for its page alone. */
const patientMs = 1500
const longestTurnMs = 4000

/** Looks at an address as a crawl would, and tells all there is to know before it becomes a source. */
export async function previewSource(deps: PreviewDeps, url: string): Promise<SourcePreview> {
  const started = performance.now()
  const pageLimit = AbortSignal.timeout(pageMs)
  const rules = await deps.robots.rulesFor(url)
  const obeyed = deps.respectRobots ? rules : freeForAll
  const turn = politely(deps, url, rules.crawlDelayMs)
  const page = await readPage(deps, url, obeyed, { turn, signal: pageLimit })
  const patient = (rules.crawlDelayMs ?? 0) <= patientMs && page.state !== 'unreachable'
  const tier = page.tier === 'browser' ? 'static' : (page.tier ?? 'static')
  const rest = { turn, signal: AbortSignal.timeout(extrasMs), allowed: patient, tier }
  const [detail, feeds, sitemaps] = await Promise.all([
    readDetail(deps, page, rest),
    readFeeds(deps, url, page, rest),
    readSitemaps(deps, url, rules.sitemaps, rest),
  ])
  const robots = verdictOf(rules, url)
  return {
    url,
    robots,
    page,
    detail,
    feeds,
    sitemaps,
    recommended: recommendSettings({ url, robots, page, detail, feeds }),
    tookMs: Math.round(performance.now() - started),
  }
}

function verdictOf(rules: HostRules, url: string): RobotsVerdict {
  const { verdict, crawlDelayMs, sitemaps, unreachable } = rules
  return { verdict, allowed: rules.allows(url), crawlDelayMs, sitemaps, unreachable }
}

/** Turns at the host are shared with every crawl of it, but nobody lets a person wait for half a minute. */
function politely(deps: PreviewDeps, url: string, crawlDelayMs: number | null): Turn {
  const key = hostKey(url) ?? ''
  const delayMs = politeDelayMs({ crawlDelayMs, rateLimit: null, floorMs: deps.floorMs })
  return async (signal) => {
    const wait = await waitForSlot(deps.db, key, delayMs)
    if (wait > 0) await pause(Math.min(wait, longestTurnMs), signal)
    return !signal.aborted
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
