import type { Page } from '../page.ts'
import type { FieldOrigin, RawItem } from '../types.ts'
import { kindOf } from './kinds.ts'
import { mapArticle } from './map-article.ts'
import { mapCalendar } from './map-calendar.ts'
import { mergeItems } from './merge-items.ts'
import { textOf, textsOf, urlOf, webUrl } from './read-property.ts'
import { walkThings, type Syntax, type Thing } from './thing.ts'

const MAX_ITEMS = 5_000
const MAX_SNIPPET = 120
const MAX_DESCRIPTION = 20_000
const CONFIDENCE: Readonly<Record<Syntax, number>> = {
  'json-ld': 0.95,
  microdata: 0.9,
  rdfa: 0.85,
  microformats: 0.75,
}

/** Turns every calendar event and article among the things into an item, the same one named twice into one. */
export function mapItems(things: readonly Thing[], page: Page): RawItem[] {
  const items: RawItem[] = []
  for (const { thing, parent } of walkThings(things)) {
    if (items.length >= MAX_ITEMS) break
    const item = mapThing(thing, parent, page)
    if (item !== null) items.push(item)
  }
  return mergeItems(items)
}

function mapThing(thing: Thing, parent: Thing | null, page: Page): RawItem | null {
  const kind = kindOf(thing)
  if (kind === null) return null
  const baseUrl = page.scan.baseUrl
  const title =
    textOf(thing, 'name', 'headline', 'summary', 'alternateName') ??
    (parent === null ? null : textOf(parent, 'name'))
  const whole = parent !== null && kindOf(parent) === 'calendar_event' ? parent : null
  const calendar = kind === 'calendar_event' ? mapCalendar(thing, whole, baseUrl) : null
  const article = kind === 'article' ? mapArticle(thing, baseUrl) : null
  if (title === null && (calendar?.fields.start ?? null) === null) return null

  const url = urlOf(thing, baseUrl, 'url', 'mainEntityOfPage') ?? idUrl(thing, baseUrl)
  const description = textOf(thing, 'description', 'abstract', 'disambiguatingDescription')
  const image = urlOf(thing, baseUrl, 'image', 'thumbnailUrl', 'thumbnail', 'primaryImageOfPage')
  const language = textOf(thing, 'inLanguage')
  const paths: Record<string, string> = { ...calendar?.paths, ...article?.paths }
  if (title !== null) paths['title'] = title.path
  if (url !== null) paths['url'] = url.path
  if (description !== null) paths['description'] = description.path
  if (image !== null) paths['imageUrl'] = image.path
  if (language !== null || page.scan.lang !== null)
    paths['language'] = language?.path ?? 'html[lang]'

  const item: RawItem = {
    kind,
    strategy: 'json_ld',
    title: title?.value ?? '',
    url: url?.value ?? null,
    description: description?.value.slice(0, MAX_DESCRIPTION) ?? null,
    imageUrl: image?.value ?? null,
    language: language?.value ?? page.scan.lang,
    tags: tagsOf(thing),
    confidence: 0,
    provenance: {},
    calendar: calendar?.fields ?? null,
    article: article?.fields ?? null,
  }
  item.confidence = confidenceOf(item, thing)
  item.provenance = provenanceOf(item, paths, CONFIDENCE[thing.syntax])
  return item
}

function idUrl(thing: Thing, baseUrl: string): { value: string; path: string } | null {
  if (thing.id === null || thing.id.includes('#') || !/^https?:/.test(thing.id)) return null
  const url = webUrl(thing.id, baseUrl)
  return url === null ? null : { value: url, path: `${thing.path}.@id` }
}

function tagsOf(thing: Thing): string[] {
  const words = textsOf(thing, 'keywords', 'genre').flatMap((text) => text.split(/\s*[,;]\s*/))
  return [...new Set(words.filter((word) => word !== '' && word.length <= 60))].slice(0, 30)
}

/** A dated item with a title is what we look for; a mere mention of one is not. */
function confidenceOf(item: RawItem, thing: Thing): number {
  let share = item.title === '' ? 0.4 : 1
  if (item.calendar !== null) {
    if (item.calendar.start === null) share *= 0.3
    if (item.calendar.locations.length === 0 && item.calendar.onlineUrl === null) share *= 0.95
  }
  if (item.article !== null && item.article.publishedAt === null) share *= 0.7
  return Number((CONFIDENCE[thing.syntax] * share).toFixed(3))
}

function provenanceOf(
  item: RawItem,
  paths: Record<string, string>,
  confidence: number,
): Record<string, FieldOrigin> {
  const origins: Record<string, FieldOrigin> = {}
  for (const [field, path] of Object.entries(paths)) {
    const value = valueOf(item, field)
    const origin: FieldOrigin = { strategy: item.strategy, path, confidence }
    if (typeof value === 'string') origin.snippet = value.slice(0, MAX_SNIPPET)
    origins[field] = origin
  }
  return origins
}

function valueOf(item: RawItem, field: string): unknown {
  const parts: readonly (object | null)[] = [item.article, item.calendar, item]
  const holder = parts.find((part) => part !== null && field in part)
  return (holder as Record<string, unknown> | undefined)?.[field]
}
