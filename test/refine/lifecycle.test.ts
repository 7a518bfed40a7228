import { beforeEach, expect, test } from 'vitest'
import { transaction } from '../../src/db/pool.ts'
import { insertRawItems } from '../../src/extract/store.ts'
import type { RawItem } from '../../src/extract/types.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { sweepOnce } from '../../src/flows/refine/sweep-calendar.ts'
import { listArticles } from '../../src/items/search/list.ts'
import { normalizeUrl, urlHash } from '../../src/kernel/url.ts'
import { useDatabase } from '../harness/database.ts'
import { addRun, addSource, drain, stageDeps } from './harness.ts'
import { rawArticle, rawEvent } from './raw.ts'

const database = useDatabase()
const now = new Date('2026-11-20T12:00:00Z')
let n = 0
let source = ''
beforeEach(async () => {
  n++
  source = await addSource(database.sql, { name: `Bron ${n}`, url: `https://bron-${n}.example/` })
})

interface Visit {
  path: string
  items?: RawItem[]
  status?: number
  outcome?: 'fetched' | 'unchanged' | 'failed'
}

/** One run of the source that visits these pages, refined and swept; gives what changed. */
async function visit(visits: readonly Visit[], batchSize = 400): Promise<string[]> {
  const { sql } = database
  const run = await addRun(sql, source, new Date())
  for (const { path, items = [], status = 200, outcome } of visits) {
    const url = `https://bron-${n}.example${path}`
    const hash = urlHash(normalizeUrl(url) ?? url)
    await transaction(sql, async (tx) => {
      const [frontier] = await tx<{ id: string }[]>`
        insert into frontier (source_id, url, url_hash, origin) values (${source}, ${url}, decode(${hash}, 'hex'), 'link')
        on conflict (source_id, url_hash) do update set url = excluded.url returning id`
      const [page] = await tx<{ id: string }[]>`
        insert into pages (source_id, run_id, frontier_id, url, final_url, tier, outcome, status, fetched_at)
        values (${source}, ${run}, ${frontier?.id ?? ''}, ${url}, ${url}, 'static',
          ${outcome ?? (status < 400 ? 'fetched' : 'failed')}, ${status}, ${now}) returning id`
      const about = { source_id: source, run_id: run, page_id: page?.id ?? '', url_hash: hash }
      await insertRawItems(
        tx,
        items.map((item) => ({ ...about, item })),
      )
    })
  }
  const deps = stageDeps(sql, now)
  await drain(refineStage({ batchSize }), deps)
  await sweepOnce({ ...deps, clock: { now: () => new Date() } })
  const rows = await sql<{ change: string }[]>`
    select change from item_changes where run_id = ${run} order by change`
  return rows.map((row) => row.change)
}

const home: Visit = { path: '/', outcome: 'unchanged' }
const news = (path: string): RawItem =>
  rawArticle(
    `Nieuws ${path}`,
    'Een bericht van enige lengte. '.repeat(20),
    `https://bron-${n}.example${path}`,
  )

async function shown(status?: string[]): Promise<string[]> {
  const page = { limit: 10, offset: 0, cursor: null }
  const { rows } = await listArticles(database.sql, { sourceId: source, status }, page)
  return rows.map((row) => String(row['title'])).sort()
}

test('news whose page is not found twice has vanished, and is back with its page', async () => {
  const pages = ['/a', '/b'].map((path) => ({ path, items: [news(path)] }))
  expect(await visit([home, ...pages])).toEqual(['created', 'created'])
  expect(await visit([home, { path: '/a', status: 404 }])).toEqual([])
  expect(await shown()).toEqual(['Nieuws /a', 'Nieuws /b'])
  expect(await visit([home])).toEqual([])
  expect(await visit([home, { path: '/a', status: 404 }])).toEqual(['vanished'])
  expect(await shown()).toEqual(['Nieuws /b'])
  expect(await shown(['vanished'])).toEqual(['Nieuws /a'])
  // A list may go on naming it.
  expect(await visit([{ path: '/', items: [{ ...news('/a'), confidence: 0.5 }] }])).toEqual([])
  expect(await shown()).toEqual(['Nieuws /b'])
  expect(await visit([home, { path: '/a', items: [news('/a')] }])).toEqual(['restored'])
  expect(await shown()).toEqual(['Nieuws /a', 'Nieuws /b'])
})

test('a site that says its page is gone for good is believed at once; one that comes back as it was is back', async () => {
  expect(await visit([home, { path: '/a', items: [news('/a')] }])).toEqual(['created'])
  expect(await visit([home, { path: '/a', status: 410 }])).toEqual(['vanished'])
  expect(await visit([home, { path: '/a', outcome: 'unchanged' }])).toEqual(['restored'])
})

test('news that calls another address its own goes and comes with the page it was read from', async () => {
  const item = { ...news('/nieuws/a'), strategy: 'article' as const }
  expect(await visit([home, { path: '/m/a', items: [item] }])).toEqual(['created'])
  // Another page that told it goes without it: news lives on its own page.
  const teaser = { ...item, strategy: 'dom' as const, confidence: 0.5 }
  expect(await visit([home, { path: '/sport', items: [teaser] }])).toEqual([])
  expect(await visit([home, { path: '/sport', status: 410 }])).toEqual([])
  expect(await visit([home, { path: '/m/a', status: 410 }])).toEqual(['vanished'])
  expect(await visit([home, { path: '/m/a', outcome: 'unchanged' }])).toEqual(['restored'])
  // What we visit at its own address is judged there.
  expect(await visit([home, { path: '/nieuws/a', items: [item] }])).toEqual([])
  expect(await visit([home, { path: '/m/a', status: 410 }])).toEqual([])
})

test('a run that found its site in trouble, or news that a list still tells, proves nothing', async () => {
  expect(await visit([home, { path: '/a', items: [news('/a')] }])).toEqual(['created'])
  const missing = { path: '/a', status: 404 }
  for (let i = 0; i < 2; i++) {
    expect(await visit([missing, { path: '/', status: 503 }])).toEqual([])
    expect(await visit([{ path: '/', items: [news('/a')] }, missing])).toEqual([])
  }
  expect(await shown()).toEqual(['Nieuws /a'])
})

test('the own page is believed when it changes, also when it is read less surely than before', async () => {
  expect(await visit([home, { path: '/a', items: [news('/a')] }])).toEqual(['created'])
  const retold = { ...news('/a'), title: 'Gewijzigd: nieuws', confidence: 0.8 }
  expect(await visit([home, { path: '/a', items: [retold] }])).toEqual(['updated'])
  expect(await shown()).toEqual(['Gewijzigd: nieuws'])
})

test('a feed that calls the section a tag adds nothing to news that has it', async () => {
  const page = news('/a')
  const inSport = { ...page, article: page.article && { ...page.article, section: 'Sport' } }
  expect(await visit([home, { path: '/a', items: [inSport] }])).toEqual(['created'])
  const listed = (...tags: string[]): Visit => ({
    path: '/feed',
    items: [{ ...page, confidence: 0.5, tags }],
  })
  expect(await visit([listed('sport')])).toEqual([])
  expect(await visit([listed('sport', 'voetbal')])).toEqual(['updated'])
})

const days = (...told: string[]): Visit => ({
  path: '/cursus',
  items: told.map((day) => rawEvent('Cursus tekenen', `${day}T19:30`, { url: null })),
})

test('a day of a series without identifiers that moves is rescheduled, and so is the whole series', async () => {
  expect(await visit([days('2026-12-01', '2026-12-08', '2026-12-15')])).toEqual([
    'created',
    'created',
    'created',
  ])
  expect(await visit([days('2026-12-01', '2026-12-10', '2026-12-15')])).toEqual(['rescheduled'])
  expect(await visit([days('2026-12-02', '2026-12-11', '2026-12-16')])).toEqual([
    'rescheduled',
    'rescheduled',
    'rescheduled',
  ])
  const kept = await database.sql`
    select event_date::text as day, sequence, status from calendar_events where source_id = ${source} order by 1`
  expect(kept).toEqual([
    { day: '2026-12-02', sequence: 1, status: 'rescheduled' },
    { day: '2026-12-11', sequence: 2, status: 'rescheduled' },
    { day: '2026-12-16', sequence: 1, status: 'rescheduled' },
  ])
})

test('one more day, a day far off, and a day that another batch still tells are not moves', async () => {
  expect(await visit([days('2026-12-01', '2026-12-08')])).toEqual(['created', 'created'])
  expect(await visit([days('2026-12-01', '2026-12-02', '2026-12-08')])).toEqual(['created'])
  // Told after the new one, and in a batch of its own.
  expect(await visit([days('2026-12-09', '2026-12-01', '2026-12-02', '2026-12-08')], 1)).toEqual([
    'created',
  ])
  expect(await visit([days('2026-12-01', '2026-12-02', '2026-12-08', '2026-12-22')])).toEqual([
    'created',
  ])
})
