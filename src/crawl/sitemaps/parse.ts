import { decodeBody } from '../charset/index.ts'
import { gunzipBounded, isGzip } from './gunzip.ts'
import { readXml } from './read-xml.ts'

export interface SitemapNews {
  title: string | null
  publishedAt: string | null
  publication: string | null
  language: string | null
  keywords: string[]
}

export interface SitemapAlternate {
  hreflang: string
  href: string
}

export interface SitemapUrl {
  /** As written, perhaps relative: the caller resolves it. */
  loc: string
  /** ISO date or date-time. */
  lastmod?: string
  changefreq?: string
  priority?: number
  news?: SitemapNews
  alternates?: SitemapAlternate[]
}

export interface Sitemap {
  /** An index lists further sitemaps, a urlset pages. */
  type: 'urlset' | 'index'
  urls: SitemapUrl[]
  /** More was there than the limits let us read. */
  truncated: boolean
}

const MAX_URLS = 50_000
const MAX_BYTES = 50 * 1024 * 1024

/** Reads XML sitemaps and indexes, RSS and Atom used as one, and plain lists of URLs, gzipped or not. */
export function parseSitemap(body: string | Uint8Array): Sitemap {
  const { text, truncated } = toText(body)
  const sitemap = /^\s*</.test(text) ? readXml(text, MAX_URLS) : readLines(text)
  return { ...sitemap, truncated: sitemap.truncated || truncated }
}

function toText(body: string | Uint8Array): { text: string; truncated: boolean } {
  if (typeof body === 'string') {
    return {
      text: body.slice(0, MAX_BYTES).replace(/^\uFEFF/, ''),
      truncated: body.length > MAX_BYTES,
    }
  }
  const plain = isGzip(body)
    ? gunzipBounded(body, MAX_BYTES)
    : { bytes: body.subarray(0, MAX_BYTES), truncated: body.length > MAX_BYTES }
  return { text: decodeBody(plain.bytes, null).text, truncated: plain.truncated }
}

function readLines(text: string): Sitemap {
  const urls: SitemapUrl[] = []
  for (const line of text.split(/[\r\n]+/)) {
    const loc = line.trim()
    if (!/^https?:\/\/\S+$/i.test(loc)) continue
    if (urls.length === MAX_URLS) return { type: 'urlset', urls, truncated: true }
    urls.push({ loc })
  }
  return { type: 'urlset', urls, truncated: false }
}
