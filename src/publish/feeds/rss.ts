import type { FeedEntry, FeedPage } from './entries.ts'
import { element, emptyElement, htmlOf } from './xml.ts'

export function rssOf(page: FeedPage): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>\n',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"',
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/">\n<channel>\n',
    element('title', page.route.name),
    element('link', page.siteUrl),
    element('description', `Everything on the route ${page.route.name}`),
    element('lastBuildDate', page.updatedAt.toUTCString()),
    element('generator', 'Millrace'),
    emptyElement('atom:link', { rel: 'self', href: page.selfUrl, type: 'application/rss+xml' }),
    page.nextUrl === null ? '' : emptyElement('atom:link', { rel: 'next', href: page.nextUrl }),
    ...page.entries.map(itemOf),
    '</channel>\n</rss>\n',
  ].join('')
}

function itemOf({ payload, changedAt }: FeedEntry): string {
  const published = payload.published_at === null ? changedAt : new Date(payload.published_at)
  return [
    '<item>\n',
    element('title', payload.title),
    element('link', payload.url),
    element('guid', payload.id, { isPermaLink: 'false' }),
    element('pubDate', published.toUTCString()),
    element('description', payload.description),
    element('content:encoded', htmlOf(payload.text)),
    element('dc:creator', payload.author),
    ...[...payload.topics, ...payload.tags].map((name) => element('category', name)),
    payload.image_url === null
      ? ''
      : emptyElement('enclosure', {
          url: payload.image_url,
          length: '0',
          type: imageType(payload.image_url),
        }),
    '</item>\n',
  ].join('')
}

/** RSS wants a type; the address is all we know of the picture. */
export function imageType(url: string): string {
  const extension = /\.(png|gif|webp|svg|avif)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase()
  if (extension === undefined) return 'image/jpeg'
  return extension === 'svg' ? 'image/svg+xml' : `image/${extension}`
}
