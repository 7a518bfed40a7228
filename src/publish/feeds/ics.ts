import type { EventPayload, ItemPayload } from '../payload.ts'
import type { FeedEntry, FeedPage } from './entries.ts'

/** The calendar events of a route as RFC 5545 text; what is no calendar event is left out. */
export function icsOf(page: FeedPage): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Millrace//Millrace//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${text(page.route.name)}`,
    `X-WR-CALNAME:${text(page.route.name)}`,
    ...page.entries.flatMap((entry) =>
      entry.payload.event === null ? [] : eventOf(entry, entry.payload, entry.payload.event),
    ),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function eventOf(entry: FeedEntry, item: ItemPayload, event: EventPayload): string[] {
  const place = [event.venue_name, event.address, event.city].filter((part) => part !== null)
  const categories = [...new Set([item.category, ...item.topics, ...item.tags])].filter(
    (name) => name !== null,
  )
  return [
    'BEGIN:VEVENT',
    `UID:${item.id}@millrace`,
    `DTSTAMP:${utc(entry.changedAt)}`,
    `LAST-MODIFIED:${utc(entry.changedAt)}`,
    `SEQUENCE:${event.sequence}`,
    ...times(event),
    `SUMMARY:${text(item.title)}`,
    ...(item.description === '' ? [] : [`DESCRIPTION:${text(item.description)}`]),
    ...(place.length === 0 ? [] : [`LOCATION:${text(place.join(', '))}`]),
    ...(event.lat === null || event.lng === null ? [] : [`GEO:${event.lat};${event.lng}`]),
    ...(item.url === null ? [] : [`URL:${uri(item.url)}`]),
    ...(categories.length === 0 ? [] : [`CATEGORIES:${categories.map(text).join(',')}`]),
    `STATUS:${event.status === 'cancelled' ? 'CANCELLED' : event.status === 'postponed' ? 'TENTATIVE' : 'CONFIRMED'}`,
    'END:VEVENT',
  ]
}

/** Instants in UTC; days as the place counts them, with the end after the last day. */
function times(event: EventPayload): string[] {
  const start = new Date(event.starts_at)
  const end = event.ends_at === null ? null : new Date(event.ends_at)
  if (!event.all_day)
    return [`DTSTART:${utc(start)}`, ...(end === null ? [] : [`DTEND:${utc(end)}`])]
  const first = localDay(start, event.timezone)
  const last = end === null ? first : localDay(new Date(end.getTime() - 1), event.timezone)
  return [`DTSTART;VALUE=DATE:${first}`, `DTEND;VALUE=DATE:${nextDay(last < first ? first : last)}`]
}

function utc(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '')
}

function localDay(time: Date, timezone: string | null): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone ?? 'UTC',
    dateStyle: 'short',
  })
  return parts.format(time).replaceAll('-', '')
}

function nextDay(day: string): string {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6, 8)].map(Number)
  const next = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, (date ?? 1) + 1))
  return next.toISOString().slice(0, 10).replaceAll('-', '')
}

function text(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/[^\n\t\u0020-\u007E\u0080-\u{10FFFF}]/gu, '')
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll('\n', '\\n')
}

function uri(url: string): string {
  return URL.parse(url)?.href ?? encodeURI(url)
}

/** Lines of at most 75 bytes, never cut inside a character. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= 75) return line
  const lines: string[] = []
  let current = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > (lines.length === 0 ? 75 : 74)) {
      lines.push(current)
      current = ''
      bytes = 0
    }
    current += character
    bytes += size
  }
  return [...lines, current].join('\r\n ')
}
