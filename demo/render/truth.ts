import type { DemoArticle, DemoEvent, TruthItem } from '../types.ts'
import { isWholeDay } from '../generate/local-time.ts'

/** What can be known of an event; a site that hides a field overrides it with null. */
export function truthOfEvent(
  event: DemoEvent,
  url: string | null,
  hidden: Partial<TruthItem> = {},
): TruthItem {
  return {
    id: event.id,
    kind: 'calendar_event',
    title: event.title,
    url,
    language: event.language,
    description: event.description,
    category: event.category,
    start: event.start,
    end: event.end,
    allDay: isWholeDay(event.start),
    timezone: event.timezone,
    location: { name: event.venue.name, address: event.venue.street, city: event.venue.city },
    status: event.status,
    organizer: event.organizer,
    publishedAt: null,
    author: null,
    section: null,
    paragraphs: [],
    boilerplate: [],
    sameAs: event.sameAs,
    ...hidden,
  }
}

export function truthOfArticle(
  article: DemoArticle,
  url: string,
  hidden: Partial<TruthItem> = {},
): TruthItem {
  return {
    id: article.id,
    kind: 'article',
    title: article.title,
    url,
    language: article.language,
    description: article.lead,
    category: null,
    start: null,
    end: null,
    allDay: null,
    timezone: null,
    location: null,
    status: null,
    organizer: null,
    publishedAt: article.publishedAt.toISOString(),
    author: article.author,
    // As sites write it: the address has it in small letters.
    section: article.section.charAt(0).toUpperCase() + article.section.slice(1),
    paragraphs: [article.lead, ...article.paragraphs],
    boilerplate: [],
    sameAs: article.sameAs,
    ...hidden,
  }
}
