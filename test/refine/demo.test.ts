import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoWeb, type DemoSite, type DemoWeb, type TruthItem } from '../../demo/index.ts'
import { createBrowserTier } from '../../src/crawl/fetch/browser.ts'
import { createBrowserHost, findChromium } from '../../src/crawl/fetch/browser-host.ts'
import { createGuard } from '../../src/crawl/fetch/guard.ts'
import { createRelays } from '../../src/crawl/fetch/relays.ts'
import type { FetchTier } from '../../src/crawl/fetch/types.ts'
import { dedupStage } from '../../src/flows/refine/dedup-items.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { sweepOnce } from '../../src/flows/refine/sweep-calendar.ts'
import { recordStage } from '../../src/stages/record.ts'
import { useDatabase } from '../harness/database.ts'
import { addRun, addSource, crawlSite, drain, stageDeps } from './harness.ts'
import { wrongArticles, wrongClusters, wrongEvents } from './truth.ts'

const database = useDatabase()
const now = new Date('2026-11-15T12:00:00Z')
/** Which stories and events are dealt; other seeds must pass as well. */
const seed = Number(process.env['DEMO_SEED'] ?? 7)
/** Every well-behaved site. */
const keys = [
  'client-rendered',
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

const chromium = findChromium()
if (chromium === null && process.env['CI'] === 'true')
  throw new Error('Chromium is missing; these tests must run in CI, so install it')

let web: DemoWeb
let browser: FetchTier | null = null
beforeAll(async () => {
  const guard = createGuard({ allowPrivate: true })
  if (chromium !== null)
    browser = createBrowserTier({
      guard,
      timeoutMs: 60_000,
      maxBytes: 1_000_000,
      pages: 2,
      host: createBrowserHost({ executablePath: chromium, relays: createRelays(guard, []) }),
    })
  const sites = keys.filter((key) => chromium !== null || key !== 'client-rendered')
  web = await startDemoWeb({ seed, now, sites })
  for (const { key, sourceDefaults } of web.sites)
    sources.set(key, await addSource(database.sql, sourceDefaults))
})
afterAll(async () => {
  await browser?.close()
  await web.close()
})

const drawings = new Map<string, Uint8Array>()

/** Drawn again only when the page it is drawn from is another: browsers take their time. */
async function draw(url: string, shell: Uint8Array): Promise<Uint8Array> {
  const key = `${url} ${Buffer.from(shell).toString()}`
  const known = drawings.get(key)
  if (known !== undefined) return known
  const drawn = await browser?.fetch({ url })
  if (drawn?.ok !== true) throw new Error(`${url} was not drawn: ${drawn?.detail}`)
  drawings.set(key, drawn.body)
  return drawn.body
}

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
      draw,
    )
  const deps = stageDeps(sql, new Date(Date.now() + 60_000))
  await drain(refineStage({ recordStage }), deps)
  await drain(dedupStage(), deps)
  await sweepOnce({ ...deps, clock: { now: () => new Date(now.getTime()) } })
}

async function changesSince(id: string): Promise<
  {
    id: string
    change: string
    itemId: string
    sourceId: string
    title: string
    fields: string[]
  }[]
> {
  return database.sql`
    select c.id, c.change, array(select jsonb_object_keys(c.fields) order by 1) as fields, c.item_id as "itemId", c.source_id as "sourceId", coalesce(e.title, a.title) as title from item_changes c
    left join calendar_events e on e.id = c.item_id left join articles a on a.id = c.item_id
    where c.id > ${id} order by c.id`
}

/** What is kept is what the sites tell: the same items, and of each every field that its site gives. */
async function expectTruth(): Promise<void> {
  for (const site of web.sites) {
    const truth = site.truth()
    const source = sourceOf(site)
    expect([site.key, await wrongEvents(database.sql, source, truth)]).toEqual([site.key, []])
    expect([site.key, await wrongArticles(database.sql, source, truth.items)]).toEqual([
      site.key,
      [],
    ])
  }
}

test('from demo web to kept items equals the truth, twice', async () => {
  await round(true)
  await expectTruth()
  const created = await changesSince('0')
  const last = created.at(-1)?.id ?? '0'

  // Read again from the first byte: nothing changed, so nothing changes.
  await round(true)
  expect(await changesSince(last)).toEqual([])
}, 120_000)

test('the same happening on two sites is one cluster, and nothing else is', async () => {
  expect(web.sites.flatMap((site) => site.truth().duplicates).length).toBeGreaterThan(0)
  expect(await differentClusters()).toEqual([])
})

async function differentClusters(): Promise<string[]> {
  const told = web.sites.map((site) => ({ sourceId: sourceOf(site), truth: site.truth() }))
  return wrongClusters(database.sql, told)
}

/** What an edit of the demo data should be called. */
function changesOf(site: DemoSite, before: TruthItem | undefined, after: TruthItem): string[] {
  if (before === undefined) return [`${site.key}: created ${after.title}`]
  if (before.status !== after.status) return [`${site.key}: cancelled ${after.title}`]
  if (before.start !== after.start) return [`${site.key}: rescheduled ${after.title}`]
  return before.title === after.title ? [] : [`${site.key}: updated ${after.title}`]
}

/** What an edit changes of an item. */
const edits: Record<string, string[]> = {
  vanished: ['status'],
  cancelled: ['status'],
  rescheduled: ['event_date', 'starts_at', 'ends_at', 'status'],
  // The text of an article begins with its title.
  updated: ['title', 'text', 'modified_at'],
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
      if (!left.has(item.id)) wanted.push(`${site.key}: vanished ${item.title}`)
  }
  await round(false)
  await round(false)
  const keyOf = new Map([...sources].map(([key, id]) => [id, key]))
  const changes = await changesSince(last)
  // News that a list tells first and its own page completes in the next batch is still one new item.
  const born = new Set(changes.filter((row) => row.change === 'created').map((row) => row.itemId))
  const edited = changes.filter((row) => row.change !== 'updated' || !born.has(row.itemId))
  const seen = edited.map((row) => `${keyOf.get(row.sourceId)}: ${row.change} ${row.title}`)
  expect(seen.sort()).toEqual(wanted.sort())
  const besides = edited.flatMap(({ change, fields, title }) =>
    fields
      .filter((field) => !edits[change]?.includes(field))
      .map((field) => `${field} of ${title}`),
  )
  expect(besides).toEqual([])
  await expectTruth()
  expect(await differentClusters()).toEqual([])

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
