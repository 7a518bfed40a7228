import { jsonrepair } from 'jsonrepair'
import { feedDate } from './dates.ts'
import type { Feed, FeedItem } from './types.ts'
import { absoluteUrl } from './absolute-url.ts'

type Json = Record<string, unknown>

export function parseJsonFeed(text: string, baseUrl?: string): Feed | null {
  const json = parseObject(text)
  const items = json?.['items']
  if (!json || !Array.isArray(items)) return null
  const base = baseUrl ?? string(json['feed_url']) ?? string(json['home_page_url']) ?? undefined
  return {
    format: 'json',
    title: string(json['title']),
    link: absoluteUrl(string(json['home_page_url']), base),
    description: string(json['description']),
    language: string(json['language']),
    items: items.filter(isObject).map((item) => toItem(item, base)),
  }
}

function toItem(item: Json, base: string | undefined): FeedItem {
  const [link, external] = [string(item['url']), string(item['external_url'])]
  return {
    title: string(item['title']),
    link: absoluteUrl(link ?? external, base),
    date: feedDate(string(item['date_published']) ?? string(item['date_modified'])),
    modified: feedDate(string(item['date_modified'])),
    guid: string(item['id']),
    summary: string(item['summary']),
    content: string(item['content_html']) ?? string(item['content_text']),
    author: authors(item),
    categories: array(item['tags'])
      .map(string)
      .filter((tag) => tag !== null),
    image: absoluteUrl(string(item['image']) ?? string(item['banner_image']), base),
    event: null,
  }
}

function authors(item: Json): string | null {
  const named = [item['author'], ...array(item['authors'])]
  const names = named.filter(isObject).map((author) => string(author['name']))
  return names.filter((name) => name !== null).join(', ') || null
}

function parseObject(text: string): Json | null {
  for (const read of [JSON.parse, (broken: string) => JSON.parse(jsonrepair(broken)) as unknown]) {
    try {
      const value: unknown = read(text)
      return isObject(value) ? value : null
    } catch {
      continue
    }
  }
  return null
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function array(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function string(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
