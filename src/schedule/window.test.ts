import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inWindow, nextWindowStart, windowOf } from './window.ts'

const at = (text: string): Date => new Date(`${text}:00Z`)
// 2026-01-30 is a Friday.

test('no window is always open', () => {
  expect(inWindow(null, at('2026-01-30T03:00'))).toBe(true)
})

test('a window holds its first hour and not its last', () => {
  const window = { startHour: 9, endHour: 17, days: [] }
  const hours = ['08:59', '09:00', '16:59', '17:00']
  expect(hours.map((hour) => inWindow(window, at(`2026-01-30T${hour}`)))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('a window over midnight holds both evenings and mornings', () => {
  const window = { startHour: 22, endHour: 6, days: [] }
  const hours = ['21:59', '22:00', '00:00', '05:59', '06:00']
  expect(hours.map((hour) => inWindow(window, at(`2026-01-30T${hour}`)))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
})

test('days are those of the moment itself', () => {
  const window = { startHour: 0, endHour: 23, days: [5] }
  expect(inWindow(window, at('2026-01-30T10:00'))).toBe(true)
  expect(inWindow(window, at('2026-01-31T10:00'))).toBe(false)
})

test('the next opening waits for the hour and the day', () => {
  const window = { startHour: 22, endHour: 6, days: [1] }
  expect(nextWindowStart(window, at('2026-01-30T10:15'))).toEqual(at('2026-02-02T00:00'))
})

test('a window that never opens has no next opening', () => {
  expect(nextWindowStart({ startHour: 5, endHour: 5, days: [] }, at('2026-01-30T10:15'))).toBeNull()
})

test('a job without hours has no window', () => {
  expect(windowOf({ crawlWindowStart: null, crawlWindowEnd: 3, crawlWindowDays: null })).toBeNull()
})

test('the next opening is open, and nothing before it is', () => {
  const window = fc.record({
    startHour: fc.integer({ min: 0, max: 23 }),
    endHour: fc.integer({ min: 0, max: 23 }),
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 })),
  })
  const time = fc.date({ min: at('2026-01-01T00:00'), max: at('2027-01-01T00:00') })
  fc.assert(
    fc.property(window, time, (given, now) => {
      const start = nextWindowStart(given, now)
      if (start === null) return
      expect(inWindow(given, start)).toBe(true)
      for (let t = now.getTime(); t < start.getTime(); t += 1_800_000) {
        expect(inWindow(given, new Date(t))).toBe(false)
      }
    }),
    { seed: 4 },
  )
})
