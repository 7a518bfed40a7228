export interface UrlResolver {
  (href: string): string | null
  base: string
}

// A rooted path of harmless characters without dot segments resolves by concatenation, ten times faster.
const PLAIN = /^\/(?!\/)[\w\-~!$&()*+,;=:@/.?]*$/

/** Turns an href into an absolute http(s) URL without surrounding blanks, or null. */
export function createUrlResolver(baseUrl: string): UrlResolver {
  const base = parse(baseUrl)
  const origin = base !== null && isWeb(base) ? base.origin : null

  const resolve = (href: string): string | null => {
    if (origin !== null && PLAIN.test(href) && !href.includes('/.')) return origin + href
    const trimmed = href.trim()
    if (trimmed === '' || /^(javascript|mailto|tel|data|blob|about|whatsapp|sms):/i.test(trimmed))
      return null
    const url = base === null ? parse(trimmed) : parse(trimmed, base)
    return url !== null && isWeb(url) ? url.href : null
  }
  return Object.assign(resolve, { base: base?.href ?? baseUrl })
}

function parse(href: string, base?: URL): URL | null {
  try {
    return new URL(href, base)
  } catch {
    return null
  }
}

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}
