export type StrategyName = 'hydration' | 'json_ld' | 'feed' | 'dom' | 'article'
export type ExtraState = 'read' | 'failed' | 'not_asked'

export interface SampleItem {
  kind: 'article' | 'calendar_event'
  title: string
  url: string | null
  start: string | null
  end: string | null
  place: string | null
  published_at: string | null
  byline: string | null
  image_url: string | null
  excerpt: string | null
  text_chars: number
  confidence: number
}

export interface StrategyFinding {
  strategy: StrategyName
  outcome: string
  found: number
  ms: number
  /** Why it was passed over. */
  note: string | null
  calendar_events: number
  articles: number
  /** How many of the items have each field. */
  fields: Record<string, number>
  samples: SampleItem[]
}

export interface Suggestion<T> {
  value: T
  why: string
}

export interface Suggestions {
  name: Suggestion<string>
  kind: Suggestion<string>
  preferred_method: Suggestion<StrategyName | null>
  render_mode: Suggestion<string | null>
  feed_urls: Suggestion<string[]>
  rate_limit: Suggestion<number | null>
  timezone: Suggestion<string | null>
  locale: Suggestion<string | null>
  detected_cms: Suggestion<string | null>
}

/** What an address would be as a source; parts that failed say so. */
export interface SourcePreview {
  url: string
  existing_source: { id: string; name: string } | null
  robots: {
    verdict: 'rules' | 'allow_all' | 'disallow_all'
    allowed: boolean
    crawl_delay_ms: number | null
    sitemaps: string[]
    unreachable: string | null
  }
  page: {
    state: 'read' | 'refused' | 'blocked' | 'failed' | 'unreachable'
    reason: string | null
    detail: string | null
    url: string
    status: number | null
    tier: string | null
    tried: { tier: string; outcome: string; ms: number }[]
    title: string | null
    cms: string | null
    language: string | null
    charset: string | null
    says_empty: boolean
    noindex: boolean
    winner: StrategyName | null
    items: number
    listings: { url: string; text: string }[]
  }
  strategies: StrategyFinding[]
  detail: {
    url: string
    state: ExtraState
    reason: string | null
    strategy: StrategyName | null
    item: SampleItem | null
  } | null
  feeds: {
    url: string
    title: string | null
    kind: 'feed' | 'ics'
    origin: 'page' | 'guess'
    state: ExtraState
    reason: string | null
    items: number
    titles: string[]
  }[]
  sitemaps: {
    url: string
    origin: 'robots' | 'guess'
    state: ExtraState
    reason: string | null
    entries: number
    is_index: boolean
    newest_at: string | null
  }[]
  recommended: Suggestions
  took_ms: number
}
