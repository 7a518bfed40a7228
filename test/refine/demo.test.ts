import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoWeb, type DemoSite, type DemoWeb, type TruthItem } from '../../demo/index.ts'
import { dedupStage } from '../../src/flows/refine/dedup-items.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { sweepOnce } from '../../src/flows/refine/sweep-calendar.ts'
import { recordStage } from '../../src/stages/record.ts'
import { useDatabase } from '../harness/database.ts'
import { addRun, addSource, crawlSite, drain, stageDeps } from './harness.ts'

const database = useDatabase()
const now = new Date('2026-11-15T12:00:00Z')
/** Every well-behaved site whose pages a plain request can read: all but the one that draws itself in the browser. */
const keys = [
  'next-pages',
  'next-app',
  'nuxt',
  'json-ld',
  'broken-json-ld',
  'microdata',
  'ics',
  'wordpress-agenda',
  'municipal',
  'regional-guide',
  'dutch-news',
  'english-news',
]
const known = new Map<string, string>()
const sources = new Map<string, string>()

let web: DemoWeb
beforeAll(async () => {
  web = await startDemoWeb({ seed: 7, now, sites: keys })
  for (const { key, sourceDefaults } of web.sites)
    sources.set(key, await addSource(database.sql, sourceDefaults))
})
afterAll(() => web.close())

const sourceOf = (site: DemoSite): string => sources.get(site.key) ?? ''

/** Every site crawled and refined to the end, duplicates and vanished events looked for. */
async function round(fresh: boolean): Promise<void> {
  const { sql } = database
  if (fresh) known.clear()
  for (const site of web.sites)
    await crawlSite(
      sql,
      site,
      sourceOf(site),
      await addRun(sql, sourceOf(site), new Date()),
      now,
      known,
    )
  const deps = stageDeps(sql, new Date(Date.now() + 60_000))
  await drain(refineStage({ recordStage }), deps)
  await drain(dedupStage(), deps)
  await sweepOnce({ ...deps, clock: { now: () => new Date(now.getTime()) } })
}

async function keptEvents(site: DemoSite): Promise<string[]> {
  const rows = await database.sql<
    { title: string; date: string; time: string; venue: string; city: string; status: string }[]
  >`
    select title, event_date::text as date, event_time as time, venue_name as venue, city, status from calendar_events
    where source_id = ${sourceOf(site)} and status <> 'vanished'`
  return rows
    .map((row) =>
      [row.title, row.date, row.time, row.venue, row.city, row.status === 'cancelled'].join(' | '),
    )
    .sort()
}

function trueEvent(item: TruthItem): string {
  const [date, time] = (item.start ?? '').split('T')
  return [
    item.title,
    date,
    time ?? 'TBD',
    item.location?.name,
    item.location?.city,
    item.status === 'cancelled',
  ].join(' | ')
}

const eventsOf = (site: DemoSite): string[] =>
  site
    .truth()
    .items.filter((item) => item.kind === 'calendar_event')
    .map(trueEvent)
    .sort()

async function changesSince(
  id: string,
): Promise<{ id: string; change: string; itemId: string; sourceId: string; title: string }[]> {
  return database.sql`
    select c.id, c.change, c.item_id as "itemId", c.source_id as "sourceId", coalesce(e.title, a.title) as title from item_changes c
    left join calendar_events e on e.id = c.item_id left join articles a on a.id = c.item_id
    where c.id > ${id} order by c.id`
}

test('from demo web to kept items equals the truth, twice', async () => {
  await round(true)
  for (const site of web.sites)
    expect([site.key, await keptEvents(site)]).toEqual([site.key, eventsOf(site)])
  for (const site of web.sites) {
    const articles = await database.sql<
      { url: string }[]
    >`select url from articles where source_id = ${sourceOf(site)}`
    const truth = site.truth().items.filter((item) => item.kind === 'article')
    expect([site.key, articles.map((row) => row.url).sort()]).toEqual([
      site.key,
      truth.map((item) => String(item.url)).sort(),
    ])
  }
  const created = await changesSince('0')
  const last = created.at(-1)?.id ?? '0'

  // Read again from the first byte: nothing changed, so nothing changes.
  await round(true)
  expect(await changesSince(last)).toEqual([])
}, 120_000)

test('the same happening on two sites is one cluster', async () => {
  const all = web.sites.flatMap((site) => site.truth().duplicates.map((pair) => ({ site, pair })))
  const idOf = new Map<string, { title: string; start: string | null; key: string }>()
  for (const site of web.sites)
    for (const item of site.truth().items)
      idOf.set(item.id, { title: item.title, start: item.start, key: site.key })
  const pairs = all.flatMap(({ pair: [a, b] }) => {
    const left = idOf.get(a)
    const right = idOf.get(b)
    return left === undefined || right === undefined ? [] : [{ left, right }]
  })
  expect(pairs.length).toBeGreaterThan(0)
  const clusterOf = async (item: { title: string; key: string }): Promise<string | null> => {
    const [row] = await database.sql<{ cluster: string }[]>`
      select m.cluster_id as cluster from cluster_members m
      left join calendar_events e on e.id = m.item_id left join articles a on a.id = m.item_id
      where coalesce(e.title, a.title) = ${item.title} and coalesce(e.source_id, a.source_id) = ${sources.get(item.key) ?? ''} limit 1`
    return row?.cluster ?? null
  }
  let together = 0
  for (const { left, right } of pairs) {
    const [a, b] = [await clusterOf(left), await clusterOf(right)]
    if (a !== null && a === b) together++
  }
  expect(together / pairs.length).toBeGreaterThanOrEqual(0.85)
})

/** What an edit of the demo data should be called. */
function changesOf(site: DemoSite, before: TruthItem | undefined, after: TruthItem): string[] {
  if (before === undefined) return [`${site.key}: created ${after.title}`]
  if (before.status !== after.status) return [`${site.key}: cancelled ${after.title}`]
  if (before.start !== after.start)
    return isSeries(site, after)
      ? // Days of a series are told apart by nothing but their day.
        [`${site.key}: vanished ${before.title}`, `${site.key}: created ${after.title}`]
      : [`${site.key}: rescheduled ${after.title}`]
  return before.title === after.title ? [] : [`${site.key}: updated ${after.title}`]
}

function isSeries(site: DemoSite, item: TruthItem): boolean {
  const [name = ''] = item.title.split(' (')
  return site.truth().items.filter(({ title }) => title.startsWith(name)).length > 1
}

test('edits change exactly what they edit', async () => {
  const last = (await changesSince('0')).at(-1)?.id ?? '0'
  const wanted: string[] = []
  for (const [seed, site] of web.sites.entries()) {
    const before = new Map(site.truth().items.map((item) => [item.id, item]))
    await fetch(new URL('/__edit', site.url), { method: 'POST', body: JSON.stringify({ seed }) })
    const after = site.truth().items
    for (const item of after) wanted.push(...changesOf(site, before.get(item.id), item))
    const left = new Set(after.map((item) => item.id))
    for (const item of before.values())
      if (!left.has(item.id) && item.kind === 'calendar_event')
        wanted.push(`${site.key}: vanished ${item.title}`)
  }
  await round(false)
  await round(false)
  const keyOf = new Map([...sources].map(([key, id]) => [id, key]))
  const changes = await changesSince(last)
  // News that a list tells first and its own page completes in the next batch is still one new item.
  const born = new Set(changes.filter((row) => row.change === 'created').map((row) => row.itemId))
  const seen = changes
    .filter((row) => row.change !== 'updated' || !born.has(row.itemId))
    .map((row) => `${keyOf.get(row.sourceId)}: ${row.change} ${row.title}`)
  expect(seen.sort()).toEqual(wanted.sort())
  for (const site of web.sites)
    expect([site.key, await keptEvents(site)]).toEqual([site.key, eventsOf(site)])

  // Every raw item ended in exactly one bucket.
  const [sums] = await database.sql<
    { raw: number; staged: number; letters: number; pending: number }[]
  >`
    select (select count(*) from raw_items)::int as raw, (select count(*) from staged_items)::int as staged,
      (select count(*) from dead_letters)::int as letters, (select count(*) from raw_items where status = 'pending')::int as pending`
  expect(sums).toEqual({
    raw: sums?.raw,
    staged: (sums?.raw ?? 0) - (sums?.letters ?? 0),
    letters: sums?.letters,
    pending: 0,
  })
}, 120_000)
