import type { RawItem } from '../types.ts'

/** One item for each calendar event or article, however often and in however many syntaxes a page names it. */
export function mergeItems(items: readonly RawItem[]): RawItem[] {
  const kept: RawItem[] = []
  const byName = new Map<string, RawItem[]>()
  for (const item of items) {
    const key = `${item.kind} ${nameKey(item.title)}`
    const same = byName.get(key) ?? []
    const known = same.find((other) => isSame(other, item))
    if (known !== undefined) {
      fill(known, item)
      continue
    }
    if (same.length < 500) same.push(item)
    byName.set(key, same)
    kept.push(item)
  }
  return kept
}

function isSame(a: RawItem, b: RawItem): boolean {
  const onePage = a.url === null || b.url === null || samePage(a.url, b.url)
  if (a.calendar === null || b.calendar === null) return onePage
  const [one, two] = [a.calendar.start, b.calendar.start]
  if (one !== null && two !== null && !sameMoment(one, two)) return false
  // Another address does not make another show of the same name, time and place.
  return onePage || (one !== null && two !== null && samePlace(a, b))
}

function samePlace(a: RawItem, b: RawItem): boolean {
  const [one, two] = [a.calendar?.locations[0]?.name, b.calendar?.locations[0]?.name]
  return typeof one === 'string' && typeof two === 'string' && nameKey(one) === nameKey(two)
}

const MOMENT = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2})(?::(\d{2}))?)?/

/** Equal as far as both are precise; calendars that misspell a time usually get its hour right. */
function sameMoment(a: string, b: string): boolean {
  if (a === b) return true
  const [one, two] = [MOMENT.exec(a), MOMENT.exec(b)]
  if (one === null || two === null) return false
  return [1, 2, 3, 4, 5].every((part) => {
    const [x, y] = [one[part], two[part]]
    return x === undefined || y === undefined || Number(x) === Number(y)
  })
}

function samePage(a: string, b: string): boolean {
  return a === b || pageKey(a) === pageKey(b)
}

function pageKey(url: string): string {
  return url
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .replace(/^https?:\/\/(?:www\.)?/, '')
}

function nameKey(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Takes over what the first reading left empty, with its origin. */
function fill(known: RawItem, other: RawItem): void {
  const filled = [
    ...fillEmpty(known, other, ['url', 'description', 'imageUrl', 'language']),
    ...(known.calendar === null || other.calendar === null
      ? []
      : fillEmpty(known.calendar, other.calendar, [
          'start',
          'end',
          'timezone',
          'locations',
          'onlineUrl',
          'organizer',
          'price',
        ])),
    ...(known.article === null || other.article === null
      ? []
      : fillEmpty(known.article, other.article, [
          'text',
          'markdown',
          'byline',
          'publishedAt',
          'modifiedAt',
          'section',
          'canonicalUrl',
        ])),
  ]
  for (const field of filled) {
    const origin = other.provenance[field]
    if (origin !== undefined) known.provenance[field] = origin
  }
  known.confidence = Math.max(known.confidence, other.confidence)
}

function fillEmpty<T extends object, K extends keyof T & string>(
  target: T,
  from: T,
  fields: readonly K[],
): K[] {
  const filled = fields.filter((field) => isEmpty(target[field]) && !isEmpty(from[field]))
  for (const field of filled) target[field] = from[field]
  return filled
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
