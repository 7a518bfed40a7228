import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  computeSchedule,
  explainChain,
  failureBackoffMinutes,
  readableUnit,
  toMinutes,
} from './compute.ts'

test('each priority has its base interval, number, concurrency and first delay', () => {
  const seen = ['critical', 'high', 'normal', 'low'].map((priority) => {
    const plan = computeSchedule({ priority, rateLimit: 10, maxDepth: 1 })
    return [plan.intervalMinutes, plan.priority, plan.maxConcurrent, plan.initialDelayMs / 60_000]
  })
  expect(seen).toEqual([
    [15, 100, 3, 0],
    [30, 75, 2, 1],
    [60, 50, 1, 5],
    [180, 25, 1, 10],
  ])
})

test.each([
  [1, 90],
  [5, 90],
  [6, 60],
  [10, 60],
  [11, 45],
  [20, 45],
  [21, 30],
  [0, 60],
  [-3, 60],
])('a rate limit of %d per second gives a normal source %d minutes', (rateLimit, minutes) => {
  expect(computeSchedule({ rateLimit }).intervalMinutes).toBe(minutes)
})

test.each([
  [0, 60],
  [2, 60],
  [3, 75],
  [5, 75],
  [6, 90],
])('a depth of %d gives a normal source %d minutes', (maxDepth, minutes) => {
  expect(computeSchedule({ maxDepth }).intervalMinutes).toBe(minutes)
})

test('parts of a minute are dropped after each step', () => {
  expect(computeSchedule({ priority: 'critical', rateLimit: 3, maxDepth: 4 }).intervalMinutes).toBe(
    27,
  )
})

test('failures double the interval up to a day', () => {
  expect([0, 1, 2, 3, 4, 5, 9].map((n) => failureBackoffMinutes(60, n))).toEqual([
    60, 120, 240, 480, 960, 1440, 1440,
  ])
})

test('an unknown priority is treated as normal', () => {
  expect(computeSchedule({ priority: 'urgent' })).toEqual(computeSchedule({ priority: 'normal' }))
})

test('60 minutes read as hours but stay 60 minutes', () => {
  const plan = computeSchedule({})
  expect([plan.intervalMinutes, plan.intervalType]).toEqual([60, 'hours'])
  expect(readableUnit(75)).toBe('minutes')
  expect(toMinutes(6, 'hours')).toBe(360)
})

test('the chain explains the interval in one line', () => {
  const plan = computeSchedule({ maxDepth: 3, failureCount: 1 })
  expect(explainChain(plan.chain)).toBe(
    '60 base of priority normal, x1.25 depth 3, x2 1 failure = 150 minutes',
  )
})

test('the interval is the last step of the chain, whole, positive and at most a day', () => {
  const input = fc.record({
    priority: fc.constantFrom('low', 'normal', 'high', 'critical', '', 'odd'),
    rateLimit: fc.option(fc.integer({ min: -5, max: 100 })),
    maxDepth: fc.option(fc.integer({ min: -5, max: 20 })),
    failureCount: fc.integer({ min: 0, max: 40 }),
  })
  fc.assert(
    fc.property(input, (given) => {
      const plan = computeSchedule(given)
      expect(plan.chain.at(-1)?.minutes).toBe(plan.intervalMinutes)
      expect(Number.isInteger(plan.intervalMinutes)).toBe(true)
      expect(plan.intervalMinutes).toBeGreaterThan(0)
      expect(plan.intervalMinutes).toBeLessThanOrEqual(1440)
      const calmer = computeSchedule({ ...given, failureCount: given.failureCount + 1 })
      expect(calmer.intervalMinutes).toBeGreaterThanOrEqual(plan.intervalMinutes)
    }),
    { seed: 4 },
  )
})
