import { beforeAll, expect, test } from 'vitest'
import { articleRoutes } from '../../src/api/routes/articles.ts'
import { calendarRoutes } from '../../src/api/routes/calendar.ts'
import { clusterRoutes } from '../../src/api/routes/clusters.ts'
import { deadLetterRoutes } from '../../src/api/routes/dead-letters.ts'
import { feedRoutes } from '../../src/api/routes/feed.ts'
import { allRoutes } from '../../src/api/routes.ts'
import { dedupStage } from '../../src/flows/refine/dedup-items.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'
import { addSource, drain, stageDeps } from './harness.ts'
import { addItems, rawArticle, rawEvent } from './raw.ts'

for (const routes of [articleRoutes, calendarRoutes, clusterRoutes, deadLetterRoutes, feedRoutes])
  if (!allRoutes.includes(routes)) allRoutes.push(routes)

const database = useDatabase()
const server = useApi(database)
const day = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const text = Array.from({ length: 80 }, (_, i) => `woord${i} over de molen`).join(' ')

beforeAll(async () => {
  const { sql } = database
  const deps = stageDeps(sql, new Date(Date.now() + 60_000))
  const first = await addSource(sql, { name: 'Stad', url: 'https://stad.example/' })
  const second = await addSource(sql, { name: 'Gids', url: 'https://gids.example/' })
  await addItems(sql, first, [
    rawEvent('Jazzconcert in de kerk', `${day(3)}T20:00`),
    rawEvent('Wijnproeverij aan de gracht', `${day(5)}T19:00`, {}, 'Groningen'),
    rawEvent('Hardloopwedstrijd', `${day(10)}T10:00`),
    rawEvent('Geen datum', 'ooit'),
    rawArticle('Molen draait weer', text, 'https://stad.example/nieuws/molen'),
  ])
  await addItems(sql, second, [
    { ...rawEvent('Jazz concert in de kerk', `${day(3)}T20:00`), url: 'https://gids.example/jazz' },
    rawArticle('Molen draait weer na brand', text, 'https://gids.example/nieuws/molen'),
  ])
  await drain(refineStage(), deps)
  await drain(dedupStage(), deps)
})

interface Answer {
  data: Record<string, unknown>[]
  total: number
  next_cursor: string | null
}

async function get(url: string): Promise<Answer> {
  const response = await server.api.inject({ url, headers: server.as('viewer') })
  expect([url, response.statusCode, response.statusCode === 200 ? '' : response.body]).toEqual([
    url,
    200,
    '',
  ])
  return response.json()
}
const titles = (answer: Answer): unknown[] => answer.data.map((row) => row['title'])

test('the calendar is found by time, text, category and distance', async () => {
  expect((await get('/api/v1/calendar')).total).toBe(4)
  // The search knows word forms; which of the two tellings is shown for their cluster is another matter.
  expect(titles(await get('/api/v1/calendar?search=concerten'))).toEqual([
    'Jazz concert in de kerk',
  ])
  expect((await get('/api/v1/calendar?search=kerk&canonical=true')).total).toBe(1)
  expect(titles(await get('/api/v1/calendar?category=foodie'))).toEqual([
    'Wijnproeverij aan de gracht',
  ])
  expect(titles(await get('/api/v1/calendar?near=53.22,6.57&km=20&sort=distance'))).toEqual([
    'Wijnproeverij aan de gracht',
  ])
  expect(titles(await get(`/api/v1/calendar?from=${day(9)}`))).toEqual(['Hardloopwedstrijd'])
})

test('cursors walk a list to its end without doubles', async () => {
  const seen: unknown[] = []
  let cursor = ''
  for (let page = 0; page < 10; page++) {
    const answer = await get(`/api/v1/calendar?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...answer.data.map((row) => row['id']))
    if (answer.next_cursor === null) break
    cursor = answer.next_cursor
  }
  expect(new Set(seen).size).toBe(4)
  const refused = await server.api.inject({
    url: '/api/v1/calendar?cursor=nonsense',
    headers: server.as('viewer'),
  })
  expect(refused.statusCode).toBe(400)
})

test('what is shown is complete: title, description, date, venue, category and coordinates', async () => {
  for (const row of (await get('/api/v1/calendar')).data) {
    expect(row).toMatchObject({
      title: expect.stringMatching(/\S/) as unknown,
      description: expect.any(String) as unknown,
      event_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
      venue_name: expect.stringMatching(/\S/) as unknown,
      category: expect.any(String) as unknown,
      structured_location: {
        coordinates: { lat: expect.any(Number) as unknown, lng: expect.any(Number) as unknown },
      },
    })
  }
})

test('articles are found by topic and by quality', async () => {
  const { sql } = database
  await sql`
    insert into item_classifications (item_id, kind, source_id, view_hash, content_hash, quality_score, quality_parts,
      content_type, confidence, topics, model_version, language, classified_at)
    select id, 'article', source_id, '', '', 72, '{}', 'article', 1, array['heritage'], 'test', 'nl', now()
    from articles where title = 'Molen draait weer'`
  expect(titles(await get('/api/v1/articles?topic=heritage'))).toEqual(['Molen draait weer'])
  expect((await get('/api/v1/articles?topic=sport')).total).toBe(0)
  expect((await get('/api/v1/articles?topic=heritage&min_quality=73')).total).toBe(0)
  await sql`delete from item_classifications`
})

test('articles are one per cluster when asked, with text, history and feed', async () => {
  expect((await get('/api/v1/articles')).total).toBe(2)
  const shown = await get('/api/v1/articles?canonical=true&search=molen')
  expect(shown.data).toHaveLength(1)
  expect(shown.data[0]?.['cluster_size']).toBe(2)
  const id = String(shown.data[0]?.['id'])
  const one = await server.api.inject({
    url: `/api/v1/articles/${id}`,
    headers: server.as('viewer'),
  })
  expect(one.json()).toMatchObject({ text })
  expect((await get(`/api/v1/articles/${id}/history`)).data.map((row) => row['change'])).toEqual([
    'created',
  ])
  const rss = await server.api.inject({ url: '/api/v1/articles.rss', headers: server.as('viewer') })
  expect(rss.headers['content-type']).toContain('application/rss+xml')
  expect(rss.body).toContain('<title>Molen draait weer</title>')
})

test.each([
  ['/api/v1/calendar?category=foodie,musik', 'category'],
  ['/api/v1/calendar?status=gone', 'status'],
  ['/api/v1/articles?status=gone', 'status'],
  ['/api/v1/feed?likes=musik', 'likes'],
  ['/api/v1/feed?likes=music:lots', 'likes'],
])('a word that does not exist is told, not searched for: %s', async (url, field) => {
  const answer = await server.api.inject({ url, headers: server.as('viewer') })
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ detail: string }>().detail).toContain(field)
})

test('feeds lead to where they come from', async () => {
  for (const path of ['calendar', 'articles']) {
    const headers = { ...server.as('viewer'), host: 'millrace.example:8060' }
    const { body } = await server.api.inject({ url: `/api/v1/${path}.rss`, headers })
    expect(body).toContain('<link>http://millrace.example:8060</link>')
  }
})

test('the calendar file carries stable ids and sequences', async () => {
  const ics = await server.api.inject({ url: '/api/v1/calendar.ics', headers: server.as('viewer') })
  expect(ics.headers['content-type']).toContain('text/calendar')
  expect(ics.body.match(/BEGIN:VEVENT/g)).toHaveLength(3)
  expect(ics.body).toMatch(/UID:[0-9a-f-]{36}@millrace\r\n/)
  expect(ics.body).toContain('SEQUENCE:0')
  expect(ics.body.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
})

test('the feed prefers what is near, liked and soon, and shows why', async () => {
  const answer = await get('/api/v1/feed?near=53.22,6.57&likes=foodie')
  expect(titles(answer)[0]).toBe('Wijnproeverij aan de gracht')
  expect(answer.data[0]?.['score_parts']).toMatchObject({ category: 1 })
  expect(titles(await get('/api/v1/feed'))[0]).toMatch(/[Jj]azz ?concert in de kerk/)
})

test('clusters show their evidence, can be taken apart and put together', async () => {
  const [cluster] = (await get('/api/v1/clusters?kind=calendar_event')).data
  const id = String(cluster?.['id'])
  const detail = (
    await server.api.inject({ url: `/api/v1/clusters/${id}`, headers: server.as('viewer') })
  ).json<{
    members: { item_id: string; evidence: unknown }[]
  }>()
  expect(detail.members).toHaveLength(2)
  expect(detail.members[0]?.evidence).toMatchObject({ place: 1, time: 1 })
  const ids = detail.members.map((member) => member.item_id)
  const post = (url: string, payload: object, role: 'viewer' | 'operator' = 'operator') =>
    server.api.inject({ method: 'POST', url, headers: server.as(role), payload })
  expect(
    (await post(`/api/v1/clusters/${id}/unmerge`, { item_id: ids[0] }, 'viewer')).statusCode,
  ).toBe(403)
  expect((await post(`/api/v1/clusters/${id}/unmerge`, { item_id: ids[0] })).statusCode).toBe(200)
  expect((await get('/api/v1/clusters?kind=calendar_event')).total).toBe(0)
  const merged = await post('/api/v1/clusters/merge', { item_ids: ids })
  expect([merged.statusCode, merged.json<{ size: number }>().size]).toEqual([200, 2])
})

test('dead letters are listed, inspected, retried and discarded with a note', async () => {
  const [letter] = (await get('/api/v1/dead-letters?status=pending')).data
  expect(letter).toMatchObject({ stage: 'normalize', error_type: 'no_date', source_name: 'Stad' })
  const id = String(letter?.['id'])
  const post = (url: string, payload?: object) =>
    server.api.inject({
      method: 'POST',
      url,
      headers: server.as('operator'),
      ...(payload !== undefined && { payload }),
    })
  expect((await post('/api/v1/dead-letters/retry', {})).statusCode).toBe(400)
  expect((await post('/api/v1/dead-letters/retry', { error_type: 'no_date' })).json()).toEqual({
    retried: 1,
  })
  expect((await post(`/api/v1/dead-letters/${id}/retry`)).statusCode).toBe(409)
  const discarded = await post(`/api/v1/dead-letters/${id}/discard`, { note: 'never had one' })
  expect(discarded.json()).toMatchObject({ status: 'discarded', resolution_notes: 'never had one' })
  expect((await post(`/api/v1/dead-letters/${id}/discard`)).statusCode).toBe(409)
})
