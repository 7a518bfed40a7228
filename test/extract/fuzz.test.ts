import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasPages, pagesOf } from '../../bench/extract/pages.ts'
import { timed } from './hostile-input.ts'

const slowMs = 2_000
const budgetMs = 8_000
const seed = 20_260_504

const pieces = [
  '<p>',
  '</p>',
  '<div class="event">',
  '</div>',
  '<article itemscope itemtype="https://schema.org/Event">',
  '<time datetime="2026-05-05T20:00">',
  '<a href="//x/../y?a=%zz#">',
  '<script type="application/ld+json">',
  '{"@type":"Event","name":"x","startDate":"2026-13-45"',
  '</script>',
  '<script id="__NEXT_DATA__" type="application/json">',
  'window.__NUXT__=(function(a,b){return{c:a}}(1,{}))',
  '<table><tr><td>',
  '<base href="::">',
  '<meta property="og:title" content=\'',
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nRRULE:FREQ=DAILY;UNTIL=',
  '<rss><channel><item><pubDate>',
  '3 t/m 5 mei 2026, 20.00 uur',
  'By Jan de Vries | 5 May',
  '&#xffffff;&nbsp;&unknown;',
  '\u0000\ufeff\u202e\ud800',
  ']]>',
  '<!--',
  '"',
]

describe('whatever arrives is read without a crash and in time', () => {
  it('pages put together at random', { timeout: 120_000 }, () => {
    const page = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 30 })), { maxLength: 60 })
      .map((parts) => parts.join(''))
    const type = fc.constantFrom(
      'text/html',
      'application/xml',
      'text/calendar',
      'application/json',
    )
    fc.assert(
      fc.property(page, type, (body, contentType) => timed(body, contentType).ms < slowMs),
      { numRuns: 400, seed, interruptAfterTimeLimit: budgetMs, markInterruptAsFailure: false },
    )
  })

  it('bytes that are no text', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => timed(bytes).ms < slowMs),
      { numRuns: 200, seed, interruptAfterTimeLimit: budgetMs, markInterruptAsFailure: false },
    )
  })

  it.skipIf(!hasPages())(
    'real pages with damage (skipped without ../shared/eval)',
    { timeout: 120_000 },
    () => {
      const pages = ['events-ld', 'events-dom', 'hydration', 'article-seg'].flatMap((set) =>
        pagesOf(set, 2_000, 80_000).slice(0, 40),
      )
      const damage = fc.record({
        page: fc.nat(pages.length - 1),
        cuts: fc.array(
          fc.record({
            at: fc.double({ min: 0, max: 1, noNaN: true }),
            length: fc.nat(400),
            what: fc.constantFrom('drop', 'double', 'cut', 'bait'),
            bait: fc.constantFrom(...pieces),
          }),
          { minLength: 1, maxLength: 12 },
        ),
      })
      fc.assert(
        fc.property(damage, ({ page, cuts }) => {
          const body = cuts.reduce(damaged, pages[page]?.html ?? '')
          expect(timed(body).ms).toBeLessThan(slowMs)
        }),
        { numRuns: 300, seed, interruptAfterTimeLimit: budgetMs, markInterruptAsFailure: false },
      )
    },
  )
})

function damaged(
  html: string,
  { at, length, what, bait }: { at: number; length: number; what: string; bait: string },
): string {
  const from = Math.floor(at * html.length)
  const head = html.slice(0, from)
  const piece = html.slice(from, from + length)
  const tail = html.slice(from + length)
  if (what === 'drop') return head + tail
  if (what === 'double') return head + piece.repeat(20) + tail
  // Now and then the connection breaks, but rarely right at the start.
  if (what === 'cut') return at > 0.3 ? head : html
  return head + bait.repeat(length) + tail
}
