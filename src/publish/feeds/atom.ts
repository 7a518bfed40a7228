import type { FeedEntry, FeedPage } from './entries.ts'
import { element, emptyElement, htmlOf } from './xml.ts'

export function atomOf(page: FeedPage): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n',
    element('id', `urn:uuid:${page.route.id}`),
    element('title', page.route.name),
    element('updated', page.updatedAt.toISOString()),
    element('generator', 'Millrace'),
    '<author>\n',
    element('name', 'Millrace'),
    '</author>\n',
    emptyElement('link', { rel: 'self', href: page.selfUrl, type: 'application/atom+xml' }),
    emptyElement('link', { rel: 'alternate', href: page.siteUrl }),
    page.nextUrl === null ? '' : emptyElement('link', { rel: 'next', href: page.nextUrl }),
    ...page.entries.map(entryOf),
    '</feed>\n',
  ].join('')
}

function entryOf({ payload, changedAt }: FeedEntry): string {
  return [
    '<entry>\n',
    element('id', `urn:uuid:${payload.id}`),
    element('title', payload.title),
    element('updated', changedAt.toISOString()),
    element('published', payload.published_at),
    '<author>\n',
    element('name', payload.author ?? (payload.source.name || 'unknown')),
    '</author>\n',
    payload.url === null ? '' : emptyElement('link', { rel: 'alternate', href: payload.url }),
    payload.image_url === null
      ? ''
      : emptyElement('link', { rel: 'enclosure', href: payload.image_url }),
    element('summary', payload.description),
    // An entry without an address has to carry its content.
    element(
      'content',
      htmlOf(payload.text === '' ? payload.description || payload.title : payload.text),
      { type: 'html' },
    ),
    ...[...payload.topics, ...payload.tags].map((term) => emptyElement('category', { term })),
    '</entry>\n',
  ].join('')
}
