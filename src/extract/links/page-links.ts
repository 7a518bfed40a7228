import { remember } from '../../kernel/remember.ts'
import { normalizeUrl } from '../../kernel/url.ts'
import type { Page } from '../page.ts'
import type { PageArea } from '../scan.ts'
import { calendarView, isEndless, type CalendarView } from './calendar-trap.ts'
import { linkKind, type LinkKind } from './link-kind.ts'

export interface PageLink {
  /** Normalized: the frontier's identity of the page it leads to. */
  url: string
  text: string
  area: PageArea
  nofollow: boolean
  kind: LinkKind
  calendarTrap: boolean
}

const MAX_LINKS = 10_000
const TEXT_CHARS = 300
const RANK: Record<PageArea, number> = { main: 0, aside: 1, header: 2, nav: 3, footer: 4 }

/** What an address says by itself. */
type Address = Pick<PageLink, 'url' | 'kind'> & { view: CalendarView | null }

/** Every page this one leads to, once, with the words and the place that say most about it. */
export function pageLinks(page: Page): PageLink[] {
  const own = normalizeUrl(page.url)
  const found = new Map<string, PageLink>()
  for (const feed of page.scan.feeds) {
    const url = normalizeUrl(feed.href)
    if (url !== null && !found.has(url)) found.set(url, feedLink(url, feed.title, feed.type))
  }
  for (const link of page.scan.links) {
    const address = readAddress(link.href)
    if (address === null || address.url === own) continue
    const known = found.get(address.url)
    const text = link.text.slice(0, TEXT_CHARS)
    const nofollow = link.rel !== '' && /\bnofollow\b/i.test(link.rel)
    if (known !== undefined) join(known, text, link.area, nofollow)
    // Field by field: spreading the address made a shape of its own for every link.
    else if (found.size < MAX_LINKS)
      found.set(address.url, {
        url: address.url,
        kind: address.kind,
        text,
        area: link.area,
        nofollow,
        calendarTrap: isEndless(address.view, page.fetchedAt),
      })
  }
  return [...found.values()]
}

/** The pages of a site link to each other: most addresses were read before, and reading one costs more than finding it. */
const readAddress = remember(20_000, (href: string): Address | null => {
  const url = normalizeUrl(href)
  return url === null ? null : { url, kind: linkKind(url), view: calendarView(url) }
})

function feedLink(url: string, title: string | null, type: string | null): PageLink {
  return {
    url,
    text: title ?? '',
    area: 'header',
    nofollow: false,
    kind: type?.includes('calendar') === true ? 'ics' : 'feed',
    calendarTrap: false,
  }
}

// The same page linked twice: the longer words, the most telling area; one followed link is enough.
function join(known: PageLink, text: string, area: PageArea, nofollow: boolean): void {
  if (text.length > known.text.length) known.text = text
  if (RANK[area] < RANK[known.area]) known.area = area
  known.nofollow &&= nofollow
}
