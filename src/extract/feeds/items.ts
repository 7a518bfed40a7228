import type { FieldOrigin, RawCalendarFields, RawItem, RawLocation } from '../types.ts'
import { htmlToParagraphs, htmlToText } from './html-text.ts'
import type { Feed, FeedEventFields, FeedItem } from './types.ts'
import { absoluteUrl } from './absolute-url.ts'

const SNIPPET_CHARS = 200
// A feed is written by the site itself for machines; only its dates of events are at times free text.
const CONFIDENCE = 0.9

/** Items of a feed in the shape every extraction strategy gives: events when they say when, articles else. */
export function feedItems(feed: Feed, pageUrl: string): RawItem[] {
  return feed.items
    .map((item, index) => toRawItem(feed, item, index, pageUrl))
    .filter((item) => item.title !== '')
}

function toRawItem(feed: Feed, item: FeedItem, index: number, pageUrl: string): RawItem {
  const html = item.content ?? item.summary ?? ''
  const text = htmlToParagraphs(html)
  const title = item.title ?? htmlToText(html).slice(0, 100)
  const url = webUrl(absoluteUrl(item.link, pageUrl))
  return {
    kind: item.event ? 'calendar_event' : 'article',
    strategy: 'feed',
    title,
    url,
    description: htmlToText(item.summary ?? html) || null,
    imageUrl: webUrl(absoluteUrl(item.image, pageUrl)),
    language: feed.language,
    tags: item.categories,
    confidence: CONFIDENCE,
    provenance: provenance(feed, item, index),
    calendar: item.event ? calendarFields(item, item.event) : null,
    article: item.event
      ? null
      : {
          text,
          markdown: text,
          byline: item.author,
          publishedAt: item.date,
          modifiedAt: item.modified,
          section: item.categories[0] ?? null,
          canonicalUrl: url,
          paywalled: false,
        },
  }
}

function calendarFields(item: FeedItem, event: FeedEventFields): RawCalendarFields {
  return {
    start: event.start,
    end: event.end,
    timeText: null,
    allDay: /^\d{4}-\d\d-\d\d$/.test(event.start ?? '') ? true : null,
    timezone: null,
    locations: locations(event),
    onlineUrl: null,
    status: /\b(?:cancell?ed|geannuleerd|afgelast)\b/i.test(item.title ?? '')
      ? 'cancelled'
      : 'scheduled',
    organizer: event.organizer,
    price: null,
    uid: item.guid,
    sequence: null,
    recurring: false,
  }
}

function locations({ location, lat, lng }: FeedEventFields): RawLocation[] {
  if (location === null && lat === null) return []
  return [{ name: location, address: null, city: null, postalCode: null, country: null, lat, lng }]
}

function provenance(feed: Feed, item: FeedItem, index: number): Record<string, FieldOrigin> {
  const element = feed.format === 'atom' ? 'entry' : feed.format === 'json' ? 'items' : 'item'
  const values: Record<string, string | null | undefined> = {
    title: item.title,
    url: item.link,
    description: item.summary ?? item.content,
    imageUrl: item.image,
    publishedAt: item.event ? null : item.date,
    byline: item.event ? null : item.author,
    start: item.event?.start,
    end: item.event?.end,
    locations: item.event?.location,
    organizer: item.event?.organizer,
    uid: item.event ? item.guid : null,
  }
  const origins: Record<string, FieldOrigin> = {}
  for (const [field, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue
    const path = `${feed.format}/${element}[${index}]/${field}`
    origins[field] = {
      strategy: 'feed',
      path,
      confidence: CONFIDENCE,
      snippet: value.slice(0, SNIPPET_CHARS),
    }
  }
  return origins
}

function webUrl(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) ? url : null
}
