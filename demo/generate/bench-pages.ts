import { escapeHtml, scriptJson } from '../render/html.ts'
import { stylesheet } from '../render/style.ts'
import type { Random } from '../types.ts'
import { dutchStories } from './stories-nl.ts'
import { englishStories } from './stories-en.ts'
import { at, seededRandom } from './random.ts'
import { parseStories } from './stories.ts'

export interface BenchPages {
  body(number: number): Buffer
}

/**
 * Every page has its own head, links and text, and is filled up to 20-60 KB with blocks from a
 * shared stock. A few thousand pages are kept whole; of more only the own parts are, so that
 * 50,000 pages cost some hundred MB instead of two GB.
 */
export function createBenchPages(options: {
  pages: number
  seed: number
  origin: string
}): BenchPages {
  const random = seededRandom(`${options.seed}/bench`)
  const stock = fillerBlocks(random.fork('stock'))
  const own = Array.from({ length: options.pages }, (_, number) => {
    const dice = seededRandom(`${options.seed}/bench/${number}`)
    const top = Buffer.from(topOf(number, options, dice))
    const target = dice.int(20_000, 58_500) - top.length - bottom.length
    const blocks: number[] = []
    for (let size = 0; size < target;) {
      const block = dice.int(0, stock.length - 1)
      blocks.push(block)
      size += at(stock, block).length
    }
    return { top, blocks: Uint8Array.from(blocks) }
  })
  const assemble = (page: { top: Buffer; blocks: Uint8Array }): Buffer =>
    Buffer.concat([page.top, ...Array.from(page.blocks, (block) => at(stock, block)), bottom])
  if (options.pages > keptWhole) return { body: (number) => assemble(at(own, number)) }
  const whole = own.map(assemble)
  return { body: (number) => at(whole, number) }
}

/** A ten-way tree reaches every page; twenty more links go anywhere, as on real sites. */
function linksOf(number: number, pages: number, dice: Random): number[] {
  const children = Array.from({ length: 10 }, (_, i) => number * 10 + 1 + i).filter(
    (n) => n < pages,
  )
  const others = Array.from({ length: 20 }, () => dice.int(0, pages - 1))
  return [...children, ...others]
}

function topOf(number: number, options: { pages: number; origin: string }, dice: Random): string {
  const story = dice.pick(stories)
  const title = `${story.title} (${number})`
  const url = options.origin + pathOf(number)
  const day = new Date(Date.UTC(2026, 0, 1 + (number % 365), 19, 30)).toISOString()
  const ld = {
    '@context': 'https://schema.org',
    '@type': number % 2 === 0 ? 'Event' : 'NewsArticle',
    [number % 2 === 0 ? 'name' : 'headline']: title,
    [number % 2 === 0 ? 'startDate' : 'datePublished']: day,
    description: story.lead,
    url,
    location: { '@type': 'Place', name: `Zaal ${number % 97}`, address: `Dorpsstraat ${number}` },
  }
  const links = linksOf(number, options.pages, dice)
  return `<!doctype html>
<html lang="nl"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(story.lead)}"><link rel="canonical" href="${url}">
<style>${stylesheet('#205072')}</style>
<script type="application/ld+json">${scriptJson(ld)}</script></head>
<body><header class="site-header"><nav><a href="/">Voorpagina</a> <a href="/p/1">Nieuws</a> <a href="/p/2">Agenda</a></nav></header>
<main><article><h1>${escapeHtml(title)}</h1><p class="lead">${escapeHtml(story.lead)}</p>
${story.sentences.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
</article><ul class="related">
${links.map((link) => `<li><a href="${pathOf(link)}">Bericht ${link} uit de streek</a></li>`).join('\n')}
</ul>
`
}

/** Two hundred blocks of about 700 bytes: text, tables and teasers without links. */
function fillerBlocks(random: Random): Buffer[] {
  const sentences = stories.flatMap((story) => story.sentences)
  return Array.from({ length: 200 }, (_, index) => {
    const text = Array.from({ length: 6 }, () => escapeHtml(random.pick(sentences)))
    const html =
      index % 3 === 0
        ? `<section class="block"><h2>${text[0]}</h2><p>${text.slice(1).join(' ')}</p></section>\n`
        : index % 3 === 1
          ? `<table><tbody>${text.map((cell, row) => `<tr><th>${row + 1}</th><td>${cell}</td></tr>`).join('')}</tbody></table>\n`
          : `<div class="card"><img src="/img/${index}.svg" alt="" width="160" height="90" loading="lazy"><div>${text.map((part) => `<p>${part}</p>`).join('')}</div></div>\n`
    return Buffer.from(html)
  })
}

const pathOf = (number: number): string => (number === 0 ? '/' : `/p/${number}`)
const keptWhole = 6000
const stories = [...parseStories(dutchStories), ...parseStories(englishStories)]
const bottom = Buffer.from(
  '</main><footer class="site-footer"><p>Einde van de pagina.</p></footer></body></html>\n',
)
