import { parseDateText } from '../kernel/dates/index.ts'
import type { CalendarInput, StructuredDate, When } from './types.ts'
import { instantOf, isZone, localOf } from './zone-time.ts'

export interface WhenOptions {
  /** Zone of the source, for times that carry none. */
  timezone: string
  fetchedAt: Date
  language: string | null
}

interface Stated {
  /** Local wall time in the event's zone. */
  start: string
  end: string | null
  certainty: number
}

const iso =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i
const utc = /^(?:Etc\/)?(?:UTC|GMT|Zulu|Z)$/i
const bareTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/
const dayMs = 86_400_000
/** Nothing in a calendar lasts longer; an end beyond it is a typing error. */
const longestDays = 400

/** When an event happens, or null when its text does not say: an event is never dated by a guess. */
export function readWhen(calendar: CalendarInput, options: WhenOptions): When | null {
  // Calendars write instants in UTC, but nobody goes to a concert there.
  const inUtc = calendar.timezone !== null && utc.test(calendar.timezone)
  const zone = !inUtc && isZone(calendar.timezone) ? calendar.timezone : options.timezone
  const stamp = (value: string): string => (inUtc && bareTime.test(value) ? `${value}Z` : value)
  const text = stamp(calendar.start?.trim() ?? '')
  if (text === '') return null
  const stated = withTimeText(readStart(text, zone, options), calendar, options)
  if (stated === null) return null
  const timed = stated.start.length > 10 && !(calendar.allDay === true && isMidnight(stated.start))
  const start = timed ? stated.start : stated.start.slice(0, 10)
  const startsAt = instantOf(start, zone)
  if (startsAt === null) return null
  const end = readEnd(
    calendar.end === null ? stated.end : stamp(calendar.end.trim()),
    start,
    zone,
    options,
  )
  const structured: StructuredDate = {
    start,
    end,
    certainty: stated.certainty,
    text: iso.test(text) ? null : text.slice(0, 200),
  }
  return {
    eventDate: start.slice(0, 10),
    eventTime: timed ? start.slice(11, 16) : 'TBD',
    startsAt,
    endsAt: endInstant(end, startsAt, zone),
    allDay: calendar.allDay ?? !timed,
    timezone: zone,
    structured,
  }
}

function readStart(text: string, zone: string, options: WhenOptions): Stated | null {
  const exact = readIso(text, zone)
  if (exact !== null) return { start: exact, end: null, certainty: 1 }
  const found = parseDateText(text, {
    ref: localOf(options.fetchedAt, options.timezone).slice(0, 10),
    lang: options.language,
  })
  // A time alone says nothing about the day.
  if (found === null || found.certainty < 0.4) return null
  if (found.offset === undefined)
    return { start: found.start, end: found.end, certainty: found.certainty }
  const local = readIso(found.start + found.offset, zone)
  return local === null ? null : { start: local, end: null, certainty: found.certainty }
}

/** A machine-readable date as wall time in the event's zone. */
function readIso(text: string, zone: string): string | null {
  const match = iso.exec(text)
  if (match === null) return null
  const [, day = '', time, offset] = match
  if (time === undefined) return instantOf(day, zone) === null ? null : day
  if (offset === undefined)
    return instantOf(`${day}T${time}`, zone) === null ? null : `${day}T${time}`
  const instant = new Date(`${day}T${time}${offset.toUpperCase()}`)
  return Number.isNaN(instant.getTime()) ? null : localOf(instant, zone)
}

/** Many sites write the hours in a field of their own. */
function withTimeText(
  stated: Stated | null,
  calendar: CalendarInput,
  options: WhenOptions,
): Stated | null {
  const hours = calendar.timeText?.trim() ?? ''
  if (stated === null || hours === '' || stated.start.length > 10) return stated
  const found = parseDateText(`${stated.start} ${hours}`, {
    ref: stated.start,
    lang: options.language,
  })
  if (found === null || found.allDay || found.start.slice(0, 10) !== stated.start) return stated
  return { start: found.start, end: stated.end ?? found.end, certainty: stated.certainty }
}

function readEnd(
  text: string | null,
  start: string,
  zone: string,
  options: WhenOptions,
): string | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  const end = readIso(trimmed, zone) ?? readLooseEnd(trimmed, start, options)
  if (end === null || end === start) return null
  const days = (Date.parse(end.slice(0, 10)) - Date.parse(start.slice(0, 10))) / dayMs
  if (days > longestDays || days < 0) return null
  // "21:00 - 01:00" ends the next morning.
  if (end.length > 10 && start.length > 10 && end < start) return `${nextDay(end)}${end.slice(10)}`
  // "20 to 22 May, 20:00": the end of a timed event is the last day.
  return end.length > 10 && start.length === 10 ? end.slice(0, 10) : end
}

function readLooseEnd(text: string, start: string, options: WhenOptions): string | null {
  const found = parseDateText(text, { ref: start.slice(0, 10), lang: options.language })
  if (found === null) return null
  // Hours alone are those of the first day; past midnight when they are earlier than the start.
  if (found.certainty < 0.4 && found.start <= start) {
    return `${nextDay(start)}T${found.start.slice(11)}`
  }
  return found.end ?? found.start
}

/** The end as an instant; whole days end at the midnight after the last one. */
function endInstant(end: string | null, startsAt: Date, zone: string): Date | null {
  if (end === null) return null
  const day = end.length === 10 ? nextDay(end) : end
  const instant = instantOf(day, zone)
  return instant === null || instant <= startsAt ? null : instant
}

function nextDay(local: string): string {
  return new Date(Date.parse(local.slice(0, 10)) + dayMs).toISOString().slice(0, 10)
}

function isMidnight(local: string): boolean {
  return local.slice(11, 16) === '00:00'
}
