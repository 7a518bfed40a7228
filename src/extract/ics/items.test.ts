import { expect, it } from 'vitest'
import { icsItems } from './items.ts'
import { parseIcs } from './parse.ts'

const WINDOW = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2027-01-01T00:00:00Z') }
const PAGE = 'https://example.org/agenda.ics'

function items(...lines: string[]): ReturnType<typeof icsItems> {
  const text = [
    'BEGIN:VCALENDAR',
    'X-WR-TIMEZONE:Europe/Amsterdam',
    'BEGIN:VEVENT',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return icsItems(parseIcs(text.join('\r\n')), PAGE, WINDOW)
}

it('an event becomes a calendar item with its origin', () => {
  const [item] = items(
    'UID:7',
    'SUMMARY:Open  dag',
    'DTSTART:20260520T100000',
    'DTEND:20260520T160000',
    'LOCATION:Dorpshuis',
    'URL:/open-dag',
    'STATUS:CANCELLED',
    'SEQUENCE:2',
    'CATEGORIES:Gezin',
  )
  expect(item).toMatchObject({
    kind: 'calendar_event',
    strategy: 'feed',
    title: 'Open dag',
    url: 'https://example.org/open-dag',
    tags: ['Gezin'],
    calendar: {
      start: '2026-05-20T10:00:00',
      end: '2026-05-20T16:00:00',
      timezone: 'Europe/Amsterdam',
      status: 'cancelled',
      sequence: 2,
      uid: '7',
      recurring: false,
    },
    provenance: { title: { path: 'VEVENT.SUMMARY' }, start: { path: 'VEVENT.DTSTART' } },
  })
  expect(item?.calendar?.locations[0]?.name).toBe('Dorpshuis')
})

it('every occurrence has a UID of its own that stays the same', () => {
  const uids = items(
    'UID:7',
    'SUMMARY:Yoga',
    'DTSTART;VALUE=DATE:20260501',
    'RRULE:FREQ=DAILY;COUNT=2',
  ).map((item) => item.calendar?.uid)
  expect(uids).toEqual(['7#2026-05-01', '7#2026-05-02'])
})

it('a day event ends on its last day, and a single day has no end', () => {
  const ends = (end: string): string | null | undefined =>
    items('UID:7', 'SUMMARY:Fair', 'DTSTART;VALUE=DATE:20260501', `DTEND;VALUE=DATE:${end}`)[0]
      ?.calendar?.end
  expect(ends('20260502')).toBeNull()
  expect(ends('20260504')).toBe('2026-05-03')
})

it('an event without a title is left out, an address on the web is where it happens', () => {
  expect(items('UID:7', 'DTSTART:20260520T100000')).toEqual([])
  const [online] = items(
    'UID:7',
    'SUMMARY:Webinar',
    'DTSTART:20260520T100000',
    'LOCATION:https://meet.example.org/x',
  )
  expect(online?.calendar).toMatchObject({ onlineUrl: 'https://meet.example.org/x', locations: [] })
})
