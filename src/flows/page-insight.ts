import type { Insight } from '../extract/store.ts'
import type { RawItem } from '../extract/types.ts'
import type { ParsedPage } from './parse/parse-page.ts'

/** What was tried on a page, for the record; null when nothing was. */
export function pageInsight(pageId: string, parsed: ParsedPage | null): Insight | null {
  if (parsed === null || parsed.trace.length === 0) return null
  return {
    page_id: pageId,
    winning_strategy: parsed.strategy,
    strategy_trace: parsed.trace,
    items_found: parsed.items.length,
    execution_time_ms: Math.round(parsed.ms),
    says_empty: parsed.saysEmpty,
    fields: countFields(parsed.items),
  }
}

/** How many of the items have each field that readers miss when it is gone. */
function countFields(items: readonly RawItem[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) {
    const present = {
      url: item.url,
      description: item.description,
      image: item.imageUrl,
      start: item.calendar?.start,
      end: item.calendar?.end,
      location: item.calendar?.locations[0],
      text: item.article?.text,
      byline: item.article?.byline,
      published: item.article?.publishedAt,
    }
    for (const [field, value] of Object.entries(present))
      if (value !== null && value !== undefined && value !== '')
        counts[field] = (counts[field] ?? 0) + 1
  }
  return counts
}
