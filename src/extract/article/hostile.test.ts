import { describe, expect, it } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { openPage } from '../page.ts'
import { extractArticle } from './index.ts'

const limitMs = 4_000

function processorMs(body: string): number {
  const spent = processorClock()
  const page = openPage({
    url: 'https://x.example/a',
    body,
    contentType: 'text/html',
    fetchedAt: new Date(0),
  })
  extractArticle(page)
  return spent()
}

describe('hostile pages end in time and without a crash', () => {
  const cases: Record<string, string> = {
    'deeply nested elements': `${'<div>'.repeat(200_000)}text`,
    'moderately nested elements': `${'<div class="a b">'.repeat(1_500)}<p>Some text, here.</p>`,
    'nested inline elements': `<p>${'<b><i>'.repeat(900)}words and words`,
    'many tiny blocks': '<p>a b c</p>'.repeat(30_000),
    'one endless word': `<p>${'a'.repeat(2_000_000)}</p>`,
    'spaces and digits': `<p>${'1 '.repeat(500_000)}</p>`,
    'date bait': `<h1>t</h1>${`<p>${'12 de '.repeat(60)}</p>`.repeat(1_000)}`,
    'class bait': `<p class="${'a-'.repeat(300_000)}">text</p>`.repeat(3),
    'title bait': `<title>${'a - '.repeat(100_000)}</title><h1>${'a - '.repeat(100)}</h1><p>text</p>`,
    'comma bait in JSON-LD': `<script type="application/ld+json">{"a":1${','.repeat(100_000)}}</script><p>x y z</p>`,
    'nested JSON-LD': `<script type="application/ld+json">${'['.repeat(50_000)}</script><p>x y z</p>`,
    'unclosed line breaks': `<p>${'word<br>'.repeat(30_000)}`,
    'spaces in preformatted text': `<pre>x${' '.repeat(500_000)}y</pre>`,
    'huge table': `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(12_000)}</table>`,
    'byline bait': `<p class="author">By ${'a, '.repeat(50_000)}</p><p>x y z</p>`,
  }
  it.each(Object.entries(cases))(
    '%s',
    (_name, body) => {
      expect(processorMs(body)).toBeLessThan(limitMs)
    },
    30_000,
  )
})
