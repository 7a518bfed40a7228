// What goes into normalization and what comes out of it. The input has the shape of an extracted item.

export interface PlaceInput {
  name: string | null
  address: string | null
  city: string | null
  postalCode: string | null
  country: string | null
  lat: number | null
  lng: number | null
}

export interface CalendarInput {
  start: string | null
  end: string | null
  timeText: string | null
  allDay: boolean | null
  timezone: string | null
  locations: PlaceInput[]
  onlineUrl: string | null
  status: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'moved_online'
  organizer: string | null
  price: string | null
  uid: string | null
  sequence: number | null
  recurring: boolean
}

export interface ArticleInput {
  text: string
  markdown: string
  byline: string | null
  publishedAt: string | null
  modifiedAt: string | null
  section: string | null
  canonicalUrl: string | null
  paywalled: boolean
}

export interface Origin {
  strategy: string
  path: string
  confidence: number
  snippet?: string
}

export interface ItemInput {
  kind: 'article' | 'calendar_event'
  strategy: string
  title: string
  url: string | null
  description: string | null
  imageUrl: string | null
  language: string | null
  tags: string[]
  confidence: number
  provenance: Record<string, Origin>
  calendar: CalendarInput | null
  article: ArticleInput | null
}

/** What the source says about everything it publishes. */
export interface SourceContext {
  id: string
  name: string
  url: string
  timezone: string
  locale: string
  defaultLat: number | null
  defaultLng: number | null
}

export interface PageContext {
  /** Of the page the item stood on; the item's own address when it names none. */
  url: string | null
  fetchedAt: Date
}

export const categories = [
  'active',
  'gaming',
  'entertainment',
  'social',
  'family',
  'outdoors',
  'music',
  'workshops',
  'foodie',
  'community',
] as const
export type Category = (typeof categories)[number]

/** How well a place is known; everything below `address` may still be improved by a geocoder. */
export type GeoPrecision = 'exact' | 'address' | 'city' | 'source' | 'country'

export interface StructuredDate {
  /** Local wall time: YYYY-MM-DD or YYYY-MM-DDTHH:MM. */
  start: string
  end: string | null
  /** 0 to 1: how much of it stood in the text. */
  certainty: number
  text: string | null
}

export interface When {
  eventDate: string
  /** HH:MM, or TBD when no time is told. */
  eventTime: string
  startsAt: Date
  endsAt: Date | null
  allDay: boolean
  timezone: string
  structured: StructuredDate
}

export interface Where {
  venueName: string
  address: string | null
  city: string | null
  postalCode: string | null
  country: string | null
  lat: number
  lng: number
  precision: GeoPrecision
  /** What to ask a geocoder, when that could do better. */
  geoQuery: string | null
}

interface NormalizedBase {
  title: string
  url: string | null
  description: string
  imageUrl: string | null
  language: string
  tags: string[]
  confidence: number
  provenance: Record<string, Origin>
}

export interface NormalizedEvent extends NormalizedBase, When, Omit<Where, 'geoQuery'> {
  kind: 'calendar_event'
  geoQuery: string | null
  category: Category
  /** Rules were not sure: a second opinion may help. */
  categoryUnsure: boolean
  status: 'active' | 'cancelled' | 'postponed'
  onlineUrl: string | null
  organizer: string | null
  priceText: string | null
  sourceUid: string | null
  recurring: boolean
}

export interface NormalizedArticle extends NormalizedBase {
  kind: 'article'
  text: string
  markdown: string
  author: string | null
  section: string | null
  publishedAt: Date | null
  modifiedAt: Date | null
  wordCount: number
  paywalled: boolean
  qualityScore: number
}

export type NormalizeReason = 'no_title' | 'no_date' | 'no_text' | 'no_url'

export type Normalized =
  | { ok: true; item: NormalizedEvent | NormalizedArticle }
  | { ok: false; reason: NormalizeReason; message: string; undated?: UndatedEvent }

/** An event page that tells no date: it can still complete an event that is known under its address. */
export interface UndatedEvent {
  url: string
  description: string
  imageUrl: string | null
}
