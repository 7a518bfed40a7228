import type { LadderUrl } from '../../crawl/fetch/ladder.ts'
import type { TierName } from '../../crawl/fetch/types.ts'
import { freeForAll } from '../../crawl/politeness/robots-cache.ts'
import { Unparsable } from '../parse/unparsable.ts'
import type { ParsedPage } from '../parse/parse-page.ts'
import { surveyInput } from '../survey-url.ts'
import type { PreviewDeps, Turn } from './preview-source.ts'
import type { PageFinding } from './read-page.ts'

export interface ExtraLimits {
  turn: Turn
  signal: AbortSignal
  /** False when the host wants its rest: then nothing more is asked for. */
  allowed: boolean
  /** What gave the page is likely to give the rest. */
  tier: TierName
}

type ExtraState = 'read' | 'failed' | 'not_asked'

export interface FeedFinding {
  url: string
  title: string | null
  kind: 'feed' | 'ics'
  /** Linked by the page, or found where sites usually keep it. */
  origin: 'page' | 'guess'
  state: ExtraState
  reason: string | null
  items: number
  titles: string[]
}

export interface SitemapFinding {
  url: string
  origin: 'robots' | 'guess'
  state: ExtraState
  reason: string | null
  /** Addresses, or sitemaps in an index. */
  entries: number
  isIndex: boolean
  newestAt: Date | null
}

const feedGuesses = ['/feed', '/rss.xml']
const mostFeeds = 4
const mostSitemaps = 2
const sampleTitles = 3
const mostBytes = 3_000_000

/** Feeds the page links to, else where feeds usually are, each with what is in it. */
export async function readFeeds(
  deps: PreviewDeps,
  url: string,
  page: PageFinding,
  limits: ExtraLimits,
): Promise<FeedFinding[]> {
  const linked = (page.survey?.feeds ?? []).map((feed) => ({ ...feed, origin: 'page' as const }))
  const guessed = feedGuesses.map((path) => ({
    url: new URL(path, page.url).href,
    title: null,
    kind: 'feed' as const,
    origin: 'guess' as const,
  }))
  const isFeedItself = page.survey?.parsed.strategy === 'feed'
  const wanted = linked.length > 0 ? linked : isFeedItself ? [] : guessed
  const found: FeedFinding[] = []
  for (const [index, feed] of wanted.entries()) {
    const asked = limits.allowed && index < mostFeeds && feed.url !== url
    const read = asked ? await readExtra(deps, feed.url, 'feed', limits) : notAsked
    const items = read.parsed?.items ?? []
    const finding = {
      ...feed,
      state: read.state,
      reason: read.reason,
      items: items.length,
      titles: items.slice(0, sampleTitles).map((item) => item.title),
    }
    if (feed.origin === 'page') found.push(finding)
    // A guess that is wrong is no news.
    else if (items.length > 0) return [finding]
  }
  return found
}

/** Sitemaps that robots.txt names, else the usual one. */
export async function readSitemaps(
  deps: PreviewDeps,
  url: string,
  fromRobots: readonly string[],
  limits: ExtraLimits,
): Promise<SitemapFinding[]> {
  const named = fromRobots.map((sitemap) => ({ url: sitemap, origin: 'robots' as const }))
  const wanted =
    named.length > 0
      ? named
      : [{ url: new URL('/sitemap.xml', url).href, origin: 'guess' as const }]
  const found: SitemapFinding[] = []
  for (const [index, sitemap] of wanted.slice(0, 20).entries()) {
    const asked = limits.allowed && index < mostSitemaps
    const read = asked ? await readExtra(deps, sitemap.url, 'sitemap', limits) : notAsked
    const entries = read.parsed?.sitemap ?? []
    if (sitemap.origin === 'guess' && entries.length === 0) continue
    const newest = Math.max(...entries.map((entry) => entry.changedAt ?? 0), 0)
    found.push({
      ...sitemap,
      state: read.state,
      reason: read.reason,
      entries: entries.length,
      isIndex: entries.some((entry) => entry.isSitemap),
      newestAt: newest === 0 ? null : new Date(newest),
    })
  }
  return found
}

interface Read {
  state: ExtraState
  reason: string | null
  parsed: ParsedPage | null
}

const notAsked: Read = { state: 'not_asked', reason: null, parsed: null }

export async function readExtra(
  deps: PreviewDeps,
  url: string,
  kind: LadderUrl['kind'],
  limits: ExtraLimits,
): Promise<Read> {
  const failed = (reason: string): Read => ({ state: 'failed', reason, parsed: null })
  const rules = deps.respectRobots
    ? await within(deps.robots.rulesFor(url), limits.signal)
    : freeForAll
  if (rules === null || !(await limits.turn(limits.signal))) return failed('timeout')
  if (!rules.allows(url)) return failed('robots')
  // Due in a while: a preview is no time to try the cheaper ways once more.
  const retryAt = new Date(deps.clock.now().getTime() + 3_600_000)
  const memory = { tier: limits.tier, retryAt, failures: 0 }
  const climb = deps.ladder({ renderMode: 'static', proxy: null, memory })
  const answer = await climb.fetch(
    { id: url, kind, isStart: false },
    { url, signal: limits.signal, maxBytes: mostBytes },
  )
  if (!answer.ok) return failed(answer.kind === 'stopped' ? 'timeout' : answer.kind)
  const now = () => deps.clock.now()
  const input = surveyInput(answer.finalUrl, answer.body, answer.headers, {
    userAgent: deps.userAgent,
    now,
  })
  try {
    return { state: 'read', reason: null, parsed: await deps.pool.parse({ ...input, kind }) }
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error
    return failed('unparsable')
  }
}

/** The answer, or null when the time is up first; the work itself ends by its own limits. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const late = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  return Promise.race([work, late])
}
