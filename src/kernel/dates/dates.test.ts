import { describe, expect, it } from 'vitest'
import { findDates, parseDateText } from './index.ts'

const REF = '2026-03-10T12:00'

function read(text: string, lang: string | null = 'nl', ref = REF): string | null {
  const match = parseDateText(text, { ref, lang })
  if (match === null) return null
  return match.end === null ? match.start : `${match.start} > ${match.end}`
}

describe('Dutch dates', () => {
  it.each([
    ['20, 21 en 22 mei', '2026-05-20 > 2026-05-22'],
    ['20 mei, 21 mei en 22 mei 2026', '2026-05-20 > 2026-05-22'],
    ['za 16 en zo 17 mei', '2026-05-16 > 2026-05-17'],
    ['7-9 april', '2026-04-07 > 2026-04-09'],
    ['7/8 april 2026', '2026-04-07 > 2026-04-08'],
    ['vrijdag 3 april 2026 | 20:30', '2026-04-03T20:30'],
    ["vr 3 apr '26", '2026-04-03'],
    ['do 2 april 19u30 - 22u', '2026-04-02T19:30 > 2026-04-02T22:00'],
    ['overmorgen 20.30 uur', '2026-03-12T20:30'],
    ['zaterdag 14 mei half negen', '2026-05-14T08:30'],
    ['8 april kwart voor 9 ’s avonds', '2026-04-08T20:45'],
    ['van 28 maart tot en met 6 april', '2026-03-28 > 2026-04-06'],
    ['zaterdag 25 april t/m zondag 3 mei 2026', '2026-04-25 > 2026-05-03'],
    ['4 april 2026 van 20.30 tot 1.00 uur', '2026-04-04T20:30 > 2026-04-05T01:00'],
    ['zaterdag 4 april, deuren open 19:00, aanvang 20:00', '2026-04-04T20:00'],
    ['7 april aanvang 20:00 einde 22:00', '2026-04-07T20:00 > 2026-04-07T22:00'],
    ['15 mei 2026 t.e.m. 17 mei 2026', '2026-05-15 > 2026-05-17'],
    ['za 4 t/m ma 6 april, 10.00 - 17.00 uur', '2026-04-04T10:00 > 2026-04-06T17:00'],
    ['za 4 april t/m ma 6 april 20.30 uur', '2026-04-04T20:30 > 2026-04-06'],
    ['maandag t/m vrijdag', '2026-03-16 > 2026-03-20'],
    ["16-5-'26", '2026-05-16'],
    ['2e kerstdag', '2026-12-26'],
    ['komend weekend', '2026-03-14 > 2026-03-15'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it('reads numbers day first', () => {
    expect(read('4/5/2026')).toBe('2026-05-04')
    expect(read('14-03-2026 20:30 uur')).toBe('2026-03-14T20:30')
  })

  it('takes the first such day from the reference on when the year is missing', () => {
    expect(read('9 maart')).toBe('2027-03-09')
    expect(read('10 maart')).toBe('2026-03-10')
    expect(read('29 februari')).toBe('2028-02-29')
  })

  it('moves the year when the weekday does not fit, at most into the next', () => {
    expect(read('vrijdag 3 september')).toBe('2027-09-03')
    expect(read('woensdag 2 februari')).toBe('2027-02-02')
  })

  it('keeps a range that runs now in the present', () => {
    expect(read('1 februari t/m 30 april')).toBe('2026-02-01 > 2026-04-30')
    expect(read('t/m 31 mei')).toBe('2026-03-10 > 2026-05-31')
  })
})

describe('English dates', () => {
  it.each([
    ['Sat, Apr 4, 2026 8:00 PM - 11:00 PM', '2026-04-04T20:00 > 2026-04-04T23:00'],
    ['April 4 @ 7:00 pm - 10:00 pm', '2026-04-04T19:00 > 2026-04-04T22:00'],
    ['Thursday, April 2, 6:30 p.m. to 8:00 p.m.', '2026-04-02T18:30 > 2026-04-02T20:00'],
    ['April 4 - May 10, 2026', '2026-04-04 > 2026-05-10'],
    ['Apr 4th, 5th and 6th', '2026-04-04 > 2026-04-06'],
    ['from 9 to 5 on April 3', '2026-04-03T09:00 > 2026-04-03T17:00'],
    ['the first Friday of next month', '2026-04-03'],
    ['two weeks from tomorrow', '2026-03-25'],
    ['next Saturday at 8 pm', '2026-03-21T20:00'],
  ])('%s', (text, expected) => {
    expect(read(text, 'en')).toBe(expected)
  })

  it('reads numbers month first, unless only the other order is a date', () => {
    expect(read('4/5/2026', 'en')).toBe('2026-04-05')
    expect(read('22/5/2026', 'en')).toBe('2026-05-22')
  })
})

it.each([
  ['20. bis 22. Mai 2026', 'de', '2026-05-20 > 2026-05-22'],
  ['Samstag, 4. April 2026, 20:00 Uhr', 'de', '2026-04-04T20:00'],
  ['samedi 4 avril 2026 à 20h30', 'fr', '2026-04-04T20:30'],
  ['du 4 au 6 avril 2026', 'fr', '2026-04-04 > 2026-04-06'],
  ['sábado 4 de abril de 2026', 'es', '2026-04-04'],
  ['dal 4 al 6 aprile 2026', 'it', '2026-04-04 > 2026-04-06'],
])('%s (%s) is read as well', (text, lang, expected) => {
  expect(read(text, lang)).toBe(expected)
})

it('gives the offset of an ISO time beside its wall clock', () => {
  const match = parseDateText('2026-04-05T14:30:00+02:00', { ref: REF })
  expect(match).toMatchObject({ start: '2026-04-05T14:30', offset: '+02:00', certainty: 1 })
})

it('turns parts of the day into hours only when asked', () => {
  expect(read('zaterdagavond 14 maart')).toBe('2026-03-14')
  const hours = parseDateText('zaterdagavond 14 maart', { ref: REF, lang: 'nl', vagueHours: true })
  expect(hours?.start).toBe('2026-03-14T16:00')
})

it('finds every date in a longer text, in order, and nothing in numbers that are none', () => {
  const text =
    'De toegang is 12.50 euro en de zaal heeft 3-5 rijen. Bel 020-1234567. Do 9 april: concert. ' +
    'Za 18 april 14.00: film. In 2019 was dat anders, 24/7 en met 2-1 winst. Ma en pa komen in mei.'
  const found = findDates(text, { ref: REF, lang: 'nl' })
  expect(found.map(({ start }) => start)).toEqual(['2026-04-09', '2026-04-18T14:00'])
  for (const { index, text: said } of found) expect(text.slice(index).startsWith(said)).toBe(true)
})

it('says nothing rather than guess', () => {
  expect(read('Kaarten aan de zaal')).toBeNull()
  expect(read('')).toBeNull()
  expect(read('31 februari 2026')).toBeNull()
})
