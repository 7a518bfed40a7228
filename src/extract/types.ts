// The vocabulary of extraction: what goes into a strategy and what comes out of it.

export type ItemKind = 'article' | 'calendar_event'

export type StrategyName = 'hydration' | 'json_ld' | 'feed' | 'dom' | 'article'

/** Where one field came from, and how sure we are of it (0 to 1). */
export interface FieldOrigin {
  strategy: StrategyName
  /** JSON path, selector or tag name inside the page. */
  path: string
  confidence: number
  /** The text as it stood on the page, shortened. */
  snippet?: string
}

export interface RawLocation {
  name: string | null
  address: string | null
  city: string | null
  postalCode: string | null
  country: string | null
  lat: number | null
  lng: number | null
}

export type CalendarStatus =
  'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'moved_online'

/** Calendar fields as written on the page; dates stay text until they are normalized. */
export interface RawCalendarFields {
  start: string | null
  end: string | null
  timeText: string | null
  allDay: boolean | null
  timezone: string | null
  locations: RawLocation[]
  onlineUrl: string | null
  status: CalendarStatus
  organizer: string | null
  price: string | null
  uid: string | null
  sequence: number | null
  recurring: boolean
}

export interface RawArticleFields {
  text: string
  markdown: string
  byline: string | null
  publishedAt: string | null
  modifiedAt: string | null
  section: string | null
  canonicalUrl: string | null
  paywalled: boolean
}

export interface RawItem {
  kind: ItemKind
  strategy: StrategyName
  title: string
  /** Absolute URL of the item's own page, when it has one. */
  url: string | null
  description: string | null
  imageUrl: string | null
  language: string | null
  tags: string[]
  /** Of the item as a whole, 0 to 1. */
  confidence: number
  /** By field name: `title`, `start`, `locations`, ... */
  provenance: Record<string, FieldOrigin>
  calendar: RawCalendarFields | null
  article: RawArticleFields | null
}

export interface PageInput {
  url: string
  body: string
  contentType: string | null
  /** The reference for dates without a year. */
  fetchedAt: Date
  /** IANA zone of the source, for floating times. */
  timezone?: string
  locale?: string
}
