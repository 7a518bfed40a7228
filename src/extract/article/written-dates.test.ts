import { describe, expect, it } from 'vitest'
import { allDates, firstDate } from './written-dates.ts'

describe('full dates in text', () => {
  const samples: [text: string, day: string][] = [
    ['Published on March 5, 2024 at 8:30', '2024-03-05'],
    ['5th of March 2024', '2024-03-05'],
    ['Dienstag, 5. März 2024, 10:15 Uhr', '2024-03-05'],
    ['dinsdag 5 maart 2024', '2024-03-05'],
    ['5 de marzo de 2024', '2024-03-05'],
    ['le 5 août 2024', '2024-08-05'],
    ['5 marca 2024', '2024-03-05'],
    ['5 марта 2024', '2024-03-05'],
    ['2024年3月5日', '2024-03-05'],
    ['2024. 3. 5.', '2024-03-05'],
    ['05.03.2024', '2024-03-05'],
    ['05.03.24', '2024-03-05'],
    ['20240305', '2024-03-05'],
    ['25/12/2023', '2023-12-25'],
    ['12/25/2023', '2023-12-25'],
  ]
  for (const [text, day] of samples) {
    it(`reads "${text}"`, () => expect(firstDate(text, false)?.day).toBe(day))
  }

  it('reads slashes month first only where that is the custom', () => {
    expect(firstDate('03/04/2024', true)?.day).toBe('2024-03-04')
    expect(firstDate('03/04/2024', false)?.day).toBe('2024-04-03')
  })

  it('refuses days that do not exist and numbers that are no dates', () => {
    expect(firstDate('31 April 2024', false)).toBeNull()
    expect(firstDate('version 1.2.3, 2024 items, 10:20:30', false)).toBeNull()
    expect(firstDate('12 people 2024', false)).toBeNull()
  })

  it('finds several in order', () => {
    expect(allDates('2024-01-02 and 3 May 2024', false, 5).map(({ day }) => day)).toEqual([
      '2024-01-02',
      '2024-05-03',
    ])
  })
})
