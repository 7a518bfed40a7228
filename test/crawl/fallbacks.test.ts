import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { s3Archive } from '../../src/archive/s3.ts'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { useDatabase } from '../harness/database.ts'
import { waitFor } from '../harness/wait.ts'
import { startTestCrawler, type TestCrawler, type TestSite } from './crawl-demo.ts'

const database = useDatabase({ max: 16 })
const folder = mkdtempSync(join(tmpdir(), 'millrace-fallbacks-'))
const delayMs = 300
const arrivals: { path: string; at: number }[] = []
let server: Server
let bucket: S3rver
let archive: ReturnType<typeof s3Archive>
let crawler: TestCrawler
let down = false
let url = ''

/** A front page with one concert, a redirect and a feed, and pages without end. */
function answer(path: string): { status: number; type?: string; body?: string; to?: string } {
  if (path === '/robots.txt') return { status: 200, type: 'text/plain', body: 'User-agent: *\n' }
  if (down) return { status: 503 }
  if (path === '/') return { status: 200, body: page('Agenda', ['/old', '/feed.xml', '/n/1']) }
  if (path === '/old') return { status: 301, to: '/moved' }
  if (path === '/moved') return { status: 200, body: page('Verhuisd', []) }
  if (path === '/feed.xml')
    return {
      status: 200,
      type: 'application/rss+xml',
      body: `<rss version="2.0"><channel><title>Feed</title><item><title>Bericht</title><link>${url}moved</link></item></channel></rss>`,
    }
  const number = Number(/^\/n\/(\d+)$/.exec(path)?.[1] ?? NaN)
  return number > 0
    ? { status: 200, body: page(`Nummer ${number}`, [`/n/${number + 1}`]) }
    : { status: 404 }
}

function page(title: string, links: string[]): string {
  const concert = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: `${title} in concert`,
    startDate: '2027-05-01T20:00:00+02:00',
    location: { '@type': 'Place', name: 'Zaal 1' },
  }
  return `<!doctype html><html><head><title>${title}</title>
    <link rel="alternate" type="application/rss+xml" href="/feed.xml">
    <script type="application/ld+json">${JSON.stringify(concert)}</script></head>
    <body><h1>${title}</h1><p>Een pagina met iets te lezen over ${title}.</p>
    ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</body></html>`
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '/'
    arrivals.push({ path, at: performance.now() })
    const { status, type = 'text/html', body = '', to } = answer(path)
    response.writeHead(status, {
      'content-type': type,
      'x-robots-tag': 'noarchive',
      ...(to !== undefined && { location: to }),
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  bucket = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: 'pages', configs: [] }],
  })
  const { port } = await bucket.run()
  archive = s3Archive({
    endpoint: `http://127.0.0.1:${port}/pages`,
    region: 'auto',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  })
  crawler = startTestCrawler(database.sql, {
    archive,
    floorMs: delayMs,
    maxPages: 6,
  })
}, 60_000)

afterAll(async () => {
  await crawler.stop()
  await bucket.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function site(key: string, address: string): TestSite {
  return { key, url: address, sourceDefaults: { name: key, url: address, kind: 'mixed' } as never }
}

test('bodies go to the bucket, and headers worth keeping with the page', async () => {
  const outcome = await crawler.crawl([site('site', url)])
  expect(outcome.get('site')).toMatchObject({ status: 'completed', error: null })
  const pages = await database.sql<{ hash: string; headers: Record<string, string> }[]>`
    select encode(content_hash, 'hex') as hash, headers from pages where outcome = 'fetched'`
  expect(pages.length).toBeGreaterThan(3)
  for (const { hash, headers } of pages) {
    expect(await archive.get(hash)).not.toBeNull()
    expect(headers).toMatchObject({ 'x-robots-tag': 'noarchive' })
  }
}, 120_000)

test('a redirect to the same host takes a slot of its own', () => {
  const at = (path: string): number => arrivals.find((arrival) => arrival.path === path)?.at ?? NaN
  expect(at('/moved') - at('/old')).toBeGreaterThan(delayMs * 0.9)
})

test('what no tier gets is read from the copy of today, and says so', async () => {
  down = true
  const outcome = await crawler.crawl([site('site', url)])
  down = false
  expect(outcome.get('site')).toMatchObject({ status: 'completed', error: null })
  const [page] = await database.sql<
    { outcome: string; reason: string; items_found: number; trace: { note?: string }[] }[]
  >`
    select p.outcome, p.reason, p.items_found, i.strategy_trace as trace
    from pages p join scraper_insights i on i.page_id = p.id where p.stale and p.url = ${url}`
  expect(page).toMatchObject({ outcome: 'failed', reason: 'http_5xx', items_found: 1 })
  expect(page?.trace.some((step) => step.note?.startsWith('stale copy of'))).toBe(true)
}, 120_000)

test('a name that does not resolve is somebody’s to look at, and its letter can be retried', async () => {
  const outcome = await crawler.crawl([site('gone', 'http://gone.invalid/')])
  expect(outcome.get('gone')).toMatchObject({ status: 'failed' })
  const letters = await database.sql<{ error_type: string; next_retry_at: Date | null }[]>`
    select error_type, next_retry_at from dead_letters where stage = 'fetch'
      and source_id = ${outcome.get('gone')?.sourceId ?? ''}`
  expect(letters).toHaveLength(1)
  expect(letters[0]).toMatchObject({ error_type: 'dns' })
  expect(letters[0]?.next_retry_at).not.toBeNull()
}, 120_000)

interface Ended {
  status: string
  counters: Record<string, number>
}

async function oneOff(payload: Record<string, string | number>): Promise<{ id: string } & Ended> {
  const [id = ''] = await enqueueRuns(database.sql, [
    { trigger: 'one_off', hostKey: new URL(url).host, payload: { url, depth: 9, ...payload } },
  ])
  const run = await waitFor(
    'the crawl to end',
    async () => {
      const [row] = await database.sql<Ended[]>`
        select status, counters from runs where id = ${id} and status not in ('pending', 'running')`
      return row
    },
    { timeoutMs: 60_000 },
  )
  return { id, ...run }
}

test('a crawl with little time ends in time, with what it has', async () => {
  const { status, counters } = await oneOff({ max_duration_seconds: 1, max_pages: 5000 })
  expect(status).toBe('completed')
  expect(counters['fetched']).toBeLessThan(20)
}, 70_000)

test('a crawl of feeds fetches what they announce, and a missed guess is no failure', async () => {
  const { id, counters } = await oneOff({ strategy: 'feed', max_pages: 30 })
  const urls = await database.sql<{ path: string }[]>`
    select url as path from pages where run_id = ${id} and outcome = 'fetched'`
  const paths = urls.map(({ path }) => new URL(path).pathname)
  expect(paths).toEqual(expect.arrayContaining(['/', '/feed.xml', '/moved']))
  expect(paths.some((path) => path.startsWith('/n/'))).toBe(false)
  expect(counters['failed']).toBe(0)
  expect(counters['guesses_missed']).toBeGreaterThan(0)
}, 70_000)
