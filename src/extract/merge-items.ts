import type { RawItem } from './types.ts'

/** Fills what the winning strategy left empty from another reading of the same item. The winner's words always stay. */
export function fillGaps(items: RawItem[], others: () => RawItem[]): RawItem[] {
  const [item, ...rest] = items
  if (item === undefined || rest.length > 0) return items
  return [
    others()
      .filter((other) => isSame(item, other))
      .reduce(merged, item),
  ]
}

function isSame(a: RawItem, b: RawItem): boolean {
  if (a.kind !== b.kind) return false
  return (a.url !== null && a.url === b.url) || plain(a.title) === plain(b.title)
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function merged(item: RawItem, other: RawItem): RawItem {
  const provenance = { ...item.provenance }
  const take = <T>(field: string, own: T | null, theirs: T | null): T | null => {
    if (!isEmpty(own) || isEmpty(theirs)) return own
    const origin = other.provenance[field]
    if (origin !== undefined) provenance[field] = origin
    return theirs
  }
  return {
    ...item,
    description: take('description', item.description, other.description),
    imageUrl: take('imageUrl', item.imageUrl, other.imageUrl),
    language: take('language', item.language, other.language),
    tags: item.tags.length > 0 ? item.tags : other.tags,
    calendar:
      item.calendar === null || other.calendar === null
        ? item.calendar
        : {
            ...item.calendar,
            end: take('end', item.calendar.end, other.calendar.end),
            locations: take('locations', item.calendar.locations, other.calendar.locations) ?? [],
            organizer: take('organizer', item.calendar.organizer, other.calendar.organizer),
            price: take('price', item.calendar.price, other.calendar.price),
          },
    article:
      item.article === null || other.article === null
        ? item.article
        : {
            ...item.article,
            text: take('text', item.article.text, other.article.text) ?? '',
            markdown: take('markdown', item.article.markdown, other.article.markdown) ?? '',
            byline: take('byline', item.article.byline, other.article.byline),
            publishedAt: take('publishedAt', item.article.publishedAt, other.article.publishedAt),
            modifiedAt: take('modifiedAt', item.article.modifiedAt, other.article.modifiedAt),
            section: take('section', item.article.section, other.article.section),
            canonicalUrl: take(
              'canonicalUrl',
              item.article.canonicalUrl,
              other.article.canonicalUrl,
            ),
          },
    provenance,
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
