import type { ItemKind, RawItem } from '../types.ts'

/** A raw item of this strategy with a title and nothing else yet. */
export function emptyItem(kind: ItemKind, title: string): RawItem {
  return {
    kind,
    strategy: 'dom',
    title,
    url: null,
    description: null,
    imageUrl: null,
    language: null,
    tags: [],
    confidence: 0.5,
    provenance: {},
    calendar:
      kind === 'article'
        ? null
        : {
            start: null,
            end: null,
            timeText: null,
            allDay: null,
            timezone: null,
            locations: [],
            onlineUrl: null,
            status: 'scheduled',
            organizer: null,
            price: null,
            uid: null,
            sequence: null,
            recurring: false,
          },
    article:
      kind === 'calendar_event'
        ? null
        : {
            text: '',
            markdown: '',
            byline: null,
            publishedAt: null,
            modifiedAt: null,
            section: null,
            canonicalUrl: null,
            paywalled: false,
          },
  }
}
