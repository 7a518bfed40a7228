import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { civilOf, daysInMonth, formatDay, weekdayOf } from '../../kernel/dates/calendar.ts'
import { expandIcs } from './expand.ts'
import { parseIcs } from './parse.ts'

function starts(lines: string[], from: string, to: string): string[] {
  const text = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')
  return expandIcs(parseIcs(text), new Date(from), new Date(to)).map(({ start }) => start)
}

function series(rule: string, start = 'DTSTART;VALUE=DATE:20260101', ...more: string[]): string[] {
  return ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:x', start, `RRULE:${rule}`, ...more, 'END:VEVENT']
}

describe('rules', () => {
  it.each([
    ['FREQ=MONTHLY;BYDAY=2TU;COUNT=3', ['2026-01-01', '2026-01-13', '2026-02-10', '2026-03-10']],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2',
      ['2026-01-01', '2026-01-30', '2026-02-27'],
    ],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;UNTIL=20271231', ['2026-01-01', '2026-11-26', '2027-11-25']],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;COUNT=4',
      ['2026-01-01', '2026-01-11', '2026-01-13', '2026-01-25', '2026-01-27'],
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
      ['2026-01-01', '2026-01-31', '2026-02-28', '2026-03-31'],
    ],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=2', ['2026-01-01', '2026-05-11', '2027-05-17']],
    ['FREQ=DAILY;INTERVAL=10;COUNT=3', ['2026-01-01', '2026-01-11', '2026-01-21']],
    ['FREQ=YEARLY;BYYEARDAY=-1,100;COUNT=2', ['2026-01-01', '2026-04-10', '2026-12-31']],
  ])('%s', (rule, expected) => {
    expect(starts(series(rule), '2026-01-01T00:00:00Z', '2029-01-01T00:00:00Z')).toEqual(expected)
  })

  it('keep the hour on the wall clock across summer time', () => {
    const lines = series('FREQ=WEEKLY;COUNT=3', 'DTSTART;TZID=Europe/Amsterdam:20260322T203000')
    expect(starts(lines, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
      '2026-03-22T19:30:00Z',
      '2026-03-29T18:30:00Z',
      '2026-04-05T18:30:00Z',
    ])
  })

  it('skip years of history without counting them', () => {
    const lines = series('FREQ=DAILY', 'DTSTART:19700101T120000Z')
    expect(starts(lines, '2026-05-01T00:00:00Z', '2026-05-03T00:00:00Z')).toEqual([
      '2026-05-01T12:00:00Z',
      '2026-05-02T12:00:00Z',
    ])
  })

  it.each([
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MINUTELY;BYHOUR=25;COUNT=100000000',
    'FREQ=SECONDLY',
  ])('%s ends fast', (rule) => {
    const spent = processorClock()
    starts(series(rule, 'DTSTART:19700101T120000Z'), '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')
    expect(spent()).toBeLessThan(3_000)
  })
})

it('leaves out, adds and replaces single occurrences', () => {
  const lines = [
    ...series(
      'FREQ=DAILY;COUNT=4',
      'DTSTART:20260501T180000Z',
      'EXDATE:20260502T180000Z',
      'RDATE:20260510T180000Z',
    ),
    'BEGIN:VEVENT',
    'UID:1',
    'SUMMARY:moved',
    'RECURRENCE-ID:20260503T180000Z',
    'DTSTART:20260503T200000Z',
    'END:VEVENT',
  ]
  expect(starts(lines, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
    '2026-05-01T18:00:00Z',
    '2026-05-03T20:00:00Z',
    '2026-05-04T18:00:00Z',
    '2026-05-10T18:00:00Z',
  ])
})

it('moves all later occurrences with RANGE=THISANDFUTURE', () => {
  const lines = [
    ...series('FREQ=DAILY;COUNT=3', 'DTSTART:20260501T180000Z'),
    'BEGIN:VEVENT',
    'UID:1',
    'RECURRENCE-ID;RANGE=THISANDFUTURE:20260502T180000Z',
    'DTSTART:20260502T190000Z',
    'END:VEVENT',
  ]
  expect(starts(lines, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
    '2026-05-01T18:00:00Z',
    '2026-05-02T19:00:00Z',
    '2026-05-03T19:00:00Z',
  ])
})

it('a multi-day event that is under way when the window opens is in it', () => {
  const lines = [
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTART;VALUE=DATE:20260501',
    'DTEND;VALUE=DATE:20260510',
    'END:VEVENT',
  ]
  expect(starts(lines, '2026-05-05T00:00:00Z', '2026-05-06T00:00:00Z')).toEqual(['2026-05-01'])
  expect(starts(lines, '2026-05-10T00:00:00Z', '2026-05-11T00:00:00Z')).toEqual([])
})

it('simple rules give the same days as trying every day', () => {
  const freq = fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY')
  const first = 20_454
  fc.assert(
    fc.property(
      freq,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 1500 }),
      (name, interval, shift) => {
        const start = first + shift
        const begin = civilOf(start)
        const matches = (day: number): boolean => {
          const at = civilOf(day)
          if (name === 'DAILY') return (day - start) % interval === 0
          if (name === 'WEEKLY')
            return weekdayOf(day) === weekdayOf(start) && ((day - start) / 7) % interval === 0
          const months = at.y * 12 + at.m - begin.y * 12 - begin.m
          const step = name === 'MONTHLY' ? interval : interval * 12
          return at.d === begin.d && months % step === 0 && at.d <= daysInMonth(at.y, at.m)
        }
        const from = start + 300
        const expected: string[] = []
        for (let day = from; day < from + 900; day++)
          if (matches(day)) expected.push(formatDay(day))
        const text = formatDay(start).replaceAll('-', '')
        const lines = series(`FREQ=${name};INTERVAL=${interval}`, `DTSTART;VALUE=DATE:${text}`)
        expect(
          starts(lines, `${formatDay(from)}T00:00:00Z`, `${formatDay(from + 900)}T00:00:00Z`),
        ).toEqual(expected)
      },
    ),
    { numRuns: 120, seed: 20260310 },
  )
})
