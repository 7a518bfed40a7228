import { feedItems, parseFeed } from './feeds/index.ts'
import { icsItems, parseIcs } from './ics/index.ts'
import type { Strategy } from './strategy.ts'

const pastMs = 31 * 86_400_000
const aheadMs = 400 * 86_400_000

/** The body itself is a feed or a calendar file. Links to feeds are the frontier's business. */
export const feedStrategy: Strategy = {
  name: 'feed',
  extract: (page) => {
    const start = page.body.slice(0, 1000).trimStart()
    if (/^\ufeff?BEGIN:VCALENDAR/i.test(start)) {
      const now = page.fetchedAt.getTime()
      return icsItems(parseIcs(page.body), page.url, {
        from: new Date(now - pastMs),
        to: new Date(now + aheadMs),
      })
    }
    if (!looksLikeFeed(start, page.contentType)) return []
    const feed = parseFeed(page.body, page.url)
    return feed === null ? [] : feedItems(feed, page.url)
  },
}

function looksLikeFeed(start: string, contentType: string | null): boolean {
  if (/<(?:rss|feed|rdf:rdf)[\s>]/i.test(start)) return true
  if (/^\s*\{[^<]*"version"\s*:\s*"https?:\/\/(?:www\.)?jsonfeed\.org/i.test(start)) return true
  return /(?:rss|atom|feed)\+(?:xml|json)/i.test(contentType ?? '')
}
