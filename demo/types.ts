// The words of the demo web: what a site is made of, and what a perfect crawl of it yields.

export type Category =
  | 'active'
  | 'gaming'
  | 'entertainment'
  | 'social'
  | 'family'
  | 'outdoors'
  | 'music'
  | 'workshops'
  | 'foodie'
  | 'community'

export type Language = 'nl' | 'en'
export type Status = 'scheduled' | 'cancelled' | 'postponed'
export type PageKind = 'page' | 'listing' | 'feed' | 'sitemap'

export interface Venue {
  name: string
  street: string
  postalCode: string
  city: string
  country: string
}

export interface DemoEvent {
  kind: 'calendar_event'
  id: string
  slug: string
  title: string
  description: string
  category: Category
  language: Language
  /** Local wall time: YYYY-MM-DDTHH:MM, or YYYY-MM-DD when it lasts whole days. */
  start: string
  /** Local wall time; for whole days the last day, included. Null when the site does not tell. */
  end: string | null
  timezone: string
  venue: Venue
  organizer: string
  price: string
  status: Status
  sequence: number
  updatedAt: Date
  /** Ids of the same happening on other sites. */
  sameAs: string[]
  parent?: string
}

export interface DemoArticle {
  kind: 'article'
  id: string
  slug: string
  title: string
  lead: string
  paragraphs: string[]
  section: string
  author: string
  language: Language
  publishedAt: Date
  updatedAt: Date
  sameAs: string[]
}

export type DemoItem = DemoEvent | DemoArticle

/** Why a page of the truth is not fetched. */
export type RefusalReason =
  | 'robots'
  | 'nofollow'
  | 'blocked'
  | 'timeout'
  | 'too_large'
  | 'redirect_loop'
  | 'too_many_redirects'
  | 'connection'
  | 'trap'

export interface TruthPage {
  url: string
  kind: PageKind
  outcome: 'fetched' | 'refused'
  reason?: RefusalReason
  /** The cheapest way that works, when a plain request does not. */
  needs?: 'browser_headers' | 'browser'
}

/** One article or calendar event, field by field; null where the site does not say. */
export interface TruthItem {
  id: string
  kind: 'article' | 'calendar_event'
  title: string
  url: string | null
  language: Language
  description: string | null
  category: Category | null
  start: string | null
  end: string | null
  allDay: boolean | null
  timezone: string | null
  location: { name: string; address: string | null; city: string | null } | null
  status: Status | null
  organizer: string | null
  publishedAt: string | null
  author: string | null
  section: string | null
  paragraphs: string[]
  /** Texts on the item's page that do not belong to it: advertisements, comments, related links. */
  boilerplate: string[]
  sameAs: string[]
}

export type Strategy = 'hydration' | 'json_ld' | 'feed' | 'dom' | 'article'

export interface Truth {
  site: string
  seed: number
  now: string
  /** Counts the edits so far. */
  version: number
  /** The strategy that should win on item pages; null when nothing can be had. */
  strategy: Strategy | null
  pages: TruthPage[]
  items: TruthItem[]
  /** Pairs [own id, id elsewhere] of the same happening or text. */
  duplicates: [string, string][]
  /** Path patterns that have no end; a crawl takes the listed pages and must stop soon after. */
  traps: { pattern: string; atMost: number }[]
}

export interface Resource {
  body: string | Buffer
  type: string
  lastModified: Date
  status?: number
  headers?: Record<string, string>
  /** Set when a perfect crawl fetches this address. */
  page?: PageKind
  needs?: TruthPage['needs']
}

/** All addresses (path and query) of a site with what they answer, and the truth about them. */
export interface Rendered {
  resources: Map<string, Resource>
  strategy: Strategy | null
  items: TruthItem[]
  refused?: TruthPage[]
  traps?: Truth['traps']
}

export interface DemoRequest {
  method: string
  /** Path and query as asked. */
  target: string
  path: string
  headers: Record<string, string | string[] | undefined>
  /** Milliseconds, from a monotonic clock. */
  at: number
}

/** The connection under a request, for sites that do not answer the normal way. */
export interface Wire {
  send(resource: Resource): void
  stream(
    head: { status: number; headers: Record<string, string> },
    body: AsyncIterable<Buffer>,
  ): void
  reset(): void
}

export interface Site {
  items: DemoItem[]
  /** Unpublished items, used when an edit adds one. */
  reserve: DemoItem[]
  render(items: DemoItem[]): Rendered
  /** Answers in its own way and returns true, or leaves the request to the rendered pages. */
  intercept?(request: DemoRequest, wire: Wire, rendered: Rendered): boolean
  /** Forgets what interception remembers (counters, last request). */
  reset?(): void
}

export interface SiteContext {
  key: string
  name: string
  origin: string
  seed: number
  now: Date
  random: Random
  deal(category: Category, language: Language, count: number): Idea[]
  dealStories(language: Language, count: number): Story[]
  /** The items of another site as they are now. */
  peer(key: string): { name: string; origin: string; items: DemoItem[] }
}

export type SiteFactory = (context: SiteContext) => Site

export interface SourceDefaults {
  name: string
  url: string
  kind: 'news' | 'events' | 'mixed'
  priority: 'low' | 'normal' | 'high' | 'critical'
  rate_limit: number
  max_depth: number
  timezone: string
  locale: string
  tags: string[]
}

export interface SiteDefinition {
  key: string
  name: string
  kind: SourceDefaults['kind']
  behaviour: 'good' | 'misbehaving'
  description: string
  source?: Partial<Omit<SourceDefaults, 'name' | 'url' | 'kind'>>
  create: SiteFactory
}

export interface Idea {
  title: string
  description: string
  category: Category
}

export interface Story {
  section: string
  title: string
  lead: string
  sentences: string[]
}

export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** From min to max, both included. */
  int(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
  /** An independent generator that depends on nothing but this one's seed and the name. */
  fork(name: string): Random
}
