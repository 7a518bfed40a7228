import { mapItems } from '../schema-org/map-items.ts'
import { readThings } from '../schema-org/read-things.ts'
import type { Strategy } from '../strategy.ts'

/** Structured data in any syntax: JSON-LD, microdata, RDFa and microformats. */
export const jsonLdStrategy: Strategy = {
  name: 'json_ld',
  extract(page, context) {
    const items = mapItems(readThings(page), page).filter(
      (item) =>
        item.title !== '' &&
        (item.calendar === null || item.calendar.start !== null) &&
        (item.article === null || item.article.publishedAt !== null || item.article.text !== ''),
    )
    const preferred = items.filter((item) => item.kind === context.preferredKind)
    return preferred.length > 0 ? preferred : items
  },
}
