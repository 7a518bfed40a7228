import type { FoundUrl } from '../../crawl/frontier/types.ts'

/**
 * URLs this run has already put into the frontier. Most links of a page lead to what is known, and telling the
 * database again was most of what a batch carried; forgetting one only means telling it twice.
 */
export interface HandedOver {
  has(url: string): boolean
  /** After the commit that carried them. */
  add(urls: readonly FoundUrl[]): void
}

const mostRemembered = 200_000

/** A set that starts over when it is full: a cache with places made beforehand took 5 MB of every run. */
export function createHandedOver(): HandedOver {
  const urls = new Set<string>()
  return {
    has: (url) => urls.has(url),
    add: (found) => {
      if (urls.size + found.length > mostRemembered) urls.clear()
      for (const { url } of found) urls.add(url)
    },
  }
}
