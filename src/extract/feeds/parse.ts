import { parseJsonFeed } from './json-feed.ts'
import type { Feed } from './types.ts'
import { parseXmlFeed } from './xml-feed.ts'

/** Reads RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0 and JSON Feed, broken ones included; null when it is none. */
export function parseFeed(text: string, baseUrl?: string): Feed | null {
  const body = text.replace(/^\uFEFF/, '').trimStart()
  return body.startsWith('{') ? parseJsonFeed(body, baseUrl) : parseXmlFeed(body, baseUrl)
}
