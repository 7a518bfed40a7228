import type { FoundUrl } from '../../crawl/frontier/types.ts'
import type { ClaimedUrl } from '../../crawl/frontier/types.ts'
import type { HostRules } from '../../crawl/politeness/robots-cache.ts'
import type { DomainSighting } from '../../crawl/pages.ts'
import { outOfScope } from '../../crawl/scope.ts'
import { registrableDomain } from '../../kernel/url.ts'
import type { PageLink } from '../../extract/links/page-links.ts'
import type { HandedOver } from './handed-over.ts'
import type { ParsedPage } from '../parse/parse-page.ts'
import type { CrawlTarget } from './target.ts'

export interface Discovery {
  urls: FoundUrl[]
  domains: DomainSighting[]
}

const listingPriority = 70
const detailPriority = 60
const pagePriority = 40
const feedPriority = 80

/** What a page leads to: into the frontier, refused with a reason, or another site to count. */
export function discover(
  from: ClaimedUrl,
  page: ParsedPage,
  target: CrawlTarget,
  rules: HostRules,
  known: Pick<HandedOver, 'has' | 'hasRefused'>,
): Discovery {
  const urls: FoundUrl[] = []
  const domains = new Map<string, DomainSighting>()
  const next = new Set(page.nextPages)
  const origin = `${new URL(from.url).origin}/`
  // Other hosts have rules of their own, asked for when their pages are visited.
  const allows = (url: string): boolean => !url.startsWith(origin) || rules.allows(url)
  for (const link of page.links) {
    if (known.has(link.url)) continue
    if (target.feedsOnly && link.kind !== 'feed' && link.kind !== 'ics') continue
    const found = toFound(link, from, next.has(link.url))
    const reason = refusal(link, found, target, allows)
    if (reason !== null && known.hasRefused(link.url)) continue
    if (reason === 'offsite') countDomain(domains, link)
    else if (reason !== 'asset') urls.push(reason === null ? found : { ...found, refused: reason })
  }
  for (const entry of page.sitemap) {
    const depth = 1
    const reason =
      (entry.isSitemap
        ? // Which pages are wanted says nothing about the lists that name them.
          outOfScope(entry.url, 0, { ...target.scope, includePatterns: [] })
        : outOfScope(entry.url, depth, target.scope)) ?? (allows(entry.url) ? null : 'robots')
    if (reason === 'offsite' || reason === 'asset') continue
    urls.push({
      url: entry.url,
      kind: entry.isSitemap ? 'sitemap' : 'page',
      origin: 'sitemap',
      depth,
      priority: entry.isSitemap ? listingPriority : detailPriority - 5,
      changedAt: entry.changedAt === null ? null : new Date(entry.changedAt),
      refused: reason,
    })
  }
  return {
    urls: [...urls, ...itemUrls(from, page, target, allows)],
    domains: [...domains.values()],
  }
}

/** Items of a feed or a listing have pages of their own. */
function itemUrls(
  from: ClaimedUrl,
  page: ParsedPage,
  target: CrawlTarget,
  allows: (url: string) => boolean,
): FoundUrl[] {
  if (from.kind !== 'feed') return []
  return page.items.flatMap((item) => {
    if (item.url === null) return []
    const reason = outOfScope(item.url, 1, target.scope) ?? (allows(item.url) ? null : 'robots')
    if (reason === 'offsite' || reason === 'asset') return []
    return [
      {
        url: item.url,
        kind: 'page' as const,
        origin: 'feed' as const,
        depth: 1,
        priority: detailPriority,
        refused: reason,
      },
    ]
  })
}

function toFound(link: PageLink, from: ClaimedUrl, isNext: boolean): FoundUrl {
  const feed = link.kind === 'feed' || link.kind === 'ics'
  const listing = isNext || link.kind === 'listing'
  return {
    url: link.url,
    kind: feed ? 'feed' : listing ? 'listing' : 'page',
    origin: 'link',
    // Turning a page of the same list is not a step deeper into the site.
    depth: isNext ? from.depth : from.depth + 1,
    priority: feed
      ? feedPriority
      : listing
        ? listingPriority
        : link.kind === 'article' || link.kind === 'event'
          ? detailPriority
          : pagePriority,
    anchor: link.text === '' ? null : link.text,
    foundOn: from.id,
  }
}

function refusal(
  link: PageLink,
  found: FoundUrl,
  target: CrawlTarget,
  allows: (url: string) => boolean,
): string | null {
  const scope = outOfScope(link.url, found.depth, target.scope)
  if (scope === 'offsite') return scope
  if (!allows(link.url)) return 'robots'
  if (scope !== null) return scope
  if (link.kind === 'asset') return 'asset'
  if (link.nofollow) return 'nofollow'
  return link.calendarTrap ? 'calendar_trap' : null
}

function countDomain(domains: Map<string, DomainSighting>, link: PageLink): void {
  const domain = registrableDomain(link.url)
  if (domain === null) return
  const known = domains.get(domain)
  if (known === undefined)
    domains.set(domain, { domain, links: 1, url: link.url, anchor: link.text || null })
  else known.links++
}
