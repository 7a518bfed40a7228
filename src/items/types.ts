// What refinement hands over to be kept. Times are instants; everything that identifies is a hex hash.

export type ItemKind = 'article' | 'calendar_event'
export type ChangeName =
  'created' | 'updated' | 'rescheduled' | 'cancelled' | 'vanished' | 'restored'
export type Outcome = 'created' | 'updated' | 'unchanged' | 'completed' | 'failed'

export interface Sighting {
  rawItemId: string
  sourceId: string
  runId: string | null
  /** The known URL it stood on. */
  frontierId: string | null
  strategy: string
  /** 2 on the item's own page, 1 elsewhere, plus its confidence. */
  sight: number
  url: string | null
  urlHash: string | null
  confidence: number
  provenance: unknown
}

export interface EventContent {
  title: string
  description: string
  eventDate: string
  eventTime: string
  startsAt: Date
  endsAt: Date | null
  allDay: boolean
  timezone: string
  structured: unknown
  venueName: string
  address: string | null
  city: string | null
  postalCode: string | null
  country: string | null
  lat: number
  lng: number
  precision: string
  geoQuery: string | null
  category: string
  categoryUnsure: boolean
  language: string
  imageUrl: string | null
  organizer: string | null
  priceText: string | null
  onlineUrl: string | null
  tags: string[]
  recurring: boolean
  status: 'active' | 'cancelled' | 'postponed'
  sourceUid: string | null
}

export interface EventDraft extends Sighting {
  /** The address belongs to this event alone: no other event of its page carries it. */
  urlIsOwn: boolean
  event: EventContent
}

export interface ArticleContent {
  title: string
  description: string
  text: string
  markdown: string
  author: string | null
  section: string | null
  publishedAt: Date | null
  modifiedAt: Date | null
  imageUrl: string | null
  language: string
  tags: string[]
  wordCount: number
  paywalled: boolean
  qualityScore: number
}

export interface ArticleDraft extends Sighting {
  url: string
  urlHash: string
  article: ArticleContent
}

export interface Kept {
  rawItemId: string
  itemId: string
  outcome: Outcome
}

/** Field by field: what it was, what it is. */
export type FieldChanges = Record<string, [unknown, unknown]>

export interface Change {
  kind: ItemKind
  item_id: string
  source_id: string
  run_id: string | null
  change: ChangeName
  fields: FieldChanges
}
