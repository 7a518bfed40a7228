import fc from 'fast-check'
import { expect, it } from 'vitest'
import { icsItems } from './items.ts'
import { parseIcs } from './parse.ts'

const WINDOW = {
  from: new Date('2026-01-01T00:00:00Z'),
  to: new Date('2026-03-01T00:00:00Z'),
  limits: { maxOccurrences: 200, maxSteps: 2_000 },
}

const line = fc.oneof(
  fc.constantFrom(
    'BEGIN:VEVENT',
    'END:VEVENT',
    'BEGIN:VTIMEZONE',
    'END:VTIMEZONE',
    'BEGIN:DAYLIGHT',
    'TZID:Ours',
    'TZOFFSETTO:+0200',
    'UID:1',
    'SUMMARY:x',
    'DTSTART;TZID=Ours:20260110T203000',
    'DTSTART;TZID=Europe/Amsterdam:99991231T235959',
    'DTSTART:00010101T000000Z',
    'DTSTART;VALUE=DATE:20260230',
    'DTEND:20250101',
    'DURATION:P99999999999999999999D',
    'DURATION:-PT36H',
    'RRULE:FREQ=DAILY;INTERVAL=999999999999',
    'RRULE:FREQ=MONTHLY;BYDAY=-5MO,99TU;BYSETPOS=-366;COUNT=0',
    'RRULE:FREQ=SECONDLY;BYSECOND=61;BYHOUR=-3',
    'RECURRENCE-ID;RANGE=THISANDFUTURE:20260111',
    'EXDATE:20260112,,x',
    'RDATE;VALUE=PERIOD:20260113T000000Z/PT1H,20260114T000000Z/x',
    'GEO:999;x',
    ' folded',
    ';;;===:::"',
  ),
  fc.string({ maxLength: 40 }),
)

it('no calendar file, however broken, throws', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const calendar = parseIcs(['BEGIN:VEVENT', ...lines].join('\r\n'))
      for (const item of icsItems(calendar, 'https://example.org/', WINDOW)) {
        expect(item.calendar?.start).toMatch(/^\d{4}-\d\d-\d\d/)
      }
    }),
    { numRuns: 400, seed: 20260310 },
  )
})
