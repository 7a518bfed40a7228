import { transaction, type Sql } from '../../src/db/pool.ts'
import { insertRawItems } from '../../src/extract/store.ts'
import type { RawItem } from '../../src/extract/types.ts'
import { normalizeUrl, urlHash } from '../../src/kernel/url.ts'

export function rawEvent(
  title: string,
  start: string | null,
  more: Partial<RawItem> = {},
  city = 'Utrecht',
): RawItem {
  return {
    kind: 'calendar_event',
    strategy: 'json_ld',
    title,
    url: `https://example.org/agenda/${encodeURIComponent(title)}`,
    description: 'Een avond met verhalen en muziek voor iedereen die van luisteren houdt.',
    imageUrl: null,
    language: 'nl',
    tags: [],
    confidence: 0.9,
    provenance: {},
    calendar: {
      start,
      end: null,
      timeText: null,
      allDay: null,
      timezone: null,
      locations: [
        {
          name: 'De Zaal',
          address: 'Neude 11',
          city,
          postalCode: null,
          country: 'NL',
          lat: null,
          lng: null,
        },
      ],
      onlineUrl: null,
      status: 'scheduled',
      organizer: null,
      price: null,
      uid: null,
      sequence: null,
      recurring: false,
    },
    article: null,
    ...more,
  }
}

export function rawArticle(title: string, text: string, url: string): RawItem {
  return {
    ...rawEvent(title, null),
    kind: 'article',
    strategy: 'article',
    url,
    description: null,
    calendar: null,
    article: {
      text,
      markdown: text,
      byline: 'Redactie',
      publishedAt: '2026-11-14T10:00:00Z',
      modifiedAt: null,
      section: null,
      canonicalUrl: null,
      paywalled: false,
    },
  }
}

export async function addItems(
  sql: Sql,
  sourceId: string,
  items: readonly RawItem[],
  runId: string | null = null,
): Promise<void> {
  await transaction(sql, (tx) =>
    insertRawItems(
      tx,
      items.map((item) => ({
        source_id: sourceId,
        run_id: runId,
        page_id: null as never,
        url_hash: item.url === null ? null : urlHash(normalizeUrl(item.url) ?? item.url),
        item,
      })),
    ),
  )
}
