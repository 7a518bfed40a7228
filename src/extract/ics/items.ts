import type { CalendarStatus, FieldOrigin, RawItem, RawLocation } from '../types.ts'
import { DEFAULT_LIMITS, expandIcs } from './expand.ts'
import type { IcsCalendar, IcsEvent, IcsLimits, IcsOccurrence } from './types.ts'

/** Occurrences that touch this window become items. */
export interface IcsWindow {
  from: Date
  to: Date
  limits?: IcsLimits
}

const STATUS: Record<string, CalendarStatus> = {
  CANCELLED: 'cancelled',
  CANCELED: 'cancelled',
  POSTPONED: 'postponed',
}
const CONFIDENCE = 0.95
const SNIPPET_CHARS = 120

/** One raw item per occurrence of a calendar file. Times without a zone stay without one: the source's zone decides later. */
export function icsItems(calendar: IcsCalendar, pageUrl: string, window: IcsWindow): RawItem[] {
  return expandIcs(calendar, window.from, window.to, window.limits ?? DEFAULT_LIMITS).flatMap(
    (occurrence) => {
      const item = toItem(calendar, occurrence, pageUrl)
      return item === null ? [] : [item]
    },
  )
}

function toItem(calendar: IcsCalendar, occurrence: IcsOccurrence, pageUrl: string): RawItem | null {
  const { event } = occurrence
  const title = event.summary?.replace(/\s+/g, ' ').trim() ?? ''
  if (title === '') return null
  const cancelledBy = calendar.method === 'CANCEL' ? 'CANCELLED' : (event.status ?? '')
  return {
    kind: 'calendar_event',
    strategy: 'feed',
    title,
    url: absoluteUrl(event.url, pageUrl),
    description: event.description,
    imageUrl: event.imageUrl,
    language: null,
    tags: event.categories,
    confidence: CONFIDENCE,
    provenance: originsOf(event, occurrence),
    calendar: {
      start: occurrence.start,
      end: lastDay(occurrence),
      timeText: null,
      allDay: event.allDay,
      timezone: event.timezone ?? (event.allDay ? null : calendar.timezone),
      locations: locationsOf(event),
      onlineUrl: onlineUrl(event),
      status: STATUS[cancelledBy] ?? 'scheduled',
      organizer: event.organizer,
      price: null,
      uid: occurrenceUid(occurrence),
      sequence: event.sequence,
      recurring: event.recurring || event.recurrenceId !== null,
    },
    article: null,
  }
}

/** Occurrences of one series share its UID, so the original start tells them apart. */
function occurrenceUid({ uid, recurrenceId }: IcsOccurrence): string | null {
  return uid === null || recurrenceId === null ? uid : `${uid}#${recurrenceId}`
}

/** A calendar file ends a day event on the day after; people mean the last day itself. */
function lastDay({ start, end }: IcsOccurrence): string | null {
  if (end === null || end.length !== 10 || start.length !== 10) return end
  const last = new Date(Date.parse(`${end}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
  return last <= start ? null : last
}

function locationsOf(event: IcsEvent): RawLocation[] {
  if (event.location === null && event.geo === null) return []
  if (event.geo === null && /^https?:\/\/\S+$/.test(event.location ?? '')) return []
  return [
    {
      name: event.location,
      address: null,
      city: null,
      postalCode: null,
      country: null,
      lat: event.geo?.lat ?? null,
      lng: event.geo?.lng ?? null,
    },
  ]
}

function onlineUrl(event: IcsEvent): string | null {
  return /^https?:\/\/\S+$/.test(event.location ?? '') ? event.location : null
}

function absoluteUrl(url: string | null, pageUrl: string): string | null {
  if (url === null) return null
  const resolved = URL.canParse(url, pageUrl) ? new URL(url, pageUrl) : null
  return resolved !== null && /^https?:$/.test(resolved.protocol) ? resolved.href : null
}

function originsOf(event: IcsEvent, occurrence: IcsOccurrence): Record<string, FieldOrigin> {
  const origins: Record<string, FieldOrigin> = {}
  const note = (field: string, property: string, text: string | null): void => {
    if (text === null || text === '') return
    origins[field] = {
      strategy: 'feed',
      path: `VEVENT.${property}`,
      confidence: CONFIDENCE,
      snippet: text.slice(0, SNIPPET_CHARS),
    }
  }
  note('title', 'SUMMARY', event.summary)
  note('description', 'DESCRIPTION', event.description)
  note('url', 'URL', event.url)
  note('start', event.rrule === null ? 'DTSTART' : 'RRULE', occurrence.start)
  note('end', 'DTEND', occurrence.end)
  note(
    'locations',
    event.location === null ? 'GEO' : 'LOCATION',
    event.location ?? (event.geo === null ? null : 'GEO'),
  )
  note('status', 'STATUS', event.status)
  note('organizer', 'ORGANIZER', event.organizer)
  note('tags', 'CATEGORIES', event.categories.join(', '))
  note('uid', 'UID', event.uid)
  return origins
}
