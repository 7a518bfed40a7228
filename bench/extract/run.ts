// Pages per second of one core through the whole waterfall, beside a bare htmlparser2 parse: `npm run bench:extract`.
import { parseDocument } from 'htmlparser2'
import { openPage } from '../../src/extract/page.ts'
import { loadArticleReader } from '../../src/extract/steps.ts'
import { runWaterfall } from '../../src/extract/waterfall.ts'
import type { ItemKind } from '../../src/extract/types.ts'
import { hasPages, pagesOf, type BenchPage } from './pages.ts'

const rounds = 3
const articleBytes = 50_000
const fetchedAt = new Date('2026-05-01T12:00:00Z')

if (!hasPages()) {
  console.log('../shared/eval is not here: no pages to measure with, skipped.')
} else {
  await loadArticleReader()
  const articles = [
    ...pagesOf('article-seg', 30_000, 75_000),
    ...pagesOf('article-aeb', 30_000, 75_000),
  ]
  const all = [
    ...pagesOf('article-seg', 0, 400_000),
    ...pagesOf('events-dom', 0, 400_000),
    ...pagesOf('events-ld', 0, 400_000),
    ...pagesOf('hydration', 0, 400_000),
  ]
  const article = measure(articles, 'article')
  const mixed = measure(all)
  console.log(`${articles.length} article pages of ${article.kb.toFixed(0)} KB on average`)
  console.log(
    `  waterfall ${article.perSecond.toFixed(0)} pages a second per core, bare parse ${article.bare.toFixed(0)}`,
  )
  console.log(`  at 50 KB each: ${article.of50Kb.toFixed(0)} a second`)
  console.log(`${all.length} pages of every kind, ${mixed.kb.toFixed(0)} KB on average`)
  console.log(
    `  waterfall ${mixed.perSecond.toFixed(0)} pages a second per core, bare parse ${mixed.bare.toFixed(0)}`,
  )
  console.log(
    JSON.stringify({
      bench: 'extract',
      ratios: {
        articles_share_of_bare_parse: ratio(article),
        pages_share_of_bare_parse: ratio(mixed),
        articles_against_aim: Number((article.of50Kb / 150).toFixed(2)),
      },
      figures: {
        article_pages_per_second_per_core: Math.round(article.perSecond),
        article_pages_of_50kb_per_second_per_core: Math.round(article.of50Kb),
        pages_per_second_per_core: Math.round(mixed.perSecond),
        bare_parse_pages_per_second_per_core: Math.round(article.bare),
      },
    }),
  )
}

interface Measured {
  perSecond: number
  bare: number
  of50Kb: number
  kb: number
}

/** Processor time, because the machine may have other work; the best round, because the first ones warm up. */
function measure(pages: readonly BenchPage[], preferredKind?: ItemKind): Measured {
  const options = preferredKind === undefined ? {} : { preferredKind }
  const bytes = pages.reduce((sum, { html }) => sum + html.length, 0)
  const waterfall = best(() => {
    for (const { url, html } of pages)
      runWaterfall(openPage({ url, body: html, contentType: 'text/html', fetchedAt }), options)
  })
  const bare = best(() => {
    for (const { html } of pages) parseDocument(html)
  })
  return {
    perSecond: pages.length / waterfall,
    bare: pages.length / bare,
    of50Kb: bytes / articleBytes / waterfall,
    kb: bytes / pages.length / 1000,
  }
}

function best(work: () => void): number {
  let seconds = Infinity
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    seconds = Math.min(seconds, (user + system) / 1e6)
  }
  return seconds
}

function ratio({ perSecond, bare }: Measured): number {
  return Number((perSecond / bare).toFixed(3))
}
