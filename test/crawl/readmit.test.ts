import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../harness/database.ts'
import { startTestCrawler } from './crawl-demo.ts'

const database = useDatabase({ max: 8 })
let server: Server
let url = ''
let robots = { status: 200, body: '' }

/** What each page links to. Nothing here ever changes: only robots.txt and the settings of the source do. */
const links: Record<string, string> = {
  '/': '<a rel="nofollow" href="/both">x</a> <a href="/news/1">x</a> <a href="/secret/1">x</a>',
  '/news/1': '<a href="/both">x</a> <a href="/near/1">x</a>',
  '/near/1': '<p>near</p>',
  '/both': '<p>both</p>',
  '/secret/1': '<p>secret</p>',
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '/'
    const page = links[path]
    if (path === '/robots.txt')
      response.writeHead(robots.status, { 'content-type': 'text/plain' }).end(robots.body)
    else if (page === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${path}</h1>${page}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterAll(() => server.close())

/** One run with a memory of its own; gives its status and what became of the pages. */
async function run(): Promise<{ status: string | undefined; pages: Record<string, string> }> {
  await database.sql`update hosts set robots_expires_at = now()`
  await database.sql`update frontier set next_fetch_at = now() where next_fetch_at is not null`
  const crawler = startTestCrawler(database.sql)
  try {
    const source = { key: 'a', url, sourceDefaults: { name: 'A', url, kind: 'news' as const } }
    const status = (await crawler.crawl([source as never])).get('a')?.status
    const rows = await database.sql<{ url: string; state: string }[]>`
      select url, case when status = 'refused' then reason else status end as state from frontier
      where origin <> 'alternative'`
    const pages = Object.fromEntries(rows.map((row) => [new URL(row.url).pathname, row.state]))
    return { status, pages }
  } finally {
    await crawler.stop()
  }
}

test('a robots.txt that cannot be read forbids everything, until it can be read', async () => {
  robots = { status: 503, body: '' }
  const first = await run()
  expect(first).toEqual({ status: 'failed', pages: { '/': 'failed' } })
  robots = { status: 200, body: 'User-agent: *\nDisallow: /' }
  expect((await run()).pages).toEqual({ '/': 'robots' })
  robots = { status: 200, body: 'User-agent: *\nDisallow: /secret/' }
  // One link that may be followed is enough for the page that another one is not to lead to.
  const later = { '/': 'fetched', '/both': 'fetched', '/secret/1': 'robots' }
  expect(await run()).toMatchObject({ status: 'completed', pages: later })
})

test('settings and rules hold for what is known already, though no page changed', async () => {
  robots = { status: 200, body: '' }
  await database.sql`update sources set exclude_patterns = '{/news/**}', max_depth = 1`
  expect((await run()).pages).toMatchObject({
    '/news/1': 'excluded',
    '/near/1': 'depth',
    '/secret/1': 'fetched',
  })
  await database.sql`update sources set exclude_patterns = '{}', max_depth = 3`
  expect((await run()).pages).toMatchObject({ '/news/1': 'fetched', '/near/1': 'fetched' })
})
