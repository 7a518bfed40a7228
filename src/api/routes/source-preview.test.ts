import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness/api.ts'
import { useDatabase } from '../../../test/harness/database.ts'

const database = useDatabase()
const server = useApi(database, {
  env: { CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true', FETCHER_BROWSER_PAGES: '0' },
})
const guarded = useApi(database)

const concert = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  name: 'Nachtconcert',
  startDate: '2026-06-01T20:00:00+02:00',
  location: { '@type': 'Place', name: 'De Loods' },
}
const rss = `<rss version="2.0"><channel><title>N</title><item><title>Nieuws van vandaag</title>
  <link>http://x.nl/1</link></item></channel></rss>`
const pages: Record<string, { type: string; body: string }> = {
  '/agenda': {
    type: 'text/html',
    body: `<html lang="nl"><title>Agenda | De Loods</title><meta property="og:site_name" content="De Loods">
      <link rel="alternate" type="application/rss+xml" href="/feed.xml"><link rel="alternate" type="application/rss+xml" href="/gone.xml">
      <script type="application/ld+json">${JSON.stringify(concert)}</script><h1>Agenda</h1></html>`,
  },
  '/feed.xml': { type: 'application/rss+xml', body: rss },
  '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /prive\n' },
}
const patient = 'User-agent: *\nCrawl-delay: 20\n'

describe('POST /api/v1/sources/preview', { timeout: 60_000 }, () => {
  let web: Server
  let slow: Server
  let [base, slowBase] = ['', '']

  beforeAll(async () => {
    web = createServer((request, response) => {
      const page = pages[request.url ?? '']
      response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' })
      response.end(page?.body ?? 'not here')
    })
    slow = createServer((request, response) => {
      const robots = request.url === '/robots.txt'
      response.writeHead(200, { 'content-type': robots ? 'text/plain' : 'text/html' })
      response.end(robots ? patient : pages['/agenda']?.body)
    })
    ;[base, slowBase] = await Promise.all([listening(web), listening(slow)])
  })
  afterAll(() => {
    web.close()
    slow.close()
  })

  it('tells what every strategy finds, the feeds with what is in them, and settings with reasons', async () => {
    const { status, body } = await preview(`${base}/agenda`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      existing_source: null,
      robots: { verdict: 'rules', allowed: true },
      page: { state: 'read', tier: 'static', winner: 'json_ld', items: 1, language: 'nl' },
      feeds: [
        { url: `${base}/feed.xml`, state: 'read', items: 1, titles: ['Nieuws van vandaag'] },
        { url: `${base}/gone.xml`, state: 'failed', reason: 'gone' },
      ],
      recommended: {
        name: { value: 'De Loods', why: 'site_name' },
        kind: { value: 'events', why: 'found_items' },
        preferred_method: { value: 'json_ld' },
        feed_urls: { value: [`${base}/feed.xml`] },
        timezone: { value: 'Europe/Amsterdam' },
        locale: { value: 'nl-NL' },
      },
    })
    const names = body.strategies.map((one: { strategy: string }) => one.strategy)
    expect(new Set(names).size).toBe(names.length)
    expect(
      body.strategies.find((one: { strategy: string }) => one.strategy === 'json_ld'),
    ).toMatchObject({
      found: 1,
      fields: { title: 1, start: 1, place: 1 },
      samples: [{ place: 'De Loods' }],
    })
  })

  it('does not open what robots.txt refuses, and says so', async () => {
    const { body } = await preview(`${base}/prive`)
    expect(body).toMatchObject({
      robots: { allowed: false },
      page: { state: 'refused', reason: 'robots' },
      strategies: [],
    })
  })

  it('asks a host that wants patience for its page alone', async () => {
    const { body } = await preview(`${slowBase}/agenda`)
    expect(body).toMatchObject({
      robots: { crawl_delay_ms: 20_000 },
      page: { state: 'read', items: 1 },
      feeds: [{ state: 'not_asked' }, { state: 'not_asked' }],
      recommended: { rate_limit: { value: 0.05, why: 'crawl_delay' } },
    })
  })

  it('nobody looks into the house', async () => {
    const answer = await preview(`${base}/agenda`, guarded)
    expect(answer.status).toBe(400)
  })

  it('a site that does not answer is told, with settings to start from', async () => {
    const { status, body } = await preview('http://127.0.0.1:9/')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      page: { state: 'unreachable' },
      recommended: { kind: { value: 'mixed' } },
    })
  })

  async function preview(url: string, on = server) {
    const response = await on.api.inject({
      method: 'POST',
      url: '/api/v1/sources/preview',
      headers: on.as('operator'),
      payload: { url },
    })
    return { status: response.statusCode, body: response.json() }
  }
})

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
