import fc from 'fast-check'
import { expect, it } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { civilOf, dayNumber, easterSunday, formatDay, weekdayOf } from './calendar.ts'
import { findDates, isoLocal, parseDateText, toInstant } from './index.ts'

const MONTHS_NL =
  'januari februari maart april mei juni juli augustus september oktober november december'.split(
    ' ',
  )
const MONTHS_EN =
  'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS_NL = 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag'.split(' ')

const days = fc.integer({ min: dayNumber(1980, 1, 1), max: dayNumber(2079, 12, 31) })
const minutes = fc.integer({ min: 0, max: 1439 })

const pad = (value: number): string => String(value).padStart(2, '0')
const clock = (minute: number, mark: string): string =>
  `${pad(Math.floor(minute / 60))}${mark}${pad(minute % 60)}`

it('what is written out in full is read back, in both languages', () => {
  fc.assert(
    fc.property(days, minutes, days, (day, minute, ref) => {
      const { y, m, d } = civilOf(day)
      const expected = `${formatDay(day)}T${clock(minute, ':')}`
      const dutch = [
        `${WEEKDAYS_NL[weekdayOf(day) - 1]} ${d} ${MONTHS_NL[m - 1]} ${y}, ${clock(minute, '.')} uur`,
        `${pad(d)}-${pad(m)}-${y} ${clock(minute, ':')}`,
        `${d} ${MONTHS_NL[m - 1]?.slice(0, 3).replace('maa', 'mrt')} ${y} om ${clock(minute, 'u')}`,
      ]
      for (const text of dutch) {
        const match = parseDateText(text, { ref: formatDay(ref), lang: 'nl' })
        expect([text, match?.start]).toEqual([text, expected])
      }
      const half = minute < 720 ? 'am' : 'pm'
      const hour = Math.floor(minute / 60) % 12 === 0 ? 12 : Math.floor(minute / 60) % 12
      const english = [
        `${MONTHS_EN[m - 1]} ${d}, ${y} at ${hour}:${pad(minute % 60)} ${half}`,
        `${m}/${d}/${y} ${clock(minute, ':')}`,
        expected,
      ]
      for (const text of english) {
        const match = parseDateText(text, { ref: formatDay(ref), lang: 'en' })
        expect([text, match?.start]).toEqual([text, expected])
      }
    }),
    { numRuns: 150, seed: 20260310 },
  )
})

it('a range gives back both its ends', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 300 }), (day, length) => {
      const [a, b] = [civilOf(day), civilOf(day + length)]
      const text = `${a.d} ${MONTHS_NL[a.m - 1]} ${a.y} t/m ${b.d} ${MONTHS_NL[b.m - 1]} ${b.y}`
      const match = parseDateText(text, { ref: '2026-03-10', lang: 'nl' })
      expect([match?.start, match?.end]).toEqual([formatDay(day), formatDay(day + length)])
    }),
    { numRuns: 150, seed: 20260310 },
  )
})

it('a day without a year is never before the reference and within eight years', () => {
  fc.assert(
    fc.property(days, days, (day, ref) => {
      const { m, d } = civilOf(day)
      const start =
        parseDateText(`${d} ${MONTHS_NL[m - 1]}`, { ref: formatDay(ref), lang: 'nl' })?.start ?? ''
      expect(start >= formatDay(ref)).toBe(true)
      expect(start <= formatDay(ref + 8 * 366)).toBe(true)
    }),
    { numRuns: 200, seed: 20260310 },
  )
})

it('any text ends, and every match lies inside it with valid dates', () => {
  const words = fc.constantFrom(
    ...'12 3 2026 - , . / : en t/m tot van om de mei maandag za half kwart over uur eerste week next in 5th pm Q2 jaar morgen tussen'.split(
      ' ',
    ),
  )
  const texts = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.array(words, { maxLength: 30 }).map((list) => list.join(' ')),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom('nl', 'en', 'de', null), (text, lang) => {
      for (const match of findDates(text, { ref: '2026-03-10T09:30', lang })) {
        expect(text.startsWith(match.text, match.index)).toBe(true)
        expect(match.start).toMatch(/^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/)
        expect(match.allDay).toBe(match.start.length === 10)
        expect(match.end ?? match.start).toMatch(/^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/)
      }
    }),
    { numRuns: 400, seed: 20260310 },
  )
})

it('ten times the text takes about ten times as long, whatever the words', () => {
  for (const piece of [
    '12 13, 14 - 15 en 16 ',
    'van de in op , ( om ',
    'vrijdag 3 april om 20.00 uur in ',
  ]) {
    const time = (repeats: number): number => {
      const spent = processorClock()
      findDates(piece.repeat(repeats), { ref: '2026-03-10', lang: 'nl' })
      return spent()
    }
    time(200)
    const short = Math.min(time(200), time(200), time(200))
    expect(Math.min(time(2000), time(2000))).toBeLessThan(40 * Math.max(short, 1))
  }
})

it('day numbers agree with the platform calendar', () => {
  fc.assert(
    fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
      const { y, m, d } = civilOf(day)
      expect(dayNumber(y, m, d)).toBe(day)
      const date = new Date(day * 86_400_000)
      expect([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]).toEqual([y, m, d])
      expect(weekdayOf(day) % 7).toBe(date.getUTCDay())
    }),
    { numRuns: 300, seed: 20260310 },
  )
})

it('knows Easter', () => {
  const known = [
    '2000-04-23',
    '2019-04-21',
    '2024-03-31',
    '2026-04-05',
    '2038-04-25',
    '1981-04-19',
    '2049-04-18',
  ]
  for (const date of known) expect(formatDay(easterSunday(Number(date.slice(0, 4))))).toBe(date)
})

it('a wall clock in a summer-time gap moves on, one that happens twice is the first', () => {
  const zone = 'Europe/Amsterdam'
  expect(toInstant('2026-03-29T02:30', zone).toISOString()).toBe('2026-03-29T01:30:00.000Z')
  expect(toInstant('2026-10-25T02:30', zone).toISOString()).toBe('2026-10-25T00:30:00.000Z')
  expect(toInstant('2026-05-20', zone).toISOString()).toBe('2026-05-19T22:00:00.000Z')
  expect(toInstant('2026-05-20T20:30-05:00', zone).toISOString()).toBe('2026-05-21T01:30:00.000Z')
})

it('an instant and its wall clock are each other’s opposite', () => {
  const zones = fc.constantFrom(
    'Europe/Amsterdam',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'UTC',
  )
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 33_000_000 }), (zone, minute) => {
      const date = new Date(minute * 60_000)
      const local = isoLocal(date, zone)
      const back = toInstant(local, zone)
      expect(isoLocal(back, zone)).toBe(local)
      expect(Math.abs(back.getTime() - date.getTime())).toBeLessThanOrEqual(3_600_000)
    }),
    { numRuns: 200, seed: 20260310 },
  )
})
