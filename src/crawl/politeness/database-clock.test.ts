import { expect, test } from 'vitest'
import { createDatabaseClock } from './database-clock.ts'

test('slow answers bound the clock loosely, quick ones tightly, and the tight bound stays', () => {
  const clock = createDatabaseClock()
  // Theirs is 1,000 ahead of ours.
  clock.learn(1_110, 100, 180)
  expect(clock.toOurs(2_000)).toEqual({ moment: 1_070, blurMs: 80 })
  clock.learn(1_201, 200, 202)
  clock.learn(1_350, 300, 400)
  const { moment, blurMs } = clock.toOurs(2_000)
  expect(moment).toBeGreaterThanOrEqual(1_000)
  expect(moment).toBeLessThan(1_002)
  expect(blurMs).toBeLessThan(3)
})

test('a clock that was set is believed again', () => {
  const clock = createDatabaseClock()
  clock.learn(1_101, 100, 102)
  clock.learn(9_201, 200, 202)
  expect(clock.toOurs(9_500)).toEqual({ moment: 501, blurMs: 2 })
})
