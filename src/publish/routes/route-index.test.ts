import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemView } from '../item-view.fixture.ts'
import type { ClassifiedItem, ContentType } from '../types.ts'
import { explain } from './conditions.ts'
import { isEmptyFilter, type Route, type RouteFilters } from './filters.ts'
import { buildRouteIndex } from './route-index.ts'

const word = fc.constantFrom('jazz', 'rock', 'park', 'open', 'lucht')
const some = <T>(one: fc.Arbitrary<T>) =>
  fc.option(fc.array(one, { maxLength: 2 }), { nil: undefined })
const source = fc.constantFrom(
  '00000000-0000-7000-8000-00000000000a',
  '00000000-0000-7000-8000-00000000000b',
)
const place = fc.record({
  lat: fc.double({ min: -89, max: 89, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})
const filters = fc.record(
  {
    topics_any: some(word),
    topics_all: some(word),
    topics_none: some(word),
    min_quality: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    content_types: some(fc.constantFrom<ContentType>('article', 'event')),
    sources: some(source),
    tags_any: some(word),
    languages: some(fc.constantFrom('nl', 'en')),
    categories: some(fc.constantFrom('music', 'family')),
    near: fc.option(
      fc
        .tuple(place, fc.double({ min: 0.1, max: 3000, noNaN: true }))
        .map(([at, radius]) => ({ ...at, radius_km: radius })),
      { nil: undefined },
    ),
    text: fc.option(
      fc.array(word, { maxLength: 2 }).map((words) => words.join(' ')),
      {
        nil: undefined,
      },
    ),
  },
  { requiredKeys: [] },
)
const classified: fc.Arbitrary<ClassifiedItem> = fc
  .record({
    topics: fc.uniqueArray(word, { maxLength: 5 }),
    quality: fc.integer({ min: 0, max: 100 }),
    contentType: fc.constantFrom<ContentType>('article', 'event'),
    sourceId: source,
    tags: fc.array(word, { maxLength: 2 }),
    language: fc.constantFrom('nl', 'en'),
    category: fc.constantFrom('music', 'family', null),
    at: fc.option(place),
    title: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
  })
  .map(({ at, topics, quality, contentType, ...fields }) => ({
    item: itemView({ ...fields, lat: at?.lat ?? null, lng: at?.lng ?? null }),
    classification: {
      quality,
      contentType,
      topics,
      topicScores: [],
      confidence: 1,
      parts: { length: 0, metadata: 0, richness: 0, readability: 0 },
      modelVersion: 'v1',
      contentHash: '',
    },
  }))

function route(wanted: RouteFilters, id = 'r'): Route {
  return {
    id,
    name: id,
    channelId: null,
    channelName: id,
    filters: wanted,
    enabled: true,
    version: 1,
  }
}

test('the index finds exactly the routes whose every filter holds', () => {
  fc.assert(
    fc.property(fc.array(filters, { maxLength: 12 }), classified, (list, one) => {
      const routes = list.map((wanted, n) => route(wanted, String(n)))
      const found = buildRouteIndex(routes)
        .match(one)
        .map((match) => match.route.id)
      const expected = routes
        .filter(
          ({ filters: wanted }) =>
            !isEmptyFilter(wanted) && explain(wanted, one).every((answer) => answer.passed),
        )
        .map(({ id }) => id)
      expect(found.toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: 500, seed: 3 },
  )
})

test('places close to the radius are found across cells, the date line and the poles', () => {
  fc.assert(
    fc.property(
      place,
      fc.double({ min: 1, max: 400, noNaN: true }),
      fc.double({ min: 0, max: 6.28, noNaN: true }),
      (centre, radius, angle) => {
        const far = (radius * 0.98) / 111.19
        const lat = centre.lat + far * Math.cos(angle)
        fc.pre(Math.abs(lat) < 89.9 && Math.abs(centre.lat) < 85)
        const lng = centre.lng + (far * Math.sin(angle)) / Math.cos((lat * Math.PI) / 180)
        const one = { ...sample(), item: itemView({ lat, lng: ((lng + 540) % 360) - 180 }) }
        const wanted = { near: { ...centre, radius_km: radius } }
        const inside = explain(wanted, one).every((answer) => answer.passed)
        expect(buildRouteIndex([route(wanted)]).match(one)).toHaveLength(inside ? 1 : 0)
      },
    ),
    { numRuns: 500, seed: 4 },
  )
})

test('an empty route matches nothing, nor does one that is switched off', () => {
  const empty = buildRouteIndex([route({}), route({ topics_any: [], text: '' })])
  expect(empty.match(sample())).toEqual([])
  const off = buildRouteIndex([{ ...route({ min_quality: 0 }), enabled: false }])
  expect(off.match(sample())).toEqual([])
  expect(explain({}, sample())).toMatchObject([{ filter: 'empty', passed: false }])
})

test('phrases must stand together and a minus excludes', () => {
  const one = { ...sample(), item: itemView({ title: 'Open lucht jazz', text: 'in het park' }) }
  const matches = (text: string): boolean =>
    buildRouteIndex([route({ text })]).match(one).length > 0
  expect(matches('"open lucht" park')).toBe(true)
  expect(matches('"lucht open"')).toBe(false)
  expect(matches('jazz -park')).toBe(false)
  expect(matches('-rock')).toBe(true)
})

function sample(): ClassifiedItem {
  return fc.sample(classified, { numRuns: 1, seed: 1 })[0] as ClassifiedItem
}
