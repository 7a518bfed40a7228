import type { Page } from '../page.ts'
import { webUrl } from '../schema-org/read-property.ts'

/** Finds an item's own page: from its URL, or else the link on the page that ends in its slug or id. */
export function createLinkFinder(
  page: Page,
): (url: string | null, slugs: readonly string[]) => string | null {
  let byEnding: Map<string, string> | undefined
  const { baseUrl } = page.scan

  return (url, slugs) => {
    if (url !== null && /^(?:https?:)?\/\/|^\//.test(url)) return webUrl(url, baseUrl)
    // A host without a scheme in front.
    if (url !== null && /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,12}\/\S/i.test(url))
      return webUrl(`https://${url}`, baseUrl)
    const endings = [url, ...slugs].flatMap((text) => (text === null ? [] : [ending(text)]))
    byEnding ??= indexLinks(page)
    for (const key of endings) {
      const href = key === '' ? undefined : byEnding.get(key)
      if (href !== undefined) return href
    }
    return url !== null && url.includes('/') ? webUrl(url, baseUrl) : null
  }
}

function indexLinks(page: Page): Map<string, string> {
  const links = new Map<string, string>()
  for (const { href } of page.scan.links) {
    const key = ending(href)
    if (key !== '' && !links.has(key)) links.set(key, href)
  }
  return links
}

function ending(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}
