import { expect, it } from 'vitest'
import { parseIcs } from './parse.ts'

function calendar(...lines: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

function event(...lines: string[]): string {
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
}

it('reads the fields of an event', () => {
  const text = calendar(
    'X-WR-CALNAME:Agenda',
    event(
      'UID:1@example.org',
      'SUMMARY:Jazz\\, blues\\; en meer',
      'DESCRIPTION:Eerste regel\\nTweede',
      ' regel',
      'LOCATION:Dorpshuis',
      'URL:https://example.org/jazz',
      'DTSTART;TZID=Europe/Amsterdam:20260520T203000',
      'DURATION:PT2H30M',
      'STATUS:confirmed',
      'SEQUENCE:3',
      'GEO:52.1;5.2',
      'CATEGORIES:Muziek,Jazz\\, live',
      'ORGANIZER;CN="Stichting: Jazz":mailto:jazz@example.org',
      'LAST-MODIFIED:20260301T120000Z',
    ),
  )
  expect(parseIcs(text)).toMatchObject({
    name: 'Agenda',
    events: [
      {
        uid: '1@example.org',
        summary: 'Jazz, blues; en meer',
        description: 'Eerste regel\nTweederegel',
        location: 'Dorpshuis',
        url: 'https://example.org/jazz',
        start: '2026-05-20T18:30:00Z',
        end: '2026-05-20T21:00:00Z',
        allDay: false,
        timezone: 'Europe/Amsterdam',
        status: 'CONFIRMED',
        sequence: 3,
        geo: { lat: 52.1, lng: 5.2 },
        categories: ['Muziek', 'Jazz, live'],
        organizer: 'Stichting: Jazz',
        lastModified: '2026-03-01T12:00:00Z',
        recurring: false,
      },
    ],
  })
})

it('keeps days and floating times as they are, whatever the zone of the process', () => {
  const [day, floating] = parseIcs(
    calendar(
      event('UID:1', 'DTSTART;VALUE=DATE:20260520'),
      event('UID:2', 'DTSTART:20260520T203000'),
    ),
  ).events
  expect(day).toMatchObject({ start: '2026-05-20', end: '2026-05-21', allDay: true })
  expect(floating).toMatchObject({ start: '2026-05-20T20:30:00', end: null, timezone: null })
})

it.each([
  ['W. Europe Standard Time', '2026-05-20T18:30:00Z'],
  ['/mozilla.org/20050126_1/Europe/Amsterdam', '2026-05-20T18:30:00Z'],
  ['"(UTC+01:00) Amsterdam, Berlin, Bern"', '2026-05-20T18:30:00Z'],
  ['GMT+0200', '2026-05-20T18:30:00Z'],
  ['Nowhere/Special', '2026-05-20T20:30:00'],
])('understands the zone %s', (zone, start) => {
  expect(parseIcs(calendar(event(`DTSTART;TZID=${zone}:20260520T203000`))).events[0]?.start).toBe(
    start,
  )
})

it('uses the rules of a zone that the file defines itself', () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Ours',
    'BEGIN:STANDARD',
    'DTSTART:19701025T030000',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:19700329T020000',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ].join('\r\n')
  const at = (local: string): string | null =>
    parseIcs(calendar(zone, event(`DTSTART;TZID=Ours:${local}`))).events[0]?.start ?? null
  expect(at('20260520T203000')).toBe('2026-05-20T18:30:00Z')
  expect(at('20261220T203000')).toBe('2026-12-20T19:30:00Z')
  expect(at('20260329T023000')).toBe('2026-03-29T01:30:00Z')
  expect(at('20261025T023000')).toBe('2026-10-25T00:30:00Z')
})

it('loses only what is broken', () => {
  const text = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID',
    ' :1',
    'SUMMARY:Met een',
    'losse regel erachter',
    'X-NONSENSE=1',
    'DTSTART;VALUE=DATE:20260520T203000',
    'BEGIN:VALARM',
    'SUMMARY:Niet deze',
    'BEGIN:VEVENT',
    'UID:2',
    'DTSTART:gisteren',
    'RRULE:FREQ=SOMETIMES',
    'SUMMARY:Zonder datum',
  ].join('\n')
  expect(parseIcs(text).events).toMatchObject([
    { uid: '1', summary: 'Met een\nlosse regel erachter', start: '2026-05-20T20:30:00' },
    { uid: '2', summary: 'Zonder datum', start: null, recurring: true },
  ])
})

it('decodes old quoted-printable text', () => {
  const text = calendar(
    event('SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9 =', 'open'),
  )
  expect(parseIcs(text).events[0]?.summary).toBe('Café open')
})
