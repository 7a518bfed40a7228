import { normalizeArticle } from './article.ts'
import { normalizeEvent } from './event.ts'
import { gazetteer, type Gazetteer } from './gazetteer/gazetteer.ts'
import type { ItemInput, Normalized, PageContext, SourceContext } from './types.ts'

/** One extracted item in clean form, or the reason why it cannot be had. Pure: the same input gives the same item. */
export function normalizeItem(
  raw: ItemInput,
  source: SourceContext,
  page: PageContext,
  places: Gazetteer = gazetteer(),
): Normalized {
  if (raw.kind === 'calendar_event') {
    if (raw.calendar === null)
      return { ok: false, reason: 'no_date', message: `"${raw.title}" tells no date.` }
    return normalizeEvent(raw, raw.calendar, source, page, places)
  }
  if (raw.article === null)
    return { ok: false, reason: 'no_text', message: `"${raw.title}" has no text.` }
  return normalizeArticle(raw, raw.article, source, page)
}
