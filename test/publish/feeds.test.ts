import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import ical from 'node-ical'
import { beforeAll, expect, test } from 'vitest'
import { findRoute } from '../../src/publish/routes/store.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'
import { addArticles, addEvent, addRoute, addSource, publisher } from './fixture.ts'

const database = useDatabase()
const server = useApi(database)
const awkward = [
  { title: 'Plain', description: 'A line', text: 'One paragraph.\n\nAnother one.' },
  { title: 'Tom & Jerry <b>"live"</b>', description: 'a < b > c & d', text: 'x < y & z' },
  { title: 'Café — ünïcödé 🎷 日本', description: '“quotes”', text: ']]> <![CDATA[ & &amp;' },
  { title: 'Tags, and; more\\ stuff', tags: ['a,b', 'c;d', 'e & f'], author: 'O\u2019Neil & Co' },
  {
    title: 'With \u0007 control',
    text: 'bell \u0007 here',
    publishedAt: new Date('2026-01-02T03:04:05Z'),
  },
  {
    title: 'Query',
    url: 'https://news.test/a?b=1&c=2',
    imageUrl: 'https://news.test/p.png?x=1&y=2',
  },
]
let newsRoute: string
let agendaRoute: string
let news: string[]

beforeAll(async () => {
  const { sql } = database
  const sourceId = await addSource(sql, 'Feeds & Co')
  newsRoute = await addRoute(sql, { kinds: ['article'] })
  agendaRoute = await addRoute(sql, { kinds: ['calendar_event'] })
  news = await addArticles(sql, sourceId, awkward)
  await addEvent(sql, sourceId, {
    title: 'Jazz, blues; and "more" \\ \u{1F3B7}',
    description: `Line one\nLine two, with a comma; ${'long words '.repeat(30)}`,
    endsAt: new Date('2027-03-05T22:00:00Z'),
    city: 'Den Haag',
  })
  await addEvent(sql, sourceId, {
    title: 'Market',
    startsAt: new Date('2027-06-30T22:00:00Z'),
    endsAt: new Date('2027-07-02T22:00:00Z'),
    allDay: true,
    status: 'cancelled',
  })
  await addEvent(sql, sourceId, { title: 'Long ago', startsAt: new Date('2020-01-01T20:00:00Z') })
  await publisher(sql)()
})

async function feed(routeId: string, format: string, query = ''): Promise<string> {
  const route = await findRoute(database.sql, routeId)
  const answer = await server.api.inject({
    url: `/api/v1/routes/${routeId}/feed.${format}?token=${route?.feedToken ?? ''}${query}`,
  })
  expect(answer.statusCode).toBe(200)
  return answer.body
}

/** What XML cannot hold is left out; everything else arrives as it was. */
function storable(text: string): string {
  return text.replaceAll('\u0007', '')
}

test('RSS read by another library holds every item with the same words', async () => {
  const parsed = parseRssFeed(await feed(newsRoute, 'rss'))
  expect(parsed.items).toHaveLength(news.length)
  for (const [index, id] of news.entries()) {
    const item = parsed.items?.find((one) => one.guid?.value === id)
    const given = awkward[index]
    expect(item?.title).toBe(storable(given?.title ?? ''))
    expect(item?.link).toBe(given?.url ?? `https://news.test/${id}`)
    expect(item?.description ?? '').toBe(given?.description ?? '')
    expect(item?.categories?.map((one) => one.name) ?? []).toEqual(given?.tags ?? [])
    const date = given?.publishedAt && new Date(item?.pubDate ?? 0)
    expect(date).toEqual(given?.publishedAt)
    expect(item?.enclosures?.[0]?.url).toBe(given?.imageUrl)
    expect(given?.author && item?.dc?.creators?.[0]).toBe(given?.author)
  }
})

test('Atom read by another library holds every item with the same words', async () => {
  const parsed = parseAtomFeed(await feed(newsRoute, 'atom'))
  expect(parsed.entries).toHaveLength(news.length)
  for (const [index, id] of news.entries()) {
    const entry = parsed.entries?.find((one) => one.id === `urn:uuid:${id}`)
    const given = awkward[index]
    expect(entry?.title?.value ?? entry?.title).toBe(storable(given?.title ?? ''))
    const link = entry?.links?.find((one) => one.rel === 'alternate')
    expect(link?.href).toBe(given?.url ?? `https://news.test/${id}`)
    expect(given?.author && entry?.authors?.[0]?.name).toBe(given?.author)
    const summary = entry?.summary
    expect((typeof summary === 'object' ? summary.value : summary) ?? '').toBe(
      given?.description ?? '',
    )
    expect(entry?.categories?.map((one) => one.term) ?? []).toEqual(given?.tags ?? [])
    const picture = entry?.links?.find((one) => one.rel === 'enclosure')
    expect(picture?.href).toBe(given?.imageUrl)
    const date = given?.publishedAt && new Date(entry?.published ?? 0)
    expect(date).toEqual(given?.publishedAt)
  }
})

test('JSON Feed read by another library holds every item, and pages lead to all of them', async () => {
  const first = parseJsonFeed(await feed(newsRoute, 'json', '&limit=4'))
  expect(first.next_url).toContain('offset=4')
  const second = parseJsonFeed(await feed(newsRoute, 'json', '&limit=4&offset=4'))
  expect(second.next_url).toBeUndefined()
  const items = [...(first.items ?? []), ...(second.items ?? [])]
  expect(new Set(items.map((item) => item.id))).toEqual(new Set(news))
  expect(items).toHaveLength(news.length)
  for (const [index, id] of news.entries()) {
    const item = items.find((one) => one.id === id)
    const given = awkward[index]
    expect(item?.title).toBe(given?.title)
    expect(given?.text && item?.content_text).toBe(given?.text)
    expect(item?.url).toBe(given?.url ?? `https://news.test/${id}`)
    expect(item?.summary ?? '').toBe(given?.description ?? '')
    expect(item?.tags ?? []).toEqual(given?.tags ?? [])
    expect(item?.image).toBe(given?.imageUrl)
    expect(given?.author && item?.authors?.[0]?.name).toBe(given?.author)
    const date = given?.publishedAt && new Date(item?.date_published ?? 0)
    expect(date).toEqual(given?.publishedAt)
  }
})

test('the calendar read by another library holds every coming event with the same times and words', async () => {
  const text = await feed(agendaRoute, 'ics')
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const events = Object.values(ical.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT')
  expect(events).toHaveLength(2)
  const jazz = events.find((one) => one?.summary !== 'Market')
  expect(jazz).toMatchObject({
    summary: 'Jazz, blues; and "more" \\ \u{1F3B7}',
    description: `Line one\nLine two, with a comma; ${'long words '.repeat(30)}`,
    location: 'Hall, Den Haag',
    status: 'CONFIRMED',
  })
  expect(jazz?.start?.toISOString()).toBe('2027-03-05T19:30:00.000Z')
  expect(jazz?.end?.toISOString()).toBe('2027-03-05T22:00:00.000Z')
  const market = events.find((one) => one?.summary === 'Market')
  expect(market?.status).toBe('CANCELLED')
  expect(text).toContain('DTSTART;VALUE=DATE:20270701')
  expect(text).toContain('DTEND;VALUE=DATE:20270703')
})

test('a feed opens only with its token, and says when nothing changed', async () => {
  const url = `/api/v1/routes/${newsRoute}/feed.rss`
  expect((await server.api.inject({ url: `${url}?token=wrong` })).statusCode).toBe(404)
  const route = await findRoute(database.sql, newsRoute)
  const address = `${url}?token=${route?.feedToken ?? ''}`
  const first = await server.api.inject({ url: address })
  const again = await server.api.inject({
    url: address,
    headers: { 'if-none-match': String(first.headers['etag']) },
  })
  expect(again.statusCode).toBe(304)
})
