import { expect, test } from 'vitest'
import { feedRetryMinutes, feedTrouble } from './feed-trouble.ts'

test('a failure of a feed has one class, by its status first', () => {
  expect(feedTrouble('gone', 410)).toBe('gone')
  expect(feedTrouble('gone', 404)).toBe('not_found')
  expect(feedTrouble('http_4xx', 403)).toBe('forbidden')
  expect(feedTrouble('rate_limited', 429)).toBe('rate_limited')
  expect(feedTrouble('http_5xx', 502)).toBe('upstream')
  expect(feedTrouble('dns', null)).toBe('network')
  expect(feedTrouble('unparsable', 200)).toBe('malformed')
})

test('waits double up to a limit, and a server that names a time gets it', () => {
  expect([1, 2, 3, 20].map((n) => feedRetryMinutes('upstream', n, null))).toEqual([5, 10, 20, 720])
  expect(feedRetryMinutes('rate_limited', 1, 3 * 3_600_000)).toBe(180)
  expect(feedRetryMinutes('rate_limited', 1000, null)).toBe(360)
})

test('what is gone is left alone at once, what is missing after five tries, a server in trouble much later', () => {
  expect(feedRetryMinutes('gone', 1, null)).toBeNull()
  expect(feedRetryMinutes('not_found', 4, null)).not.toBeNull()
  expect(feedRetryMinutes('not_found', 5, null)).toBeNull()
  expect(feedRetryMinutes('upstream', 49, null)).not.toBeNull()
})
