import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { DemoSite, TruthPage } from '../../demo/index.ts'
import { loadArticleReader } from '../../src/extract/steps.ts'
import { parsePage, type ParsedPage } from '../../src/flows/parse/parse-page.ts'

export interface ReadPage {
  page: TruthPage
  parsed: ParsedPage
}

const chromiumPath = '/usr/bin/chromium'
export const hasBrowser = existsSync(chromiumPath)

const browserHeaders = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  accept: 'text/html',
  'accept-language': 'nl,en',
  'sec-ch-ua': '"Chromium";v="126"',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
const patience = 4

/** Every page a perfect crawl of the site fetches, read the way a crawl reads it. */
export async function readSite(site: DemoSite): Promise<ReadPage[]> {
  await loadArticleReader()
  const truth = site.truth()
  const pages = truth.pages.filter(({ outcome }) => outcome === 'fetched')
  const render = pages.some(({ needs }) => needs === 'browser') ? await openBrowser() : null
  try {
    const read: ReadPage[] = []
    for (const page of pages) {
      const answer =
        page.needs === 'browser' && render !== null
          ? await render.load(page.url)
          : await load(page.url)
      const parsed = parsePage({
        url: answer.url,
        kind: page.kind,
        body: answer.body,
        headers: answer.headers,
        fetchedAt: Date.parse(truth.now),
        userAgent: 'Millrace',
        knownHash: null,
        packFolder: null,
        extract: true,
        options: optionsOf(site),
      })
      read.push({ page, parsed })
    }
    return read
  } finally {
    await render?.close()
  }
}

function optionsOf({ kind }: DemoSite) {
  if (kind === 'mixed') return {}
  return { preferredKind: kind === 'news' ? ('article' as const) : ('calendar_event' as const) }
}

interface Answer {
  url: string
  body: Uint8Array
  headers: Record<string, string>
}

/** Some of the sites fail or ask for patience first. */
async function load(url: string): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { headers: browserHeaders })
    const body = new Uint8Array(await response.arrayBuffer())
    if (response.ok || attempt === patience)
      return { url: response.url, body, headers: Object.fromEntries(response.headers) }
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

async function openBrowser() {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  const tab = await browser.newPage()
  return {
    load: async (url: string): Promise<Answer> => {
      await tab.goto(url, { waitUntil: 'networkidle' })
      const body = Buffer.from(await tab.content())
      return { url, body, headers: { 'content-type': 'text/html; charset=utf-8' } }
    },
    close: () => browser.close(),
  }
}
