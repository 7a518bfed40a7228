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
/** Sites whose pages a plain request can read and whose items extraction reads in full. */
const keys = ['next-pages', 'json-ld', 'ics', 'microdata', 'english-news', 'regional-guide']
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
  await drain(refineStage({ recordStage, batchSize: 50 }), deps)
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
): Promise<{ id: string; change: string; itemId: string; title: string }[]> {
  return database.sql`
    select c.id, c.change, c.item_id as "itemId", coalesce(e.title, a.title) as title from item_changes c
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

test('edits change exactly what they edit', async () => {
  const last = (await changesSince('0')).at(-1)?.id ?? '0'
  const site = web.sites.find((candidate) => candidate.key === 'json-ld')
  if (site === undefined) throw new Error('no json-ld site')
  const response = await fetch(new URL('/__edit', site.url), {
    method: 'POST',
    body: '{"seed": 3}',
  })
  const { edits } = (await response.json()) as {
    edits: { action: string; before: { title: string }; after: { title: string } | null }[]
  }
  await round(false)
  await round(false)
  const changes = await changesSince(last)
  const names: Record<string, string> = {
    retitle: 'updated',
    reschedule: 'rescheduled',
    cancel: 'cancelled',
    remove: 'vanished',
    add: 'created',
  }
  const own = await database.sql<
    { id: string }[]
  >`select id from calendar_events where source_id = ${sourceOf(site)}`
  const ownIds = new Set(own.map((row) => row.id))
  const seen = changes
    .filter((row) => ownIds.has(row.itemId))
    .map((row) => `${row.change} ${row.title}`)
  const wanted = edits.map((edit) => `${names[edit.action]} ${(edit.after ?? edit.before).title}`)
  expect(seen.sort()).toEqual(wanted.sort())
  expect(await keptEvents(site)).toEqual(eventsOf(site))

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
