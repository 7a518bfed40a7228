import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemoWeb, type DemoSite, type DemoWeb, type Truth } from './index.ts'
import { definitions } from './sites/index.ts'
import { linksOf, snapshot, truthOf } from './testing.ts'

const now = new Date('2026-11-15T12:00:00Z')
const good = definitions.filter((definition) => definition.behaviour === 'good')

let web: DemoWeb

beforeAll(async () => {
  web = await startDemoWeb({ seed: 7, now })
})
afterAll(() => web.close())

const siteKey = (id: string): string => id.slice(0, id.indexOf(':'))
const siteOf = (key: string): DemoSite => {
  const site = web.sites.find((candidate) => candidate.key === key)
  if (!site) throw new Error(`no site ${key}`)
  return site
}

describe.each(good.map((definition) => definition.key))('%s', (key) => {
  it('answers every page of its truth with a realistic body', async () => {
    const truth = await truthOf(siteOf(key))
    expect(truth.items.length).toBeGreaterThan(5)
    for (const page of truth.pages) {
      const response = await fetch(page.url)
      const { length } = await response.text()
      const isHtml = page.kind === 'page' || page.kind === 'listing'
      const realistic = !isHtml || (length > 5_000 && length < 60_000)
      expect([page.url, response.status, length, realistic]).toEqual([page.url, 200, length, true])
    }
  })

  it('links every page of its truth within its depth, and no others', async () => {
    const site = siteOf(key)
    const truth = await truthOf(site)
    const reached = await crawl(site, truth)
    expect([...reached].sort()).toEqual(truth.pages.map((page) => page.url).sort())
  })

  it('confirms an unchanged page with 304 and answers HEAD', async () => {
    const { url } = siteOf(key)
    const first = await fetch(url)
    const etag = first.headers.get('etag') ?? ''
    const modified = first.headers.get('last-modified') ?? ''
    await first.text()
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await fetch(url, { headers: { 'if-modified-since': modified } })).status).toBe(304)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('shows exactly the edits that were asked for, in its pages and its truth', async () => {
    const site = siteOf(key)
    const before = await truthOf(site)
    const response = await fetch(new URL('/__edit', site.url), {
      method: 'POST',
      body: JSON.stringify({ seed: 3 }),
    })
    const { edits } = (await response.json()) as { edits: { action: string; id: string }[] }
    const after = await truthOf(site)
    const texts = (truth: Truth) =>
      new Map(truth.items.map((item) => [item.id, JSON.stringify(item)]))
    const [old, young] = [texts(before), texts(after)]
    const changed = [...new Set([...old.keys(), ...young.keys()])]
      .filter((id) => old.get(id) !== young.get(id))
      .map((id) => id.replace(/#.*/, ''))
    expect([...new Set(changed)].sort()).toEqual(edits.map((edit) => edit.id).sort())
    expect([...(await crawl(site, after))].sort()).toEqual(
      after.pages.map((page) => page.url).sort(),
    )
    await fetch(new URL('/__reset', site.url), { method: 'POST' })
    expect(await truthOf(site)).toEqual(before)
  })
})

describe('edits', () => {
  const edit = (key: string, body: object): Promise<Response> =>
    fetch(new URL('/__edit', siteOf(key).url), { method: 'POST', body: JSON.stringify(body) })

  it('are drawn by the seed, and named when asked for', async () => {
    const drawn = await edit('json-ld', { seed: 5, count: 4 }).then((response) => response.json())
    await fetch(new URL('/__reset', siteOf('json-ld').url), { method: 'POST' })
    expect(await edit('json-ld', { seed: 5, count: 4 }).then((r) => r.json())).toEqual(drawn)
    await fetch(new URL('/__reset', siteOf('json-ld').url), { method: 'POST' })
    const edits = [{ action: 'retitle', id: 'json-ld:event-2', title: 'Iets anders' }]
    expect((await edit('json-ld', { edits })).status).toBe(200)
    const { items } = siteOf('json-ld').truth()
    expect(items.find((item) => item.id === 'json-ld:event-2')?.title).toBe('Iets anders')
    await fetch(new URL('/__reset', siteOf('json-ld').url), { method: 'POST' })
  })

  it('change nothing when one of them cannot be made', async () => {
    const before = siteOf('nuxt').truth()
    const edits = [{ action: 'cancel' }, { action: 'remove', id: 'nuxt:nobody' }]
    expect((await edit('nuxt', { edits })).status).toBe(409)
    expect(siteOf('nuxt').truth()).toEqual(before)
  })

  it('reach the page behind a validator: it is no longer unchanged', async () => {
    const { url } = siteOf('nuxt')
    const first = await fetch(url)
    const etag = first.headers.get('etag') ?? ''
    const modified = first.headers.get('last-modified') ?? ''
    await first.text()
    await edit('nuxt', { edits: [{ action: 'remove' }] })
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(200)
    expect((await fetch(url, { headers: { 'if-modified-since': modified } })).status).toBe(200)
    await fetch(new URL('/__reset', url), { method: 'POST' })
  })
})

describe('the web as a whole', () => {
  it('serves the same bytes for the same seed and moment', async () => {
    const [one, two, other] = await Promise.all([
      startDemoWeb({ seed: 7, now }),
      startDemoWeb({ seed: 7, now }),
      startDemoWeb({ seed: 8, now }),
    ])
    try {
      const keys = good.map((definition) => definition.key)
      const [first, second, third] = await Promise.all(
        [one, two, other].map((w) => snapshot(w, keys)),
      )
      expect(second).toEqual(first)
      expect(third).not.toEqual(first)
    } finally {
      await Promise.all([one, two, other].map((w) => w.close()))
    }
  })

  it('knows which items are the same, as long as both are there', async () => {
    const guide = siteOf('regional-guide')
    const ids = new Set(web.sites.flatMap((site) => site.truth().items.map((item) => item.id)))
    const { duplicates } = guide.truth()
    expect(duplicates.length).toBeGreaterThanOrEqual(14)
    expect(duplicates.flat().filter((id) => !ids.has(id))).toEqual([])
    const [own, original] = duplicates[0] ?? ['', '']
    const { url } = siteOf(siteKey(original))
    const edits = [{ action: 'remove', id: original }]
    await fetch(new URL('/__edit', url), { method: 'POST', body: JSON.stringify({ edits }) })
    expect(guide.truth().duplicates.map(([id]) => id)).not.toContain(own)
    await fetch(new URL('/__reset', url), { method: 'POST' })
    expect(guide.truth().duplicates).toEqual(duplicates)
  })

  it('uses a title twice only for deliberate copies', () => {
    const items = web.sites.flatMap((site) => site.truth().items)
    const accidents = items.filter((item) =>
      items.some(
        (other) =>
          other.title === item.title &&
          siteKey(other.id) !== siteKey(item.id) &&
          !item.sameAs.includes(other.id) &&
          !other.sameAs.includes(item.id),
      ),
    )
    expect(accidents).toEqual([])
  })

  it('logs requests with time, agent and status, and leaves control paths out', async () => {
    const { key, url } = siteOf('dutch-news')
    web.requests.clear(key)
    await fetch(url, { headers: { 'user-agent': 'probe/1' } }).then((response) => response.text())
    await fetch(new URL('/nergens', url)).then((response) => response.text())
    const response = await fetch(new URL('/__requests.json', url))
    const { requests } = (await response.json()) as { requests: { path: string; status: number }[] }
    expect(requests.map(({ path, status }) => [path, status])).toEqual([
      ['/', 200],
      ['/nergens', 404],
    ])
    expect(requests[0]).toMatchObject({ userAgent: 'probe/1', method: 'GET', site: key })
  })

  it('refuses to start with a site it does not know', async () => {
    await expect(startDemoWeb({ sites: ['nope'] })).rejects.toThrow(/no demo site nope/)
  })
})

/** What a crawler finds: links to the site's depth, feeds, sitemaps; robots.txt disallows kept. */
async function crawl(site: DemoSite, truth: Truth): Promise<Set<string>> {
  const refused = new Set(truth.pages.filter((p) => p.outcome === 'refused').map((p) => p.url))
  const browserPages = new Set(truth.pages.filter((p) => p.needs === 'browser').map((p) => p.url))
  const seen = new Map<string, number>([[site.url, 0]])
  const origin = new URL(site.url).origin
  const robots = await fetch(new URL('/robots.txt', site.url)).then((response) => response.text())
  for (const match of robots.matchAll(/^Sitemap: (\S+)/gm)) seen.set(match[1] ?? '', 0)
  const queue = [...seen.keys()]
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const depth = seen.get(url) ?? 0
    if (refused.has(url)) continue
    const response = await fetch(url)
    const type = response.headers.get('content-type') ?? ''
    const body = await response.text()
    const found = browserPages.has(url) ? await drawnLinks(site) : linksOf(body, type, response.url)
    if (!/xml/.test(type) && depth >= site.sourceDefaults.max_depth) continue
    for (const link of found) {
      if (new URL(link).origin !== origin || seen.has(link)) continue
      seen.set(link, depth + 1)
      queue.push(link)
    }
  }
  return new Set(seen.keys())
}

/** The links that the client-rendered site's script draws. */
async function drawnLinks(site: DemoSite): Promise<string[]> {
  const response = await fetch(new URL('/api/events', site.url))
  const { events } = (await response.json()) as { events: { path: string }[] }
  return events.map((event) => new URL(event.path, site.url).href)
}
