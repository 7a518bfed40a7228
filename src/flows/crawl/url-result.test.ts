import { expect, test } from 'vitest'
import type { ClaimedUrl } from '../../crawl/frontier/types.ts'
import { judgeFailure, noAnswer } from './url-result.ts'

const now = new Date('2026-11-20T12:00:00Z')
const page: ClaimedUrl = {
  id: '1',
  url: 'https://news.example/a',
  kind: 'page',
  origin: 'link',
  depth: 1,
  attempts: 0,
  intervalMinutes: 1440,
  etag: null,
  lastModified: null,
  contentHash: 'aa',
}

/** Days until it is asked for again; null when never. */
function nextLook(claimed: Partial<ClaimedUrl>, status: number): number | null {
  const url = { ...page, ...claimed }
  const failure = { ...noAnswer(url, 'gone', 'not there'), status }
  const { next_fetch_at: next } = judgeFailure(url, failure, 'gone', now).url
  return next === null ? null : (Date.parse(next) - now.getTime()) / 86_400_000
}

test('a page that was there and is not found is looked at after a day and a week, then given up', () => {
  expect([0, 1, 2].map((attempts) => nextLook({ attempts }, 404))).toEqual([1, 7, null])
  expect(nextLook({ contentHash: null }, 404)).toBeNull()
  expect(nextLook({}, 410)).toBeNull()
})
