import type { StrategyName } from '../../extract/types.ts'
import { recommend } from '../survey-url.ts'
import type { RobotsVerdict } from './preview-source.ts'
import type { DetailFinding } from './read-detail.ts'
import type { FeedFinding } from './read-extras.ts'
import type { PageFinding } from './read-page.ts'
import { guessRegion } from './region.ts'

interface Setting<T> {
  value: T
  /** From a closed list, so that every language has words for it. */
  why: Why
}

export type Why =
  | 'site_name'
  | 'page_title'
  | 'host_name'
  | 'found_items'
  | 'found_in_feeds'
  | 'nothing_found'
  | 'only_with_scripts'
  | 'plain_is_enough'
  | 'crawl_delay'
  | 'careful_start'
  | 'page_language'
  | 'country_of_address'
  | 'item_zone'
  | 'unknown'
  | 'fingerprint'

export interface Recommended {
  name: Setting<string>
  kind: Setting<'news' | 'events' | 'mixed'>
  preferred_method: Setting<StrategyName | null>
  render_mode: Setting<'auto' | 'browser' | null>
  feed_urls: Setting<string[]>
  rate_limit: Setting<number | null>
  timezone: Setting<string | null>
  locale: Setting<string | null>
  detected_cms: Setting<string | null>
}

interface Findings {
  url: string
  robots: RobotsVerdict
  page: PageFinding
  detail: DetailFinding | null
  feeds: readonly FeedFinding[]
}

/** Settings a source of this address would do well with, each with its reason. */
export function recommendSettings(findings: Findings): Recommended {
  const { page, robots, feeds } = findings
  const parsed = page.survey?.parsed ?? null
  const useful = feeds.filter((feed) => feed.items > 0)
  const basis = page.survey === null ? null : recommend(page.survey, null)
  const foundItems = (parsed?.items.length ?? 0) > 0
  const method = parsed?.strategy ?? (useful.length > 0 ? 'feed' : null)
  const scripted = page.tier === 'browser' || parsed?.needsBrowser === true
  const seconds = robots.crawlDelayMs === null ? null : robots.crawlDelayMs / 1000
  return {
    name: nameOf(findings),
    kind: kindOf(findings, foundItems, basis?.kind ?? 'mixed'),
    preferred_method: {
      value: method,
      why: foundItems ? 'found_items' : method === null ? 'nothing_found' : 'found_in_feeds',
    },
    render_mode: scripted
      ? { value: 'browser', why: 'only_with_scripts' }
      : { value: null, why: 'plain_is_enough' },
    feed_urls: {
      value: useful.map((feed) => feed.url),
      why: useful.length > 0 ? 'found_in_feeds' : 'nothing_found',
    },
    rate_limit:
      seconds === null || seconds === 0
        ? { value: 1, why: 'careful_start' }
        : { value: Math.min(1, Number((1 / seconds).toFixed(3))), why: 'crawl_delay' },
    ...guessRegion(findings.url, page.survey),
    detected_cms: {
      value: parsed?.cms ?? null,
      why: parsed?.cms ? 'fingerprint' : 'nothing_found',
    },
  }
}

function kindOf(
  { detail, feeds }: Findings,
  foundItems: boolean,
  byItems: 'news' | 'events' | 'mixed',
): Setting<'news' | 'events' | 'mixed'> {
  if (foundItems) return { value: byItems, why: 'found_items' }
  if (detail?.item)
    return { value: detail.item.kind === 'article' ? 'news' : 'events', why: 'found_items' }
  const calendars = feeds.filter((feed) => feed.kind === 'ics' && feed.items > 0).length
  const papers = feeds.filter((feed) => feed.kind === 'feed' && feed.items > 0).length
  if (calendars + papers === 0) return { value: 'mixed', why: 'nothing_found' }
  const value = calendars === 0 ? 'news' : papers === 0 ? 'events' : 'mixed'
  return { value, why: 'found_in_feeds' }
}

function nameOf({ url, page }: Findings): Setting<string> {
  const siteName = page.survey?.siteName?.trim() ?? ''
  if (siteName !== '') return { value: siteName.slice(0, 200), why: 'site_name' }
  const title =
    page.survey?.parsed.title
      ?.split(/\s+[|–—·-]\s+/)
      .at(-1)
      ?.trim() ?? ''
  if (title !== '' && title.length <= 60) return { value: title, why: 'page_title' }
  return { value: new URL(url).hostname.replace(/^www\./, ''), why: 'host_name' }
}
