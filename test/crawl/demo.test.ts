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
]

beforeAll(async () => {
  web = await startDemoWeb({ seed: 7 })
  crawler = startTestCrawler(database.sql)
  outcome = await crawler.crawl(web.sites)
}, 120_000)

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
