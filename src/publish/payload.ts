import { createHash } from 'node:crypto'
import type { Classification, ItemView } from './types.ts'

/** An item as consumers see it, on every channel the same. It holds nothing that changes without meaning. */
export interface ItemPayload {
  id: string
  kind: string
  source: { id: string; name: string }
  url: string | null
  title: string
  description: string
  text: string
  author: string | null
  section: string | null
  language: string
  tags: string[]
  category: string | null
  image_url: string | null
  published_at: string | null
  modified_at: string | null
  first_seen_at: string
  quality_score: number
  content_type: string
  content_type_confidence: number
  topics: string[]
  event: EventPayload | null
}

export interface EventPayload {
  starts_at: string
  ends_at: string | null
  all_day: boolean
  timezone: string | null
  venue_name: string | null
  address: string | null
  city: string | null
  country: string | null
  lat: number | null
  lng: number | null
  organizer: string | null
  price_text: string | null
  status: string | null
  sequence: number
}

export function payloadOf(item: ItemView, classification: Classification): ItemPayload {
  return {
    id: item.id,
    kind: item.kind,
    source: { id: item.sourceId, name: item.sourceName },
    url: item.url,
    title: item.title,
    description: item.description,
    text: item.text,
    author: item.author,
    section: item.section,
    language: item.language,
    tags: item.tags,
    category: item.category,
    image_url: item.imageUrl,
    published_at: iso(item.publishedAt),
    modified_at: iso(item.modifiedAt),
    first_seen_at: item.firstSeenAt.toISOString(),
    quality_score: classification.quality,
    content_type: classification.contentType,
    content_type_confidence: classification.confidence,
    topics: classification.topics,
    event: eventOf(item),
  }
}

/** Two payloads with the same hash tell a consumer the same. */
export function payloadHash(payload: ItemPayload, isGone = false): string {
  return createHash('sha256')
    .update(JSON.stringify(payload) + (isGone ? ' gone' : ''))
    .digest('hex')
}

function eventOf(item: ItemView): EventPayload | null {
  if (item.startAt === null) return null
  return {
    starts_at: item.startAt.toISOString(),
    ends_at: iso(item.endAt),
    all_day: item.allDay,
    timezone: item.timezone,
    venue_name: item.venueName,
    address: item.address,
    city: item.city,
    country: item.country,
    lat: item.lat,
    lng: item.lng,
    organizer: item.organizer,
    price_text: item.priceText,
    status: item.status,
    sequence: item.sequence,
  }
}

function iso(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
