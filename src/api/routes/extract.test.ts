import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness/api.ts'
import { useDatabase } from '../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'

const database = useDatabase()
const server = useApi(database)

async function extract(payload: object) {
  const response = await server.api.inject({
    method: 'POST',
    url: '/api/v1/extract',
    headers: server.as('operator'),
    payload,
  })
  return { status: response.statusCode, body: response.json() }
}

describe('POST /api/v1/extract', () => {
  it(
    'shows a page through every strategy, with a recommendation',
    { timeout: 60_000 },
    async () => {
      const event = {
        '@context': 'https://schema.org',
        '@type': 'MusicEvent',
        name: 'Nachtconcert',
        startDate: '2026-06-01T20:00:00+02:00',
        location: { '@type': 'Place', name: 'De Loods' },
      }
      const { status, body } = await extract({
        url: 'https://s.nl/agenda/nachtconcert',
        html: `<html lang="nl"><title>Nachtconcert</title><link rel="alternate" type="text/calendar" href="/agenda.ics">
        <script type="application/ld+json">${JSON.stringify(event)}</script><h1>Nachtconcert</h1></html>`,
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        strategy: 'json_ld',
        items: [{ title: 'Nachtconcert', language: 'nl', calendar: { time_text: null } }],
        feeds: [{ url: 'https://s.nl/agenda.ics', kind: 'ics' }],
        recommended: { kind: 'events', preferred_method: 'json_ld' },
      })
      expect(body.strategies.map((one: { strategy: string }) => one.strategy)).toContain('dom')
      expect(body.items[0].provenance.start.path).toContain('startDate')
    },
  )

  it('nobody looks into the house', async () => {
    const { status, body } = await extract({ url: 'http://127.0.0.1:1/secret' })
    expect(status).toBe(422)
    expect(['private_address', 'robots']).toContain(body.reason)
  })

  it('asks for an address or a text', async () => {
    expect((await extract({})).status).toBe(400)
  })
})

describe('what a source taught us', () => {
  it('is told run by run, with the strategies and the circuits it depends on', async () => {
    const { sql } = database
    const [id, first, second] = [newId(), newId(), newId()]
    await sql`
      insert into sources (id, name, url, url_key, host_key) values (${id}, 'T', 'https://t.nl/', ${id}, 't.nl')`
    await sql`
      insert into scraper_insights (source_id, run_id, winning_strategy, strategy_trace, items_found, execution_time_ms, created_at)
      values (${id}, ${first}, 'dom', '[]', 3, 1, now() - interval '1 hour'), (${id}, ${second}, 'dom', '[]', 2, 1, now()),
        (${id}, ${second}, 'feed', '[]', 5, 1, now()), (${id}, ${second}, null, '[]', 0, 1, now())`
    await sql`insert into breakers (kind, key, state, failure_count, updated_at) values ('host', 't.nl', 'open', 5, now())`
    const response = await server.api.inject({
      method: 'GET',
      url: `/api/v1/sources/${id}/extraction`,
      headers: server.as('viewer'),
    })
    expect(response.json()).toMatchObject({
      runs: [
        { run_id: first, items: 3, pages: 1, strategies: { dom: 3 } },
        { run_id: second, items: 7, pages: 3, strategies: { dom: 2, feed: 5 } },
      ],
      breakers: [{ kind: 'host', key: 't.nl', state: 'open' }],
    })
  })

  it('is told with its yield, also before the first crawl', async () => {
    const id = newId()
    await database.sql`
      insert into sources (id, name, url, url_key, host_key) values (${id}, 'S', 'https://s.nl/', ${id}, 's.nl')`
    const response = await server.api.inject({
      method: 'GET',
      url: `/api/v1/sources/${id}/extraction`,
      headers: server.as('viewer'),
    })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      learning: null,
      drift: { status: 'unknown' },
      runs: [],
      breakers: [],
    })
    const drift = await server.api.inject({
      method: 'GET',
      url: '/api/v1/extraction/drift',
      headers: server.as('viewer'),
    })
    expect(drift.json()).toEqual({ data: [], compared: 0 })
  })
})
