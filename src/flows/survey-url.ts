import { decodeBody } from '../crawl/charset/index.ts'
import type { FetchRequest, FetchResult } from '../crawl/fetch/types.ts'
import { crawlDelay, isAllowed, parseRobots } from '../crawl/robots/index.ts'
import type { ItemKind, StrategyName } from '../extract/types.ts'
import type { ParseInput } from './parse/parse-page.ts'
import type { PageSurvey } from './parse/survey-page.ts'

export interface RobotsFinding {
  status: number | null
  allowed: boolean
  crawlDelayMs: number | null
  sitemaps: string[]
}

/** Settings a new source of this page would do well with. */
export interface Recommendation {
  kind: 'news' | 'events' | 'mixed'
  preferredMethod: StrategyName | null
  renderMode: 'auto' | 'browser'
  feedUrls: string[]
  rateLimit: number
  intervalMinutes: number
  /** Why, one sentence each. */
  reasons: string[]
}

export type UrlSurvey =
  | {
      ok: true
      url: string
      status: number
      robots: RobotsFinding
      survey: PageSurvey
      recommended: Recommendation
    }
  | { ok: false; url: string; reason: string; detail: string; robots: RobotsFinding }

export interface SurveyDeps {
  fetch: (request: FetchRequest) => Promise<FetchResult>
  survey: (input: ParseInput) => PageSurvey | Promise<PageSurvey>
  userAgent: string
  respectRobots: boolean
  now: () => Date
}

const maxFeeds = 10
const robotsBytes = 600_000

/** Looks at an address the way a crawl would: robots.txt first, then the page through every strategy. */
export async function surveyUrl(
  deps: SurveyDeps,
  url: string,
  preferredKind?: ItemKind,
): Promise<UrlSurvey> {
  const robots = await readRobots(deps, url)
  if (!robots.allowed && deps.respectRobots)
    return { ok: false, url, reason: 'robots', detail: 'robots.txt refuses this address', robots }
  const answer = await deps.fetch({ url })
  if (!answer.ok)
    return { ok: false, url: answer.finalUrl, reason: answer.kind, detail: answer.detail, robots }
  const survey = await deps.survey(
    surveyInput(answer.finalUrl, answer.body, answer.headers, deps, preferredKind),
  )
  return {
    ok: true,
    url: answer.finalUrl,
    status: answer.status,
    robots,
    survey,
    recommended: recommend(survey, robots),
  }
}

export function surveyInput(
  url: string,
  body: Uint8Array,
  headers: Record<string, string>,
  { userAgent, now }: Pick<SurveyDeps, 'userAgent' | 'now'>,
  preferredKind?: ItemKind,
): ParseInput {
  return {
    url,
    kind: 'listing',
    body,
    headers,
    fetchedAt: now().getTime(),
    userAgent,
    options: preferredKind === undefined ? {} : { preferredKind },
    knownHash: null,
    packFolder: null,
    extract: true,
  }
}

/** RFC 9309: no robots.txt allows everything, a broken server forbids everything. */
async function readRobots(deps: SurveyDeps, url: string): Promise<RobotsFinding> {
  const answer = await deps.fetch({ url: new URL('/robots.txt', url).href, maxBytes: robotsBytes })
  if (!answer.ok) {
    const allowed = answer.status !== null && answer.status < 500 && answer.status !== 429
    return { status: answer.status, allowed, crawlDelayMs: null, sitemaps: [] }
  }
  const { text } = decodeBody(answer.body, answer.headers['content-type'] ?? 'text/plain')
  const robots = parseRobots(text)
  const seconds = crawlDelay(robots, deps.userAgent)
  return {
    status: answer.status,
    allowed: isAllowed(robots, deps.userAgent, url),
    crawlDelayMs: seconds === null ? null : seconds * 1000,
    sitemaps: robots.sitemaps,
  }
}

export function recommend(survey: PageSurvey, robots: RobotsFinding | null): Recommendation {
  const { parsed, feeds } = survey
  const events = parsed.items.filter((item) => item.kind === 'calendar_event').length
  const articles = parsed.items.length - events
  const kind =
    events > 0 && articles > 0 ? 'mixed' : events > 0 ? 'events' : articles > 0 ? 'news' : 'mixed'
  const reasons: string[] = []
  if (parsed.strategy !== null)
    reasons.push(`${parsed.strategy} found ${parsed.items.length} items on this page`)
  if (parsed.needsBrowser) reasons.push('the page is drawn by its scripts')
  if (parsed.saysEmpty) reasons.push('the page says that nothing is planned')
  if (feeds.length > 0) reasons.push(`the page links ${feeds.length} feeds`)
  const delay = robots?.crawlDelayMs ?? null
  if (delay !== null && delay > 1000)
    reasons.push(`robots.txt asks for ${delay / 1000} seconds between requests`)
  return {
    kind,
    preferredMethod: parsed.strategy,
    renderMode: parsed.needsBrowser ? 'browser' : 'auto',
    feedUrls: feeds.slice(0, maxFeeds).map((feed) => feed.url),
    rateLimit: delay === null ? 1 : Math.min(1, Number((1000 / Math.max(delay, 1)).toFixed(3))),
    intervalMinutes: kind === 'news' ? 60 : kind === 'events' ? 720 : 240,
    reasons,
  }
}
