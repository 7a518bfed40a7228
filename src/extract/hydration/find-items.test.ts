import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { openPage } from '../page.ts'
import { extractHydration } from './strategy.ts'

const page = (state: unknown, body = '', title = 'Agenda') =>
  openPage({
    url: 'https://site.test/agenda',
    body: `<title>${title}</title>${body}<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state).replaceAll('<', '\\u003c')}</script>`,
    contentType: 'text/html',
    fetchedAt: new Date(0),
  })
const concert = (n: number) => ({
  id: n,
  __typename: 'Whatever',
  title: { rendered: `Concert ${n} &amp; more` },
  start_date: `2026-05-0${n}T20:00:00`,
  endDate: { dateTime: `2026-05-0${n}T23:00:00` },
  venue: {
    name: 'Paradiso',
    address: { street: 'Weteringschans 6', city: 'Amsterdam' },
    geo: { lat: 52.36, lng: 4.88 },
  },
  link: `/agenda/concert-${n}`,
  image: { src: '/i.jpg' },
  ticketPrice: 'vanaf € 12',
  tags: [{ name: 'rock' }],
})
const noise = {
  menu: [{ title: 'Home', url: '/', createdAt: '2020-01-01' }],
  related: {
    posts: [1, 2, 3, 4, 5].map((n) => ({
      title: `Post ${n}`,
      publishedAt: '2026-01-01',
      slug: `p-${n}`,
      excerpt: 'x',
    })),
  },
  translations: { title: 'Titel', date: 'Datum' },
}

describe('calendar events in a state tree', () => {
  test('are found wherever they stand, with all their fields', () => {
    const { items, path } = extractHydration(
      page({ props: { ...noise, deep: { list: { nodes: [1, 2, 3].map(concert) } } } }),
      {},
    )
    expect(path).toBe('next:__NEXT_DATA__.props.deep.list.nodes.*')
    expect(items).toHaveLength(3)
    expect(items[0]).toMatchObject({
      kind: 'calendar_event',
      strategy: 'hydration',
      title: 'Concert 1 & more',
      url: 'https://site.test/agenda/concert-1',
      imageUrl: 'https://site.test/i.jpg',
      tags: ['rock'],
      calendar: {
        start: '2026-05-01T20:00:00',
        end: '2026-05-01T23:00:00',
        price: 'vanaf € 12',
        uid: '1',
        locations: [
          {
            name: 'Paradiso',
            address: 'Weteringschans 6',
            city: 'Amsterdam',
            lat: 52.36,
            lng: 4.88,
          },
        ],
      },
    })
    expect(items[0]?.provenance['start']).toMatchObject({
      path: `${path}.start_date`,
      strategy: 'hydration',
    })
  })

  test('with day and time apart, epoch times, and a slug that only the links resolve', () => {
    const { items } = extractHydration(
      page(
        {
          events: [
            { name: 'Talk', date: '2026-05-01', time: '20:30', location: 'Hall', slug: 'talk-1' },
            { name: 'Walk', date: 1_777_627_800, location: 'Park', slug: 'walk' },
          ],
        },
        '<a href="/agenda/2026/talk-1/">x</a>',
      ),
      {},
    )
    expect(items.map((item) => [item.calendar?.start, item.url])).toEqual([
      ['2026-05-01T20:30', 'https://site.test/agenda/2026/talk-1/'],
      ['2026-05-01T09:30:00.000Z', null],
    ])
  })

  test('in a normalized cache, following its references', () => {
    const { items, path } = extractHydration(
      page({
        cache: {
          ROOT_QUERY: { events: [{ __ref: 'Event:1' }] },
          'Event:1': { title: 'One', startsAt: '2026-05-01T20:00', venue: { __ref: 'Venue:9' } },
          'Event:2': { title: 'Two', startsAt: '2026-05-02T20:00', venue: { __ref: 'Venue:9' } },
          'Venue:9': { name: 'Hall', city: 'Delft' },
        },
      }),
      {},
    )
    expect(path).toBe('next:__NEXT_DATA__.cache.Event:*')
    expect(items.map((item) => item.calendar?.locations[0]?.name)).toEqual(['Hall', 'Hall'])
  })

  test('cancelled ones say so', () => {
    const { items } = extractHydration(
      page({
        events: [
          { ...concert(1), isCancelled: true },
          { ...concert(2), status: 'POSTPONED' },
        ],
      }),
      {},
    )
    expect(items.map((item) => item.calendar?.status)).toEqual(['cancelled', 'postponed'])
  })

  test('campaigns and settings with dates are none', () => {
    expect(
      extractHydration(
        page({
          banners: [{ title: 'Sale', startDate: '2026-01-01', endDate: '2026-02-01' }],
          settings: { name: 'x', date: '2026-01-01' },
        }),
        {},
      ).items,
    ).toEqual([])
  })
})

test('the article of the page wins over the lists beside it', () => {
  const { items } = extractHydration(
    page(
      {
        ...noise,
        post: {
          headline: 'Bridge opens today',
          datePublished: '2026-03-04T05:06:07Z',
          body: '<p>Text</p>',
          author: { name: 'A. Writer' },
        },
      },
      '',
      'Bridge opens today | Site',
    ),
    {},
  )
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    kind: 'article',
    url: 'https://site.test/agenda',
    article: { text: 'Text', byline: 'A. Writer', publishedAt: '2026-03-04T05:06:07Z' },
  })
})

describe('a learned path', () => {
  const state = { a: { b: [1, 2].map(concert) }, c: [3, 4, 5, 6].map(concert) }

  test('is tried first', () => {
    const { items, path } = extractHydration(page(state), {
      learnedPath: 'next:__NEXT_DATA__.a.b.*',
    })
    expect(items.map((item) => item.calendar?.uid)).toEqual(['1', '2'])
    expect(path).toBe('next:__NEXT_DATA__.a.b.*')
  })

  test('that leads nowhere is forgotten', () => {
    expect(
      extractHydration(page(state), { learnedPath: 'next:__NEXT_DATA__.gone.*' }).items.length,
    ).toBeGreaterThanOrEqual(4)
  })

  test('found once is found again', () => {
    const found = extractHydration(page(state), {})
    expect(extractHydration(page(state), { learnedPath: found.path })).toEqual(found)
  })
})

test('the preferred kind comes first where there are both', () => {
  const both = { events: [1, 2, 3].map(concert), news: noise.related.posts }
  expect(extractHydration(page(both), { preferredKind: 'article' }).items[0]?.kind).toBe('article')
  expect(extractHydration(page(both), { preferredKind: 'calendar_event' }).items[0]?.kind).toBe(
    'calendar_event',
  )
})

test('any tree is searched without throwing', () => {
  const keys = fc.constantFrom(
    'title',
    'name',
    'date',
    'start',
    'startDate',
    'location',
    'venue',
    'url',
    'slug',
    'image',
    'tags',
    'price',
    'author',
    'body',
    '__ref',
    'id',
    'type',
    'status',
    'coordinates',
    'lat',
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(
        '2026-01-01',
        'Event:1',
        'https://a.b/c',
        '20:30',
        1_777_627_800,
        true,
        null,
        '',
        'x',
      ),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(keys, tie('tree'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(tree, (state) => {
      expect(extractHydration(page({ ROOT_QUERY: 1, state }), {}).items).toBeInstanceOf(Array)
    }),
    { numRuns: 500, seed: 4 },
  )
})

test('giant state is searched in bounded time', () => {
  const big = {
    list: Array.from({ length: 30_000 }, (_, i) => ({
      title: `T ${i}`,
      start: '2026-01-01',
      nested: { a: [{ b: i }] },
    })),
  }
  const opened = page(big)
  const spent = processorClock()
  expect(extractHydration(opened, {}).items.length).toBeLessThanOrEqual(5_000)
  expect(spent()).toBeLessThan(10_000)
})
