import { afterAll, beforeAll, describe, it } from 'vitest'
import { startDemoWeb, type DemoSite, type DemoWeb, type TruthItem } from '../../demo/index.ts'
import { definitions } from '../../demo/sites/index.ts'
import { normalizeUrl } from '../../src/kernel/url.ts'
import type { RawItem } from '../../src/extract/types.ts'
import { differences } from './demo-compare.ts'
import { hasBrowser, readSite, type ReadPage } from './demo-reading.ts'

// Endless bodies and dead hosts are the fetcher's promise; they have no items.
const withoutItems = ['slow', 'huge-body', 'redirect-loop', 'gzip-bomb', 'captcha', 'dead']
const keys = definitions.map(({ key }) => key).filter((key) => !withoutItems.includes(key))

let web: DemoWeb

beforeAll(async () => {
  web = await startDemoWeb({ seed: 1, now: new Date('2026-05-04T10:00:00Z'), sites: keys })
})

afterAll(() => web.close())

describe.concurrent('what is extracted from a demo site equals what it says', () => {
  it.for(keys)('%s', { timeout: 60_000 }, async (key, { expect, skip }) => {
    if (key === 'client-rendered' && !hasBrowser) skip('no browser is installed')
    const site = siteOf(key)
    const pages = await readSite(site)
    const { items } = site.truth()
    const wrong = items.flatMap((truth) => problemsOf(truth, pages))
    expect([...wrong, ...strangers(items, pages)]).toEqual([])
  })
})

function siteOf(key: string): DemoSite {
  const site = web.sites.find((one) => one.key === key)
  if (site === undefined) throw new Error(`no demo site ${key}`)
  return site
}

function problemsOf(truth: TruthItem, pages: readonly ReadPage[]): string[] {
  const own = pages.filter(({ page }) => truth.url === null || isSame(page.url, truth.url))
  const items = (own.length > 0 ? own : pages).flatMap(({ parsed }) => parsed.items)
  const item =
    items.find((one) => one.title === truth.title && sameStart(truth, one)) ??
    items.find((one) => one.title === truth.title)
  if (item === undefined) return [`${truth.title}: not found among ${items.length} items`]
  return differences(truth, item).map((difference) => `${truth.title}: ${difference}`)
}

/** Items that the site does not have: a menu taken for a calendar, an article taken for an event. */
function strangers(truths: readonly TruthItem[], pages: readonly ReadPage[]): string[] {
  const known = new Set(truths.map(({ kind, title }) => `${kind} ${title}`))
  return pages.flatMap(({ page, parsed }) =>
    parsed.items
      .filter((item) => !known.has(`${item.kind} ${item.title}`))
      .map((item) => `${page.url} has no ${item.kind} "${item.title}" (${item.strategy})`),
  )
}

function sameStart(truth: TruthItem, item: RawItem): boolean {
  return truth.start === null || item.calendar?.start?.slice(0, 10) === truth.start.slice(0, 10)
}

function isSame(a: string, b: string): boolean {
  return normalizeUrl(a) === normalizeUrl(b)
}
