import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDemoWeb, type DemoSite, type DemoWeb } from './index.ts'
import { linksOf } from './testing.ts'

const now = new Date('2026-11-15T12:00:00Z')
let web: DemoWeb

beforeAll(async () => {
  web = await startDemoWeb({ seed: 7, now })
})
afterAll(() => web.close())

const siteOf = (key: string): DemoSite => {
  const site = web.sites.find((candidate) => candidate.key === key)
  if (!site) throw new Error(`no site ${key}`)
  return site
}
const get = (key: string, path = '/', init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(path, siteOf(key).url), { redirect: 'manual', ...init })

const chrome = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
  'accept-language': 'nl-NL,nl;q=0.9',
  'sec-ch-ua': '"Chromium";v="142"',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

it('tells the truth on every site, dead ones included', async () => {
  for (const site of web.sites) {
    const response = await fetch(new URL('/__truth.json', site.url))
    expect([site.key, response.status]).toEqual([site.key, 200])
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(site.truth())))
  }
})

it('serves every page that a patient crawl fetches', async () => {
  const patient = [
    'slow',
    'huge-body',
    'gzip-bomb',
    'wrong-charset',
    'infinite-calendar',
    'robots-rules',
    'flaky',
  ]
  for (const key of patient) {
    for (const page of siteOf(key)
      .truth()
      .pages.filter(({ outcome }) => outcome === 'fetched')) {
      let status = 500
      for (let i = 0; i < 3 && status === 500; i++) status = (await fetch(page.url)).status
      expect([page.url, status]).toEqual([page.url, 200])
    }
  }
  await get('flaky', '/__reset', { method: 'POST' })
})

it('shows the bot wall to simple clients and the site to browsers', async () => {
  expect((await get('bot-wall')).status).toBe(403)
  expect(
    (await get('bot-wall', '/', { headers: { 'user-agent': chrome['user-agent'] } })).status,
  ).toBe(403)
  expect((await get('bot-wall', '/', { headers: chrome })).status).toBe(200)
  expect((await get('bot-wall', '/robots.txt')).status).toBe(200)
})

it('refuses the second request within a second and says when to come back', async () => {
  const answers = await Promise.all([get('rate-limited'), get('rate-limited')])
  const told = answers.map(({ status, headers }) => [status, headers.get('retry-after')])
  expect(told.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [200, null],
    [429, '1'],
  ])
  await get('rate-limited', '/__reset', { method: 'POST' })
  expect((await get('rate-limited')).status).toBe(200)
})

it('keeps slow pages open without ever finishing them in time', async () => {
  for (const path of ['/inventaris/1', '/zoekmachine']) {
    const abort = new AbortController()
    const response = await get('slow', path, { signal: abort.signal })
    const outcome = await Promise.race([
      response.text().then(
        () => 'done',
        () => 'aborted',
      ),
      new Promise((resolve) => setTimeout(resolve, 200, 'open')),
    ])
    expect([path, response.status, outcome]).toEqual([path, 200, 'open'])
    abort.abort()
  }
})

it('streams hundreds of megabytes, with and without saying so', async () => {
  const announced = await get('huge-body', '/catalogus')
  expect(Number(announced.headers.get('content-length'))).toBe(200 * 1024 * 1024)
  await announced.body?.cancel()
  const response = await get('huge-body', '/logboek')
  let bytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > 20_000_000) break
  }
  expect(bytes).toBeGreaterThan(20_000_000)
})

it('redirects in circles, for ever, once, and past a cookie', async () => {
  await expect(get('redirect-loop', '/heen', { redirect: 'follow' })).rejects.toThrow(
    'fetch failed',
  )
  await expect(get('redirect-loop', '/verder/1', { redirect: 'follow' })).rejects.toThrow(
    'fetch failed',
  )
  expect((await get('redirect-loop', '/oud-adres', { redirect: 'follow' })).url).toMatch(
    /nieuw-adres$/,
  )
  const wall = await get('redirect-loop', '/cookiemuur')
  const cookie = (wall.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  expect([
    wall.status,
    (await get('redirect-loop', '/cookiemuur', { headers: { cookie } })).status,
  ]).toEqual([302, 200])
})

it('packs a page so that it unpacks a thousandfold', async () => {
  const response = await get('gzip-bomb', '/rapport')
  expect(response.headers.get('content-encoding')).toBe('gzip')
  let bytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > 20_000_000) break
  }
  expect(bytes).toBeGreaterThan(20_000_000)
})

it('sends other bytes than it declares, and its truth has the real letters', async () => {
  const { items } = siteOf('wrong-charset').truth()
  const wrong: string[] = []
  for (const item of items) {
    const body = await fetch(item.url ?? '').then((response) => response.text())
    if (!item.paragraphs.every((paragraph) => body.includes(paragraph))) wrong.push(item.id)
  }
  // Fetch decodes as UTF-8 whatever is declared; two pages are Windows-1252, one is UTF-16.
  expect(wrong).toHaveLength(3)
})

it('links a next month from every month, each time under a new session', async () => {
  let url = siteOf('infinite-calendar').url
  const seen = new Set<string>()
  for (let i = 0; i < 40; i++) {
    const response = await fetch(url)
    const links = linksOf(await response.text(), 'text/html', url)
    url = links.filter((link) => link.includes('/kalender/')).at(-1) ?? ''
    expect(url).toContain('PHPSESSID=')
    seen.add(url)
  }
  expect(seen.size).toBe(40)
  const { pages, items } = siteOf('infinite-calendar').truth()
  for (const page of pages) expect((await fetch(page.url)).status).toBe(200)
  expect(items.length).toBe(6)
})

it('disallows, delays and marks pages for robots', async () => {
  const robots = await get('robots-rules', '/robots.txt').then((response) => response.text())
  expect(robots).toContain('Crawl-delay: 1')
  const archive = await get('robots-rules', '/archief')
  expect(archive.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  const { pages } = siteOf('robots-rules').truth()
  expect(pages.filter((page) => page.outcome === 'refused').map((page) => page.reason)).toEqual([
    'robots',
    'robots',
    'robots',
    'nofollow',
  ])
})

it('fails twice on each article, then serves it', async () => {
  const { items } = siteOf('flaky').truth()
  const url = items[0]?.url ?? ''
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await fetch(url)).status)
  expect(statuses).toEqual([500, 500, 200, 200])
})

it('answers 200 with a challenge instead of content', async () => {
  const response = await get('captcha')
  expect(response.status).toBe(200)
  expect(await response.text()).toMatch(/captcha/i)
})

it('drops connections of the dead site', async () => {
  await expect(get('dead')).rejects.toThrow('fetch failed')
})
