import { webUrl } from '../schema-org/read-property.ts'
import type {
  CalendarStatus,
  FieldOrigin,
  RawArticleFields,
  RawCalendarFields,
  RawItem,
  RawLocation,
} from '../types.ts'
import type { Candidate } from './candidate.ts'
import type { Role } from './field-roles.ts'
import { readPlace } from './read-place.ts'
import { CLOCK, readDate, readText, readTexts, readUrl, withTime } from './read-value.ts'

export interface MappingTools {
  baseUrl: string
  pageLanguage: string | null
  dereference(value: unknown): unknown
  findLink(url: string | null, slugs: readonly string[]): string | null
}

const MAX_SNIPPET = 120
const STATUS: readonly [RegExp, CalendarStatus][] = [
  [/cancel|geannuleerd|afgelast/i, 'cancelled'],
  [/postpon|uitgesteld/i, 'postponed'],
  [/reschedul|verplaatst/i, 'rescheduled'],
  [/moved.?online/i, 'moved_online'],
]

/** Turns a candidate into an item; the origin of each field is its key under the group's path. */
export function mapCandidate(candidate: Candidate, path: string, tools: MappingTools): RawItem {
  const { object, keys } = candidate
  const origins: Record<string, FieldOrigin> = {}
  const confidence = Number(Math.min(0.95, candidate.score).toFixed(3))

  const item: RawItem = {
    kind: candidate.kind,
    strategy: 'hydration',
    title: candidate.title,
    url: null,
    description: take('description', 'description', readText),
    imageUrl: take('imageUrl', 'image', (value) => {
      const url = readUrl(tools.dereference(value))
      return url === null ? null : webUrl(url, tools.baseUrl)
    }),
    language:
      take('language', 'language', (value) =>
        typeof value === 'string' && /^[a-z]{2,3}(?:[-_]\w{2,8})*$/i.test(value) ? value : null,
      ) ?? tools.pageLanguage,
    tags: [...new Set((keys.tags ?? []).flatMap((key) => readTexts(object[key])))]
      .filter((tag) => tag.length <= 60)
      .slice(0, 30),
    confidence,
    provenance: origins,
    calendar: candidate.kind === 'calendar_event' ? calendarFields() : null,
    article: candidate.kind === 'article' ? articleFields() : null,
  }
  const titleKey = keys.title?.find((key) => readText(object[key]) === candidate.title)
  note('title', titleKey ?? 'title', candidate.title)
  item.url = findUrl()
  return item

  function calendarFields(): RawCalendarFields {
    const time = (keys.start ?? [])
      .concat(keys.time ?? [])
      .map((key) => object[key])
      .find((value) => typeof value === 'string' && CLOCK.test(value.trim()))
    const start = readDate(object[candidate.dateKey])
    const end = take('end', 'end', (value) => readDate(value))
    const endTime = (keys.end ?? [])
      .map((key) => object[key])
      .find((value) => typeof value === 'string' && CLOCK.test(value.trim()))
    if (start !== null) note('start', candidate.dateKey, start)
    return {
      start: start === null ? null : withTime(start, time),
      end: end === null ? null : withTime(end, endTime),
      timeText: typeof time === 'string' ? time.trim() : null,
      allDay: take('allDay', 'allDay', (value) => (typeof value === 'boolean' ? value : null)),
      timezone: take('timezone', 'timezone', (value) =>
        typeof value === 'string' && /^[A-Z]\w+\/\w+|^UTC$/.test(value) ? value : null,
      ),
      locations: places(),
      onlineUrl: take('onlineUrl', 'online', readUrl),
      status: status(),
      organizer: take('organizer', 'organizer', (value) => readText(tools.dereference(value))),
      price: take('price', 'price', priceText),
      uid: take('uid', 'uid', (value) =>
        typeof value === 'string' || typeof value === 'number' ? String(value) : null,
      ),
      sequence: null,
      recurring: false,
    }
  }

  function articleFields(): RawArticleFields {
    const text = take('text', 'body', readText)
    const published = readDate(object[candidate.dateKey])
    if (published !== null) note('publishedAt', candidate.dateKey, published)
    const authors = [
      ...new Set((keys.author ?? []).flatMap((key) => readTexts(tools.dereference(object[key])))),
    ]
    return {
      text: text ?? '',
      markdown: text ?? '',
      byline: authors.length === 0 ? null : authors.slice(0, 20).join(', '),
      publishedAt: published,
      modifiedAt: take('modifiedAt', 'modified', (value) => readDate(value)),
      section: take('section', 'section', (value) => readText(tools.dereference(value))),
      canonicalUrl: null,
      paywalled:
        object['isPaywalled'] === true ||
        object['premium'] === true ||
        object['isPremium'] === true,
    }
  }

  function findUrl(): string | null {
    const urls = (keys.url ?? []).flatMap((key) => readUrl(object[key]) ?? [])
    const slugs = [...(keys.slug ?? []), ...(keys.uid ?? [])].flatMap((key) => {
      const value = object[key]
      return typeof value === 'number' ? [String(value)] : (readUrl(value) ?? [])
    })
    for (const url of urls.length > 0 ? urls : [null]) {
      const found = tools.findLink(url, slugs)
      if (found === null) continue
      note('url', (keys.url ?? keys.slug ?? keys.uid)?.[0] ?? 'url', found)
      return found
    }
    return null
  }

  function places(): RawLocation[] {
    const key = keys.location?.find((name) => readPlace(tools.dereference(object[name])) !== null)
    const place = key === undefined ? null : readPlace(tools.dereference(object[key]))
    const around = readPlace({
      city: keys.city === undefined ? null : object[keys.city[0] ?? ''],
      ...coordinates(),
    })
    if (place === null && around === null) return []
    note('locations', key ?? keys.city?.[0] ?? 'location', place?.name ?? around?.city ?? '')
    if (place === null) return around === null ? [] : [around]
    return [
      {
        ...place,
        city: place.city ?? around?.city ?? null,
        lat: place.lat ?? around?.lat ?? null,
        lng: place.lng ?? around?.lng ?? null,
      },
    ]
  }

  function coordinates(): Record<string, unknown> {
    return {
      lat: object['lat'] ?? object['latitude'],
      lng: object['lng'] ?? object['lon'] ?? object['longitude'],
    }
  }

  function status(): CalendarStatus {
    if ((keys.cancelled ?? []).some((key) => object[key] === true)) return 'cancelled'
    const text =
      take('status', 'status', (value) =>
        typeof value === 'string' && value.length < 40 ? value : null,
      ) ?? ''
    return STATUS.find(([pattern]) => pattern.test(text))?.[1] ?? 'scheduled'
  }

  function take<T>(field: string, role: Role, read: (value: unknown) => T | null): T | null {
    for (const key of keys[role] ?? []) {
      const value = read(object[key])
      if (value === null) continue
      note(field, key, typeof value === 'string' ? value : '')
      return value
    }
    return null
  }

  function note(field: string, key: string, snippet: string): void {
    origins[field] = {
      strategy: 'hydration',
      path: `${path}.${key}`,
      confidence,
      ...(snippet === '' ? {} : { snippet: snippet.slice(0, MAX_SNIPPET) }),
    }
  }
}

function priceText(value: unknown): string | null {
  if (typeof value === 'number') return value === 0 ? 'free' : String(value)
  const text = readText(value)
  return text !== null && text.length <= 80 && (/\d/.test(text) || /gratis|free/i.test(text))
    ? text
    : null
}
