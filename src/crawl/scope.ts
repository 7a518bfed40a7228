import { registrableDomain } from '../kernel/url.ts'
import type { CrawlReason } from './reasons.ts'

export interface Scope {
  startUrl: string
  maxDepth: number
  includePatterns: readonly string[]
  excludePatterns: readonly string[]
}

const longestUrl = 1000
const mostQueryParameters = 6
const mostRepeatedSegments = 3
const assetPattern =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|css|js|mjs|woff2?|ttf|mp[34]|m4[av]|webm|avi|mov|zip|gz|rar|7z|exe|dmg|docx?|xlsx?|pptx?|pdf|epub)$/i
const sessionPattern =
  /(?:;jsessionid=|[?&](?:phpsessid|sid|sessionid|session_id|jsessionid|zenid)=)/i
const facetPattern =
  /[?&](?:sort|order|orderby|filter|filters|facet|view|display|dir|limit|perpage|per_page|color|size|price)(?:\[[^\]]*\])?=/gi

/** Why a link is outside of what this source wants crawled; null when it is in. */
export function outOfScope(url: string, depth: number, scope: Scope): CrawlReason | null {
  const parsed = URL.parse(url)
  if (parsed === null) return 'bad_response'
  if (url.length > longestUrl) return 'too_long'
  if (!isSameSite(parsed, scope.startUrl)) return 'offsite'
  const path = parsed.pathname + parsed.search
  if (scope.excludePatterns.some((pattern) => matches(pattern, path))) return 'excluded'
  if (
    scope.includePatterns.length > 0 &&
    !scope.includePatterns.some((pattern) => matches(pattern, path))
  )
    return 'not_included'
  if (depth > scope.maxDepth) return 'depth'
  if (assetPattern.test(parsed.pathname)) return 'asset'
  return trap(parsed)
}

/** Same registrable domain; for bare addresses, which have none, the same host and port. */
function isSameSite(url: URL, startUrl: string): boolean {
  const start = new URL(startUrl)
  if (url.host === start.host) return true
  const domain = registrableDomain(url.href)
  return domain !== null && domain === registrableDomain(startUrl)
}

/** Addresses that servers make up without end. */
function trap(url: URL): CrawlReason | null {
  if (sessionPattern.test(url.href)) return 'session_trap'
  if ([...url.searchParams].length > mostQueryParameters) return 'faceted'
  if ((url.search.match(facetPattern) ?? []).length >= 3) return 'faceted'
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const repeated = segments.filter((segment, index) => segments.indexOf(segment) !== index).length
  return repeated >= mostRepeatedSegments || segments.length > 20 ? 'faceted' : null
}

const compiled = new Map<string, RegExp>()

/** A glob over path and query (`/news/**`), or a regular expression between slashes. */
export function matches(pattern: string, path: string): boolean {
  let expression = compiled.get(pattern)
  if (expression === undefined) {
    expression = compile(pattern)
    if (compiled.size > 5000) compiled.clear()
    compiled.set(pattern, expression)
  }
  return expression.test(path)
}

function compile(pattern: string): RegExp {
  if (
    pattern.length > 2 &&
    pattern.startsWith('/') &&
    pattern.endsWith('/') &&
    /[\\^$.|?*+()[\]{}]/.test(pattern)
  ) {
    return new RegExp(pattern.slice(1, -1))
  }
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replaceAll('**', '\u0000')
    .replaceAll('*', '[^/]*')
    .replaceAll('\u0000', '.*')
  return new RegExp(pattern.includes('*') ? `^${source}$` : `^${source}`)
}
