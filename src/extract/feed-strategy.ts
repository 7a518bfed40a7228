import { feedItems, parseFeed } from './feeds/index.ts'
import { icsItems, parseIcs } from './ics/index.ts'
import type { Page } from './page.ts'
import type { Strategy } from './strategy.ts'

const pastMs = 31 * 86_400_000
const aheadMs = 400 * 86_400_000
const startChars = 1000

/** The body itself is a feed or a calendar file. Links to feeds are the frontier's business. */
export const feedStrategy: Strategy = {
  name: 'feed',
  extract: (page) => {
    if (isCalendar(page)) {
      const now = page.fetchedAt.getTime()
      return icsItems(parseIcs(page.body), page.url, {
        from: new Date(now - pastMs),
        to: new Date(now + aheadMs),
      })
    }
    if (!isFeed(page)) return []
    const feed = parseFeed(page.body, page.url)
    return feed === null ? [] : feedItems(feed, page.url)
  },
}

export function isFeedBody(page: Page): boolean {
  return isCalendar(page) || isFeed(page)
}

function isCalendar({ body }: Page): boolean {
  return /^\s*BEGIN:VCALENDAR/i.test(body.slice(0, startChars))
}

function isFeed({ body, contentType }: Page): boolean {
  const start = body.slice(0, startChars)
  if (/<html[\s>]|<!doctype html/i.test(start)) return false
  if (/<(?:\w+:)?(?:rss|feed|rdf)[\s>]/i.test(start)) return true
  if (/^\s*\{[^<]*"version"\s*:\s*"https?:\\?\/\\?\/(?:www\.)?jsonfeed\.org/i.test(start))
    return true
  return /(?:rss|atom|feed)\+(?:xml|json)/i.test(contentType ?? '')
}
