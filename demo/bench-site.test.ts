import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBenchSite, type BenchSite } from './bench-site.ts'
import { startSlowHosts } from './slow-hosts.ts'
import { linksOf } from './testing.ts'

let site: BenchSite

beforeAll(async () => {
  site = await startBenchSite({ pages: 300, seed: 5 })
})
afterAll(() => site.close())

it('links all pages, each of 20 to 60 KB with a title and JSON-LD', async () => {
  const seen = new Set([site.url])
  const poor: string[] = []
  for (const url of seen) {
    const body = await fetch(url).then((response) => response.text())
    const size = Buffer.byteLength(body)
    const rich = /<title>[^<]+</.test(body) && /"@type":"(Event|NewsArticle)"/.test(body)
    if (size < 20_000 || size > 60_000 || !rich) poor.push(`${url} ${size}`)
    for (const link of linksOf(body, 'text/html', url)) seen.add(link)
  }
  expect(poor).toEqual([])
  expect(seen.size).toBe(300)
})

it('counts what was fetched', async () => {
  await fetch(new URL('/__reset', site.url))
  for (const path of ['/', '/p/7', '/p/7'])
    await fetch(new URL(path, site.url)).then((r) => r.text())
  const counts = await fetch(new URL('/__counts.json', site.url)).then((r) => r.json())
  expect(counts).toEqual({ requests: 3, distinct: 2, repeated: 1 })
})

it('serves the same bytes for the same seed', async () => {
  const twin = await startBenchSite({ pages: 300, seed: 5 })
  const text = async (base: string): Promise<string> => {
    const body = await fetch(new URL('/p/42', base)).then((response) => response.text())
    return body.replaceAll(base, '/')
  }
  expect(await text(twin.url)).toBe(await text(site.url))
  await twin.close()
})

it('plays many slow hosts and watches the gap between requests', async () => {
  const slow = await startSlowHosts({ hosts: 20, pagesPerHost: 3, delayMs: 20 })
  const urls = slow.hosts.map((host) => host.url)
  expect(new Set(urls).size).toBe(20)
  await Promise.all(urls.map((url) => fetch(url).then((response) => response.text())))
  await fetch(new URL('/p/1', urls[0])).then((response) => response.text())
  expect(slow.hosts.map((host) => host.requests)).toEqual([2, ...Array(19).fill(1)])
  expect(slow.hosts[0]?.minGapMs).toBeGreaterThan(9)
  await slow.close()
})
