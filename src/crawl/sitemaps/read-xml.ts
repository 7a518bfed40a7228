// A forgiving streaming parser: bare ampersands, missing end tags and stray markup are common in sitemaps.
import { Parser } from 'htmlparser2'
import { isoDate } from './iso-date.ts'
import type { Sitemap, SitemapUrl } from './parse.ts'

interface Entry {
  element: string
  prefix: string
  /** Depth of the entry's own element, so nested `image:loc` is not taken for its address. */
  depth: number
  fields: Map<string, string>
  atomLink: string | null
  alternates: { hreflang: string; href: string }[]
}

const ENTRY_ELEMENTS = new Set(['url', 'sitemap', 'item', 'entry'])
const CHUNK_CHARS = 64 * 1024
// The parser slows down with every element left open.
const MAX_OPEN = 5000

export function readXml(text: string, maxUrls: number): Sitemap {
  const found: { element: string; url: SitemapUrl }[] = []
  let root = ''
  let depth = 0
  let entry: Entry | null = null
  let field: string | null = null
  let value = ''

  const finish = (): void => {
    const url = entry && toUrl(entry)
    if (entry && url) found.push({ element: entry.element, url })
    entry = null
  }

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1
        const { prefix, name } = splitName(tag)
        if (root === '') root = name
        if (ENTRY_ELEMENTS.has(name) && (!entry || depth <= entry.depth)) {
          finish()
          entry = {
            element: name,
            prefix,
            depth,
            fields: new Map(),
            atomLink: null,
            alternates: [],
          }
        } else if (entry) {
          field = fieldName(entry, prefix, name, depth)
          value = ''
          if (name === 'link') readLink(entry, attributes)
        }
      },
      ontext(text) {
        if (field !== null) value += text
      },
      onclosetag() {
        if (entry && field !== null && !entry.fields.has(field) && value.trim() !== '') {
          entry.fields.set(field, value.trim())
        }
        field = null
        if (entry?.depth === depth) finish()
        depth -= 1
      },
    },
    { xmlMode: true, decodeEntities: true },
  )

  let at = 0
  for (; at < text.length; at += CHUNK_CHARS) {
    if (found.length > maxUrls || depth > MAX_OPEN) break
    parser.write(text.slice(at, at + CHUNK_CHARS))
  }
  if (at >= text.length) parser.end()
  finish()

  const type = sitemapType(root, found)
  const wanted = found.filter(({ element }) => (element === 'sitemap') === (type === 'index'))
  return {
    type,
    urls: wanted.slice(0, maxUrls).map(({ url }) => url),
    truncated: wanted.length > maxUrls || at < text.length,
  }
}

function splitName(tag: string): { prefix: string; name: string } {
  const colon = tag.indexOf(':')
  const prefix = colon === -1 ? '' : tag.slice(0, colon).toLowerCase()
  return { prefix, name: tag.slice(colon + 1).toLowerCase() }
}

// Extensions keep their prefix (`news:title`); the sitemap's own fields lose it, whatever it is called.
function fieldName(entry: Entry, prefix: string, name: string, depth: number): string | null {
  const direct = depth === entry.depth + 1
  if (direct && name === 'loc' && prefix !== 'image' && prefix !== 'video') return name
  if (prefix === entry.prefix) return direct ? name : null
  return `${prefix}:${name}`
}

function readLink(entry: Entry, attributes: Record<string, string>): void {
  const { rel = 'alternate', href = '', hreflang = '' } = attributes
  if (href === '' || rel !== 'alternate') return
  if (hreflang !== '') entry.alternates.push({ hreflang, href })
  if (entry.element === 'entry') entry.atomLink ??= href
}

function sitemapType(root: string, found: { element: string }[]): Sitemap['type'] {
  if (root === 'sitemapindex') return 'index'
  const onlySitemaps = found.length > 0 && found.every(({ element }) => element === 'sitemap')
  return onlySitemaps ? 'index' : 'urlset'
}

function toUrl(entry: Entry): SitemapUrl | null {
  const { fields } = entry
  const written =
    fields.get('loc') ??
    entry.atomLink ??
    fields.get('link') ??
    (entry.element === 'item' ? fields.get('guid') : undefined)
  const lines = written?.split(/[\r\n]/) ?? []
  const loc = lines.map((line) => line.trim()).join('')
  if (loc === '') return null

  const url: SitemapUrl = { loc }
  const lastmod = isoDate(
    ['lastmod', 'updated', 'modified', 'pubdate', 'published', 'dc:date'].map((name) =>
      fields.get(name),
    ),
  )
  if (lastmod !== null) url.lastmod = lastmod
  const changefreq = fields.get('changefreq')
  if (changefreq !== undefined) url.changefreq = changefreq.toLowerCase()
  const priority = Number(fields.get('priority') ?? Number.NaN)
  if (priority >= 0 && priority <= 1) url.priority = priority
  const news = toNews(fields)
  if (news) url.news = news
  if (entry.alternates.length > 0) url.alternates = entry.alternates
  return url
}

function toNews(fields: Map<string, string>): SitemapUrl['news'] | null {
  const title = fields.get('news:title') ?? null
  const publishedAt = isoDate([fields.get('news:publication_date')])
  if (title === null && publishedAt === null) return null
  return {
    title,
    publishedAt,
    publication: fields.get('news:name') ?? null,
    language: fields.get('news:language') ?? null,
    keywords: (fields.get('news:keywords') ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  }
}
