// What classification and routing look at, and what they say about it.

export type ItemKind = 'article' | 'calendar_event'

/** A kept item as consumers see it. Only load-items.ts knows the tables it comes from. */
export interface ItemView {
  id: string
  kind: ItemKind
  sourceId: string
  sourceName: string
  url: string | null
  title: string
  description: string
  text: string
  author: string | null
  section: string | null
  language: string
  tags: string[]
  category: string | null
  imageUrl: string | null
  publishedAt: Date | null
  modifiedAt: Date | null
  wordCount: number
  startAt: Date | null
  endAt: Date | null
  allDay: boolean
  timezone: string | null
  venueName: string | null
  address: string | null
  city: string | null
  country: string | null
  lat: number | null
  lng: number | null
  organizer: string | null
  priceText: string | null
  /** Of a calendar event: active, rescheduled, postponed, cancelled or vanished; of an article nothing or vanished. */
  status: string | null
  sequence: number
  firstSeenAt: Date
  updatedAt: Date
}

export const contentTypes = [
  'article',
  'event',
  'listing',
  'page',
  'job',
  'recipe',
  'review',
  'video',
] as const
export type ContentType = (typeof contentTypes)[number]

export interface QualityParts {
  length: number
  metadata: number
  richness: number
  readability: number
}

export interface TopicMatch {
  topic: string
  confidence: number
  terms: string[]
}

export interface Classification {
  quality: number
  parts: QualityParts
  contentType: ContentType
  confidence: number
  topics: string[]
  topicScores: TopicMatch[]
  modelVersion: string
  contentHash: string
}

/** An item together with what was found out about it: what routes decide on. */
export interface ClassifiedItem {
  item: ItemView
  classification: Classification
}
