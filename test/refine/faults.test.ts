import { afterAll, beforeAll, expect, test } from 'vitest'
import { askForDates } from '../../src/flows/refine/ask-for-dates.ts'
import { dedupStage } from '../../src/flows/refine/dedup-items.ts'
import { enrichOnce } from '../../src/flows/refine/enrich-items.ts'
import { embedOnce } from '../../src/flows/refine/embed-items.ts'
import { geocodeOnce } from '../../src/flows/refine/geocode-items.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { runStageOnce } from '../../src/flows/refine/stage.ts'
import { connect, type Sql } from '../../src/db/pool.ts'
import { useDatabase } from '../harness/database.ts'
import { addSource, drain, stageDeps } from './harness.ts'
import { helperClients, startHelpers, type HelpersServer } from './helpers-server.ts'
import { addItems, rawEvent } from './raw.ts'

const database = useDatabase()
let server: HelpersServer
beforeAll(async () => {
  server = await startHelpers()
})
afterAll(() => server.close())

const deps = () => stageDeps(database.sql, new Date(Date.now() + 60_000))
const helpers = (timeoutMs = 5_000) => ({
  ...helperClients(server.url, timeoutMs),
  budget: 100,
  minDelayMs: 0,
})

const unclear = rawEvent('Kwartet Mira', '2026-12-12T20:00', { description: 'Kom.' })
const stages = { geocoder: true, ai: true }
let n = 0

async function keep(items = [unclear]): Promise<string> {
  const id = await addSource(database.sql, {
    name: `Bron ${++n}`,
    url: `https://bron-${n}.example/`,
  })
  await database.sql`delete from breakers`
  await database.sql`delete from geocode_cache`
  await addItems(database.sql, id, items)
  await drain(refineStage(stages), deps())
  return id
}

const stored = async (source: string): Promise<Record<string, unknown>[]> => database.sql`
  select title, description, category, lat, geo_precision as precision, normalization_method as method from calendar_events where source_id = ${source}`

test('helpers that are up make an item better, and its next telling does not undo it', async () => {
  server.mode.ai = server.mode.geo = 'up'
  const source = await keep()
  const [before] = await stored(source)
  expect(before).toMatchObject({ description: 'Kom.', precision: 'city', method: 'rules' })
  expect(await enrichOnce({ ...deps(), ...helpers() })).toBe(1)
  expect(await geocodeOnce({ ...deps(), ...helpers() })).toBe(1)
  const better = {
    description: 'Kwartet Mira: een avond om niet te missen.',
    lat: 52.0926,
    precision: 'address',
    method: 'hybrid',
  }
  expect(await stored(source)).toMatchObject([better])
  await addItems(database.sql, source, [unclear])
  await drain(refineStage(stages), deps())
  expect(await stored(source)).toMatchObject([better])
})

test.each(['down', 'limited', 'garbage', 'slow'] as const)(
  'a helper that is %s is not missed: the item is kept by rules',
  async (how) => {
    server.mode.ai = server.mode.geo = how
    const source = await keep()
    expect(await enrichOnce({ ...deps(), ...helpers(how === 'slow' ? 200 : 5_000) })).toBe(0)
    await geocodeOnce({ ...deps(), ...helpers(how === 'slow' ? 200 : 5_000) })
    expect(await stored(source)).toMatchObject([
      { title: 'Kwartet Mira', description: 'Kom.', precision: 'city', method: 'rules' },
    ])
    // When they are back, what waited is done.
    server.mode.ai = server.mode.geo = 'up'
    const later = deps()
    later.clock.advance(2 * 3_600_000)
    await enrichOnce({ ...later, ...helpers() })
    await geocodeOnce({ ...later, ...helpers() })
    expect(await stored(source)).toMatchObject([{ precision: 'address', method: 'hybrid' }])
  },
)

test('a helper that keeps failing is left alone by its breaker, and the budget of the day is kept', async () => {
  server.mode.ai = 'down'
  await keep(
    [1, 2, 3, 4, 5, 6, 7, 8].map((i) =>
      rawEvent(`Trio ${i}`, '2026-12-13T20:00', { description: '' }),
    ),
  )
  server.asked.ai = 0
  const time = deps()
  for (let round = 0; round < 8; round++) {
    await enrichOnce({ ...time, ...helpers() })
    time.clock.advance(16 * 60_000)
    await database.sql`update breakers set cooldown_until = ${new Date(time.clock.now().getTime() + 3_600_000)} where state = 'open'`
  }
  expect(server.asked.ai).toBe(5)
  await database.sql`delete from breakers`
  server.mode.ai = 'up'
  server.asked.ai = 0
  await database.sql`delete from ai_usage`
  time.clock.advance(86_400_000)
  await enrichOnce({ ...time, ...helpers(), budget: 1, batchSize: 2 })
  await enrichOnce({ ...time, ...helpers(), budget: 1, batchSize: 2 })
  expect(server.asked.ai).toBe(1)
})

test('workers ask the geocoder one at a time, and one that stops blames nobody', async () => {
  await database.sql`delete from follow_ups`
  const cities = ['Utrecht', 'Groningen', 'Zwolle', 'Arnhem']
  await keep(cities.map((city) => rawEvent(`Duo in ${city}`, '2026-12-14T20:00', {}, city)))
  const asked: number[] = []
  const begun = performance.now()
  const geocoder = async (): Promise<null> => {
    asked.push(performance.now())
    return null
  }
  const other = connect(database.url, { max: 2 })
  const ask = (sql: Sql) => geocodeOnce({ ...deps(), sql, geocoder, minDelayMs: 200, batchSize: 2 })
  expect(await Promise.all([ask(database.sql), ask(other)])).toEqual([2, 2])
  await other.end()
  expect(asked).toHaveLength(4)
  // Four turns, counted from the first.
  expect((asked.at(-1) ?? 0) - begun).toBeGreaterThan(3 * 200)

  await keep([rawEvent('Solo', '2026-12-15T20:00', {}, 'Breda')])
  const stopping = new AbortController()
  const endless = (_: string, signal?: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('stopped')))
      stopping.abort()
    })
  await geocodeOnce({ ...deps(), geocoder: endless, minDelayMs: 0 }, stopping.signal)
  expect(await database.sql`select 1 from breakers where key = 'geocoder'`).toHaveLength(0)
  expect(await geocodeOnce({ ...deps(), geocoder, minDelayMs: 0 })).toBe(1)
})

test('an event whose date only the AI can read is kept after all', async () => {
  server.mode.ai = 'up'
  await database.sql`delete from ai_usage`
  const source = await keep([rawEvent('Oudejaarsbal', 'zie de poster in het café')])
  expect(await stored(source)).toEqual([])
  expect(await askForDates({ ...deps(), ...helpers() })).toBe(1)
  await drain(refineStage(stages), deps())
  expect(await stored(source)).toMatchObject([{ title: 'Oudejaarsbal' }])
})

test('a program that dies at any boundary loses nothing and keeps nothing twice', async () => {
  server.mode.ai = server.mode.geo = 'up'
  const items = Array.from({ length: 30 }, (_, i) =>
    rawEvent(`Avond ${i}`, `2026-12-${10 + (i % 15)}T20:00`),
  )
  const calm = await keep(items)
  await drain(dedupStage(), deps())
  const source = await addSource(database.sql, { name: 'Ruw', url: 'https://ruw.example/' })
  await addItems(database.sql, source, items)
  // The connection breaks before each statement in turn: 1st, 2nd, 3rd, …
  const { sql } = database
  const deaths: string[] = []
  for (let dies = 1; dies < 40; dies++) {
    let statements = 0
    const fragile = new Proxy(sql, {
      get: (target, name) =>
        name === 'begin'
          ? (work: (tx: never) => Promise<unknown>) =>
              target.begin((tx) =>
                work(
                  new Proxy(tx, {
                    apply: (inner, self, args) => {
                      if (Array.isArray(args[0]) && 'raw' in args[0] && ++statements === dies)
                        throw Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
                      return Reflect.apply(inner, self, args) as unknown
                    },
                  }) as never,
                ),
              )
          : (Reflect.get(target, name) as unknown),
    })
    for (const stage of [refineStage({ batchSize: 10 }), dedupStage({ batchSize: 10 })]) {
      statements = 0
      const [death] = await Promise.allSettled([
        runStageOnce(stage as never, { ...deps(), sql: fragile }),
      ])
      if (death?.status === 'rejected') deaths.push(String(death.reason))
    }
  }
  await drain(refineStage(), deps())
  await drain(dedupStage(), deps())
  expect(deaths.length).toBeGreaterThan(20)
  expect(new Set(deaths)).toEqual(new Set(['Error: gone']))
  const of = async (id: string) => sql`
    select title, event_date::text as day, venue_name, category, lat, status, sequence from calendar_events where source_id = ${id} order by title`
  expect(await of(source)).toEqual(await of(calm))
  const [sums] = await sql<{ raw: number; staged: number; changes: number }[]>`
    select (select count(*) from raw_items where source_id = ${source} and status = 'normalized')::int as raw,
      (select count(*) from staged_items where source_id = ${source})::int as staged,
      (select count(*) from item_changes where source_id = ${source} and change = 'created')::int as changes`
  expect(sums).toEqual({ raw: 30, staged: 30, changes: 30 })
})

test('vectors of a real model decide where they exist', async () => {
  server.mode.ai = 'up'
  const both = [
    { title: 'Kwartet Mira', url: 'https://een.example/a' },
    { title: 'Mira speelt vier strijkers', url: 'https://twee.example/b' },
  ]
  const sources: string[] = []
  for (const { title, url } of both)
    sources.push(await keep([{ ...rawEvent(title, '2027-01-12T20:00'), url }]))
  const { sql } = database
  await sql`delete from follow_ups`
  await sql`
    insert into follow_ups (kind, item_id, item_kind, next_attempt_at)
    select 'embed', id, 'calendar_event', now() from calendar_events where source_id = any(${sources}::uuid[])`
  expect(await embedOnce({ ...deps(), ...helpers() })).toBe(2)
  await drain(dedupStage(), deps())
  const members = await sql`
    select m.cluster_id from cluster_members m join calendar_events e on e.id = m.item_id where e.source_id = any(${sources}::uuid[])`
  expect(members).toHaveLength(2)
})
