import { expect, test } from 'vitest'
import { defaultRetryRule, retryDelayMs } from './retry.ts'

const middle = (): number => 0.5

test('retries wait 60 s, doubled each time, at most an hour', () => {
  const rule = { maxRetries: 8, backoffSeconds: 60 }
  const seconds = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => (retryDelayMs(n, rule, middle) ?? 0) / 1000)
  expect(seconds).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600])
})

test('after three retries there is no fourth by default', () => {
  expect(retryDelayMs(3, defaultRetryRule, middle)).toBe(240_000)
  expect(retryDelayMs(4, defaultRetryRule, middle)).toBeNull()
})

test('the wait is spread by up to a tenth', () => {
  expect(retryDelayMs(1, defaultRetryRule, () => 0)).toBe(54_000)
  expect(retryDelayMs(1, defaultRetryRule, () => 1)).toBe(66_000)
})
