import { classify } from './categories/classify.ts'
import { cleanDescription, cleanImageUrl, cleanTitle, oneLine } from './clean.ts'
import { detectLanguage } from './language.ts'
import type { Gazetteer } from './gazetteer/gazetteer.ts'
import type {
  CalendarInput,
  ItemInput,
  Normalized,
  NormalizedEvent,
  PageContext,
  SourceContext,
} from './types.ts'
import { readWhen } from './when.ts'
import { readWhere } from './where.ts'

const mostTags = 20

export function normalizeEvent(
  raw: ItemInput,
  calendar: CalendarInput,
  source: SourceContext,
  page: PageContext,
  gazetteer: Gazetteer,
): Normalized {
  const title = cleanTitle(raw.title, source.name)
  if (title === '') return { ok: false, reason: 'no_title', message: 'The event has no title.' }
  const description = cleanDescription(raw.description)
  const imageUrl = cleanImageUrl(raw.imageUrl, page.url)
  const language = detectLanguage(`${title}. ${description}`, raw.language, source.locale)
  const when = readWhen(calendar, {
    timezone: source.timezone,
    fetchedAt: page.fetchedAt,
    language,
  })
  if (when === null) {
    return {
      ok: false,
      reason: 'no_date',
      message:
        (calendar.start ?? '') === ''
          ? `"${title}" tells no date.`
          : `"${title}": no date could be read from "${calendar.start?.slice(0, 100)}".`,
      ...(raw.url !== null && { undated: { url: raw.url, description, imageUrl } }),
    }
  }
  const tags = tagsOf(raw.tags)
  const { geoQuery, ...where } = readWhere(calendar, title, description, source, gazetteer)
  const classified = classify({ title, description, tags, venue: where.venueName })
  const item: NormalizedEvent = {
    kind: 'calendar_event',
    title,
    url: raw.url,
    description,
    imageUrl,
    language,
    tags,
    confidence: round(Math.min(raw.confidence, 1) * (0.5 + 0.5 * when.structured.certainty)),
    provenance: raw.provenance,
    ...when,
    ...where,
    geoQuery,
    category: classified.category,
    categoryUnsure: classified.unsure,
    status:
      calendar.status === 'cancelled' || calendar.status === 'postponed'
        ? calendar.status
        : 'active',
    onlineUrl: calendar.onlineUrl,
    organizer: emptyToNull(calendar.organizer),
    priceText: emptyToNull(calendar.price),
    sourceUid: calendar.uid,
    recurring: calendar.recurring,
  }
  return { ok: true, item }
}

export function tagsOf(tags: readonly string[]): string[] {
  return [
    ...new Set(tags.map((tag) => oneLine(tag).slice(0, 60)).filter((tag) => tag !== '')),
  ].slice(0, mostTags)
}

export function emptyToNull(text: string | null): string | null {
  const line = oneLine(text ?? '').slice(0, 300)
  return line === '' ? null : line
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
