import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDemoWeb, type DemoSite, type DemoWeb } from '../../demo/index.ts'
import { normalizeUrl } from '../../src/kernel/url.ts'
import { useDatabase } from '../harness/database.ts'
import { startTestCrawler, type TestCrawler } from './crawl-demo.ts'

const database = useDatabase({ max: 16 })
let web: DemoWeb
let crawler: TestCrawler
let outcome: Awaited<ReturnType<TestCrawler['crawl']>>

const plain = [
  'dutch-news',
  'english-news',
  'wordpress-agenda',
  'next-pages',
  'next-app',
  'nuxt',
  'json-ld',
  'broken-json-ld',
  'ics',
  'municipal',
  'microdata',
  'regional-guide',
  // These two only answer to a browser, or to what looks like one.
  'bot-wall',
  'client-rendered',
]

beforeAll(async () => {
  web = await startDemoWeb({ seed: 7 })
  crawler = startTestCrawler(database.sql)
  outcome = await crawler.crawl(web.sites)
}, 200_000)

afterAll(async () => {
  await crawler.stop()
  await web.close()
})

function site(key: string): DemoSite {
  const found = web.sites.find((candidate) => candidate.key === key)
  if (found === undefined) throw new Error(`no site ${key}`)
  return found
}

async function fetchedUrls(key: string): Promise<string[]> {
  const rows = await database.sql<{ url: string }[]>`
    select distinct url from pages where source_id = ${outcome.get(key)?.sourceId ?? ''} and outcome <> 'failed'`
  return rows.map((row) => row.url).sort()
}

describe('the crawl of a good site fetches exactly what a perfect crawl would', () => {
  test.each(plain)('%s', async (key) => {
    const expected = site(key)
      .truth()
      .pages.filter((page) => page.outcome === 'fetched')
      .map((page) => normalizeUrl(page.url) ?? page.url)
    expect(outcome.get(key)).toMatchObject({ status: 'completed' })
    expect(await fetchedUrls(key)).toEqual([...new Set(expected)].sort())
  })
})

test('every body that was fetched can be read again', async () => {
  const rows = await database.sql<{ hash: string }[]>`
    select distinct encode(content_hash, 'hex') as hash from pages where archived`
  expect(rows.length).toBeGreaterThan(100)
  for (const { hash } of rows) expect(await crawler.archive.get(hash)).not.toBeNull()
})

/** The truth's words for why a page cannot be had, and ours. */
const reasons: Record<string, string> = {
  robots: 'robots',
  nofollow: 'nofollow',
  blocked: 'blocked',
  timeout: 'timeout',
  too_large: 'too_large',
  redirect_loop: 'too_many_redirects',
  too_many_redirects: 'too_many_redirects',
  connection: 'refused',
}

describe('a misbehaving site ends in the right reason', () => {
  const misbehaving = [
    'rate-limited',
    'slow',
    'huge-body',
    'redirect-loop',
    'gzip-bomb',
    'wrong-charset',
    'robots-rules',
    'flaky',
    'captcha',
    'dead',
  ]
  test.each(misbehaving)('%s', async (key) => {
    const rows = await database.sql<{ url: string; status: string; reason: string | null }[]>`
      select url, status, reason from frontier where source_id = ${outcome.get(key)?.sourceId ?? ''}`
    const known = new Map(rows.map((row) => [row.url, row]))
    const wrong = site(key)
      .truth()
      .pages.flatMap((page) => {
        const row = known.get(normalizeUrl(page.url) ?? page.url)
        const want = page.outcome === 'fetched' ? 'fetched' : (reasons[page.reason ?? ''] ?? '?')
        const got =
          row === undefined ? 'unknown' : row.status === 'fetched' ? 'fetched' : row.reason
        return got === want ? [] : [`${page.url}: expected ${want}, got ${got}`]
      })
    expect(wrong).toEqual([])
  })

  test('an endless calendar is left after a bounded number of pages', async () => {
    const { traps, pages } = site('infinite-calendar').truth()
    const urls = await fetchedUrls('infinite-calendar')
    for (const trap of traps) {
      const steps = urls.filter((url) => new RegExp(trap.pattern).test(new URL(url).pathname))
      expect(steps.length).toBeGreaterThan(0)
      expect(steps.length).toBeLessThanOrEqual(trap.atMost)
    }
    // What is coming up is read all the same.
    const wanted = pages.map((page) => normalizeUrl(page.url) ?? page.url)
    expect(urls).toEqual(expect.arrayContaining(wanted))
  })
})
