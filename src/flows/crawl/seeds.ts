import type { FoundUrl } from '../../crawl/frontier/types.ts'
import type { HostRules } from '../../crawl/politeness/robots-cache.ts'
import type { CrawlTarget } from './target.ts'

const mostSitemaps = 20
const feedPaths = ['/feed', '/rss.xml', '/feed.xml', '/atom.xml', '/rss']
const agendaPaths = ['/agenda', '/evenementen', '/programma', '/events']

/** A run always looks at the front door; feeds and sitemaps tell the rest cheaply. */
export function seedsOf(target: CrawlTarget, rules: HostRules): FoundUrl[] {
  return [
    { url: target.startUrl, kind: 'listing', origin: 'start', depth: 0, priority: 100 },
    ...target.feedUrls.map((url) => seed(url, 'feed', 'feed', 90)),
    ...rules.sitemaps.slice(0, mostSitemaps).map((url) => seed(url, 'sitemap', 'sitemap', 85)),
  ]
}

/** Where sites keep what they did not tell us about: asked for once, when nothing better is known. */
export function usualPlaces(
  target: CrawlTarget,
  rules: HostRules,
  known: { feeds: number; items: number },
): FoundUrl[] {
  const at = (path: string): string => new URL(path, target.startUrl).href
  return [
    ...(rules.sitemaps.length === 0
      ? [seed(at('/sitemap.xml'), 'sitemap', 'alternative', 30)]
      : []),
    ...(known.feeds === 0
      ? feedPaths.map((path) => seed(at(path), 'feed', 'alternative', 25))
      : []),
    ...(known.items === 0 && target.kind !== 'news'
      ? agendaPaths.map((path) => seed(at(path), 'listing', 'alternative', 20))
      : []),
  ].filter(({ url }) => rules.allows(url))
}

function seed(
  url: string,
  kind: FoundUrl['kind'],
  origin: FoundUrl['origin'],
  priority: number,
): FoundUrl {
  return { url, kind, origin, depth: origin === 'alternative' ? 1 : 0, priority }
}
