import { expect, test } from 'vitest'
import { startDemoWeb, type DemoSite } from '../../demo/index.ts'
import { extractArticle } from '../../src/extract/article/index.ts'
import { openPage } from '../../src/extract/page.ts'

const now = new Date('2026-11-15T12:00:00Z')
const sites = ['dutch-news', 'english-news', 'regional-guide']
/** Each deals other stories with other neighbours. */
const seeds = [2, 3, 5, 9, 11, 12]

test.each(seeds)(
  'the text of every article is its text and nothing else (seed %i)',
  async (seed) => {
    const web = await startDemoWeb({ seed, now, sites })
    try {
      for (const site of web.sites)
        expect([site.key, await wrongTexts(site)]).toEqual([site.key, []])
    } finally {
      await web.close()
    }
  },
)

async function wrongTexts(site: DemoSite): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const { kind, url, title, paragraphs } of site.truth().items) {
    if (kind !== 'article' || url === null) continue
    const body = await (await fetch(url)).text()
    const page = openPage({ url, body, contentType: 'text/html', fetchedAt: now })
    const text = extractArticle(page)?.text
    if (text !== paragraphs.join('\n')) wrong.push({ title, text })
  }
  return wrong
}
