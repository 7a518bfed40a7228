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
  if (a.calendar !== null && b.calendar !== null) {
    const [one, two] = [a.calendar.start, b.calendar.start]
    if (one !== null && two !== null && !sameMoment(one, two)) return false
    // A mention without a date is the dated one; two dated ones may be two shows on one day.
    if (one === null || two === null) return a.url === null || b.url === null || a.url === b.url
    return a.url === null || b.url === null || samePage(a.url, b.url)
  }
  return a.url === null || b.url === null || samePage(a.url, b.url)
}

function sameMoment(a: string, b: string): boolean {
  if (a === b) return true
  const [one, two] = [a.replace(' ', 'T'), b.replace(' ', 'T')]
  if (one.slice(0, 10) !== two.slice(0, 10)) return false
  return one.length <= 10 || two.length <= 10 || one.slice(0, 16) === two.slice(0, 16)
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
