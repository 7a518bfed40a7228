import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../../test/harness/api.ts'
import { useDatabase } from '../../../test/harness/database.ts'
import { claimPlace, planPlaces } from '../../discover/places.ts'
import { createSearch } from '../../discover/search.ts'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { openPreviewTools, type PreviewTools } from '../../flows/preview/open-tools.ts'
import { searchPlace, type DiscoverDeps } from '../../flows/discover/search-place.ts'

const zwolle = { name: 'Zwolle', country: 'NL', lat: 52.5, lng: 6.1, population: 130_000 }
const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString()
const concert = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  name: 'Nachtconcert',
  startDate: inAMonth,
  location: { '@type': 'Place', name: 'De Loods' },
}
const agenda = `<html lang="nl"><title>Agenda | De Loods</title><h1>Agenda</h1>
  <script type="application/ld+json">${JSON.stringify(concert)}</script></html>`

const database = useDatabase()
const server = useApi(database, {
  env: {
    CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true',
    FETCHER_BROWSER_PAGES: '0',
    SEARCH_API_URL: 'http://127.0.0.1:9/',
  },
})

describe('finding new sources', { timeout: 60_000 }, () => {
  let web: Server
  let base = ''
  let tools: PreviewTools
  let deps: DiscoverDeps
  /** What the search service answers: results, or a status. */
  let service: { results: string[]; status: number; asked: string[] }

  beforeAll(async () => {
    web = createServer((request, response) => {
      if (request.url === '/search') {
        void answerSearch(request, response)
        return
      }
      const found = request.url === '/agenda'
      response.writeHead(found ? 200 : 404, { 'content-type': 'text/html' })
      response.end(found ? agenda : 'not here')
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
    tools = openPreviewTools({
      sql: database.sql,
      clock: systemClock,
      config: server.context.config,
      allowedHosts: new Set(),
    })
    deps = {
      sql: database.sql,
      clock: systemClock,
      log: silentLog,
      search: createSearch({ url: `${base}/search`, apiKey: 'key', fetch }),
      preview: tools.preview,
    }
  })
  afterAll(async () => {
    await tools.close()
    web.close()
  })
  beforeEach(async () => {
    await database.sql`truncate discovery_places, search_answers, source_candidates, sources cascade`
    service = {
      results: [`${base}/agenda`, 'https://www.facebook.com/zwolle'],
      status: 200,
      asked: [],
    }
    await planPlaces(database.sql, [zwolle], new Date(0), new Date())
  })

  async function answerSearch(
    request: AsyncIterable<Buffer> & { headers: Record<string, unknown> },
    response: { writeHead(status: number): unknown; end(body: string): unknown },
  ): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk.toString()
    service.asked.push((JSON.parse(body) as { q: string }).q)
    response.writeHead(service.status)
    const organic = service.results.map((link) => ({ link, title: 'Agenda Zwolle', snippet: '' }))
    response.end(JSON.stringify({ organic }))
  }
  const search = async (): Promise<number> => {
    const place = await claimPlace(database.sql, new Date())
    return place === null ? -1 : await searchPlace(deps, place)
  }
  const api = async (method: 'GET' | 'POST', url: string, payload: object = {}) => {
    const headers = server.as('operator')
    const response = await server.api.inject({
      method,
      url,
      headers,
      ...(method === 'POST' && { payload }),
    })
    return { status: response.statusCode, body: response.json<unknown>() }
  }

  test('searches lead to a candidate that a person makes a source', async () => {
    expect(await search()).toBe(1)
    expect(service.asked).toHaveLength(5)
    const listed = await api('GET', '/api/v1/discovery/candidates')
    expect(listed.body).toMatchObject({
      total: 1,
      data: [{ url: `${base}/agenda`, place: 'Zwolle', needs_review: false, status: 'new' }],
    })
    const [candidate] = (listed.body as { data: { id: string; confidence: number }[] }).data
    expect(candidate?.confidence).toBeGreaterThan(0.7)
    const accepted = await api('POST', `/api/v1/discovery/candidates/${candidate?.id}/accept`)
    expect(accepted.status).toBe(201)
    expect(accepted.body).toMatchObject({
      url: `${base}/agenda`,
      kind: 'events',
      preferred_method: 'json_ld',
      default_lat: 52.5,
      tags: ['zwolle'],
    })
    const again = await api('POST', `/api/v1/discovery/candidates/${candidate?.id}/reject`)
    expect(again.status).toBe(409)
  })

  test('a service that says stop is asked for the rest later, from the checkpoint', async () => {
    const place = await claimPlace(database.sql, new Date())
    await database.sql`update discovery_places set checkpoint = 2`
    service.status = 429
    if (place !== null) await searchPlace(deps, { ...place, checkpoint: 2 })
    const [waiting] =
      await database.sql`select status, checkpoint, error, next_attempt_at from discovery_places`
    expect(waiting).toMatchObject({
      status: 'pending',
      checkpoint: 2,
      error: 'the search service answered 429',
    })
    expect(waiting?.['next_attempt_at']).toBeInstanceOf(Date)
    expect(await search()).toBe(-1)
    await database.sql`update discovery_places set next_attempt_at = now() - interval '1 second'`
    service = { ...service, status: 200, asked: [] }
    await search()
    expect(service.asked).toHaveLength(3)
  })

  test('while the service is away its last answer will do, and nothing is offered twice', async () => {
    await search()
    await database.sql`update search_answers set fetched_at = now() - interval '30 days'`
    await planPlaces(database.sql, [zwolle], new Date(Date.now() + 1000), new Date())
    service.status = 503
    expect(await search()).toBe(0)
    const [place] = await database.sql`select status from discovery_places`
    expect(place).toEqual({ status: 'completed' })
  })

  test('a place is searched again only after a rest', async () => {
    await search()
    expect(await planPlaces(database.sql, [zwolle], new Date(0), new Date())).toBe(0)
    const planned = await api('POST', '/api/v1/discovery/places', {
      country: 'NL',
      names: ['Zwolle', 'Nergenshuizen'],
      again: true,
    })
    expect(planned).toMatchObject({ status: 202, body: { unknown: ['Nergenshuizen'] } })
  })
})
