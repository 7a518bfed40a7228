import type { FoundUrl } from '../../crawl/frontier/types.ts'

/**
 * URLs this run has already put into the frontier. Most links of a page lead to what is known, and telling the
 * database again was most of what a batch carried; forgetting one only means telling it twice.
 */
export interface HandedOver {
  has(url: string): boolean
  /** Refused so far: another link to it may still let it in. */
  hasRefused(url: string): boolean
  /** After the commit that carried them. */
  add(urls: readonly FoundUrl[]): void
}

const mostRemembered = 200_000

/** Sets that start over when they are full: a cache with places made beforehand took 5 MB of every run. */
export function createHandedOver(): HandedOver {
  const urls = new Set<string>()
  const refused = new Set<string>()
  return {
    has: (url) => urls.has(url),
    hasRefused: (url) => refused.has(url),
    add: (found) => {
      if (urls.size + refused.size + found.length > mostRemembered) {
        urls.clear()
        refused.clear()
      }
      for (const { url, refused: reason } of found)
        ((reason ?? null) === null ? urls : refused).add(url)
    },
  }
}
