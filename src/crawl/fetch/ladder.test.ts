import { expect, test } from 'vitest'
import { createLadder, type Climb, type LadderUrl, type TierMemory } from './ladder.ts'
import type { FailedFetch, FetchTier, TierName } from './types.ts'

const now = new Date('2026-05-01T12:00:00Z')
const start: LadderUrl = { id: '1', kind: 'listing', isStart: true }
const page: LadderUrl = { id: '2', kind: 'page', isStart: false }
const fresh: TierMemory = { tier: 'static', retryAt: null, failures: 0 }

function failure(tier: TierName, kind: FailedFetch['kind']): FailedFetch {
  return {
    ok: false,
    tier,
    kind,
    detail: '',
    status: 403,
    retryAfterMs: null,
    url: 'http://a.test/',
    finalUrl: 'http://a.test/',
    redirects: [],
    durationMs: 1,
  }
}

function climb(memory: TierMemory = fresh, renderMode = 'auto'): Climb {
  const names: TierName[] = ['static', 'impersonating', 'browser']
  const tiers = names.map((name): FetchTier => ({
    name,
    fetch: async () => failure(name, 'blocked'),
    close: async () => {},
  }))
  return createLadder({ tiers, timeoutMs: 1000, now: () => now })({
    renderMode,
    proxy: null,
    memory,
  })
}

async function tierOf(source: Climb, url: LadderUrl): Promise<TierName> {
  return (await source.fetch(url, { url: 'http://a.test/' })).tier
}

test('three refusals move a URL up, and what works then is kept for the source', async () => {
  const source = climb()
  expect(source.failed(start, failure('static', 'blocked'))).toBe('again')
  expect(source.failed(start, failure('static', 'rate_limited'))).toBe('again')
  expect(source.failed(start, failure('static', 'timeout'))).toBe('climbed')
  expect(await tierOf(source, start)).toBe('impersonating')
  expect(source.succeeded(start, 'impersonating')).toEqual({
    tier: 'impersonating',
    failures: 0,
    retryAt: new Date('2026-05-02T12:00:00Z'),
  })
  expect(await tierOf(source, page)).toBe('impersonating')
})

test('other failures do not climb', () => {
  for (const kind of ['refused', 'dns', 'tls', 'gone', 'http_5xx'] as const)
    expect(climb().failed(page, failure('static', kind))).toBe('give_up')
})

test('a challenge climbs at once, and after the last tier it is the end', () => {
  const source = climb()
  expect(source.rejected(page, 'static', 'blocked')).toBe('climbed')
  expect(source.rejected(page, 'impersonating', 'blocked')).toBe('climbed')
  expect(source.rejected(page, 'browser', 'blocked')).toBe('give_up')
})

test('an empty shell goes straight to the browser, unless the source forbids it', async () => {
  const source = climb()
  expect(source.rejected(start, 'static', 'needs_browser')).toBe('climbed')
  expect(await tierOf(source, start)).toBe('browser')
  expect(source.rejected(start, 'browser', 'needs_browser')).toBe('give_up')
  expect(climb(fresh, 'static').rejected(start, 'static', 'needs_browser')).toBe('give_up')
})

test('one page in need of a browser does not make it the tier of the source; three do', () => {
  const source = climb()
  const memories = ['2', '3', '4'].map((id) => {
    source.rejected({ ...page, id }, 'static', 'needs_browser')
    return source.succeeded({ ...page, id }, 'browser')
  })
  expect(memories.map((memory) => memory?.tier ?? null)).toEqual([null, null, 'browser'])
})

test('the cheaper tiers are tried again at the front door when it is time', async () => {
  const source = climb({ tier: 'impersonating', retryAt: new Date(now.getTime() - 1), failures: 1 })
  expect(await tierOf(source, page)).toBe('impersonating')
  expect(await tierOf(source, start)).toBe('static')
  expect(source.succeeded(start, 'static')).toEqual({ tier: 'static', failures: 0, retryAt: null })
  expect(await tierOf(source, page)).toBe('static')
})

test('in vain, they are tried again later and later', () => {
  const source = climb({ tier: 'impersonating', retryAt: now, failures: 1 })
  expect(source.failed(start, failure('static', 'blocked'))).toBe('climbed')
  expect(source.succeeded(start, 'impersonating')).toEqual({
    tier: 'impersonating',
    failures: 2,
    retryAt: new Date('2026-05-05T12:00:00Z'),
  })
})

test('feeds and sitemaps are never rendered', async () => {
  const source = climb({ tier: 'browser', retryAt: new Date('2026-06-01'), failures: 0 })
  expect(await tierOf(source, page)).toBe('browser')
  expect(await tierOf(source, { id: '9', kind: 'feed', isStart: false })).toBe('impersonating')
})

test('a run stops climbing after enough URLs that no tier could get', () => {
  const source = climb()
  for (const id of ['2', '3', '4']) {
    source.rejected({ ...page, id }, 'static', 'blocked')
    source.rejected({ ...page, id }, 'impersonating', 'blocked')
    source.rejected({ ...page, id }, 'browser', 'blocked')
  }
  expect(source.rejected({ ...page, id: '5' }, 'static', 'blocked')).toBe('give_up')
})
