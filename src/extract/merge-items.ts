import type { RawItem } from './types.ts'

const itemFields = ['url', 'description', 'imageUrl', 'language', 'tags'] as const
const calendarFields = [
  'end',
  'timezone',
  'locations',
  'onlineUrl',
  'organizer',
  'price',
  'uid',
] as const
const articleFields = [
  'text',
  'markdown',
  'byline',
  'publishedAt',
  'modifiedAt',
  'section',
  'canonicalUrl',
] as const

/** Fills what an item leaves empty from another reading of the same thing. Its own words always stay. */
export function fillFrom(item: RawItem, other: RawItem): RawItem {
  const provenance = { ...item.provenance }
  const filled = <T extends object>(
    own: T,
    theirs: T,
    fields: readonly (keyof T & string)[],
  ): T => {
    const result = { ...own }
    for (const field of fields) {
      if (!isEmpty(own[field]) || isEmpty(theirs[field])) continue
      result[field] = theirs[field]
      // Text and Markdown are two forms of one field.
      const origin = other.provenance[field === 'markdown' ? 'text' : field]
      if (origin !== undefined) provenance[field] = origin
    }
    return result
  }
  return {
    ...filled(item, other, itemFields),
    calendar:
      item.calendar === null || other.calendar === null
        ? item.calendar
        : filled(item.calendar, other.calendar, calendarFields),
    article:
      item.article === null || other.article === null
        ? item.article
        : {
            ...filled(item.article, other.article, articleFields),
            paywalled: item.article.paywalled || other.article.paywalled,
          },
    provenance,
  }
}

/** Two readings of one thing: the same address or the same name, and never on different days. */
export function isSameItem(a: RawItem, b: RawItem): boolean {
  if (a.kind !== b.kind) return false
  const [day, otherDay] = [dayOf(a), dayOf(b)]
  if (day !== null && otherDay !== null && day !== otherDay) return false
  return (a.url !== null && a.url === b.url) || plain(a.title) === plain(b.title)
}

function dayOf({ calendar }: RawItem): string | null {
  return /^\d{4}-\d\d-\d\d/.exec(calendar?.start ?? '')?.[0] ?? null
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
