import { gunzipSync } from 'node:zlib'
import { isTag } from 'domhandler'
import { parseDocument } from 'htmlparser2'
import { findAll } from 'domutils'
import type { DemoSite, DemoWeb, Truth } from './index.ts'

export async function truthOf(site: DemoSite): Promise<Truth> {
  const response = await fetch(new URL('/__truth.json', site.url))
  return (await response.json()) as Truth
}

/** All followable links of a page, feed or sitemap, absolute and without campaign parameters. */
export function linksOf(body: string, type: string, base: string): string[] {
  if (/xml/.test(type)) {
    const found = [...body.matchAll(/<(?:loc|link)>([^<]+)</g)].map((match) => match[1] ?? '')
    return clean(found, base)
  }
  if (!/html/.test(type)) return []
  const document = parseDocument(body)
  const hrefs = findAll(
    (element) =>
      (element.name === 'a' && !/nofollow/.test(element.attribs['rel'] ?? '')) ||
      (element.name === 'link' &&
        element.attribs['rel'] === 'alternate' &&
        /rss|atom|calendar/.test(element.attribs['type'] ?? '')),
    document.children.filter(isTag),
  ).map((element) => element.attribs['href'] ?? '')
  return clean(hrefs, base)
}

/** Every byte the sites serve, with the origins taken out. */
export async function snapshot(web: DemoWeb, keys: string[]): Promise<Record<string, string>> {
  const taken: Record<string, string> = {}
  for (const site of web.sites.filter(({ key }) => keys.includes(key))) {
    for (const page of site.truth().pages) {
      const response = await fetch(page.url)
      const bytes = Buffer.from(await response.arrayBuffer())
      const body = (page.url.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
      taken[neutral(web, page.url)] = neutral(web, body)
    }
  }
  return taken
}

function neutral(web: DemoWeb, text: string): string {
  return web.sites.reduce(
    (result, site) =>
      result
        .replaceAll(site.url.slice(0, -1), `http://${site.key}`)
        .replaceAll(encodeURIComponent(site.url.slice(0, -1)), site.key),
    text,
  )
}

function clean(hrefs: string[], base: string): string[] {
  return hrefs
    .map((href) => new URL(href.replaceAll('&amp;', '&'), base))
    .filter((url) => url.protocol === 'http:')
    .map((url) => {
      url.hash = ''
      url.search = url.search.replace(/(?<=[?&])utm_\w+=[^&]*&?/g, '').replace(/[?&]$/, '')
      return url.href
    })
}
