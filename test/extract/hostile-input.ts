import { loadArticleReader } from '../../src/extract/steps.ts'
import { parsePage, type ParsedPage, type ParseInput } from '../../src/flows/parse/parse-page.ts'

await loadArticleReader()

export function inputOf(body: string | Uint8Array, contentType = 'text/html'): ParseInput {
  return {
    url: 'https://site.example/agenda/2026/een-lange-pagina',
    kind: 'listing',
    body: typeof body === 'string' ? Buffer.from(body) : body,
    headers: { 'content-type': `${contentType}; charset=utf-8` },
    fetchedAt: Date.parse('2026-05-04T10:00:00Z'),
    userAgent: 'Millrace',
    options: {},
    knownHash: null,
    packFolder: null,
    extract: true,
  }
}

/** Reads a page on this thread and tells how much processor time it took. */
export function timed(
  body: string | Uint8Array,
  contentType?: string,
): { parsed: ParsedPage; ms: number } {
  const input = inputOf(body, contentType)
  const before = process.cpuUsage()
  const parsed = parsePage(input)
  const { user, system } = process.cpuUsage(before)
  return { parsed, ms: (user + system) / 1000 }
}

const megabyte = 1_000_000
const laughs = ['<!DOCTYPE lolz [<!ENTITY lol "lol">']
for (let level = 1; level < 12; level++) {
  const inner = `&lol${level === 1 ? '' : level - 1};`
  laughs.push(`<!ENTITY lol${level} "${inner.repeat(10)}">`)
}

/** Pages made to hurt: name, body, type. */
export const hostilePages: readonly [name: string, make: () => string, type?: string][] = [
  [
    '50 MB of paragraphs',
    () => '<p>Een alinea van 3 mei 2026, 20.00 uur in de zaal.</p>'.repeat(940_000),
  ],
  ['12 MB of one text', () => `<p>${'lorem ipsum '.repeat(1_000_000)}`],
  ['200,000 nested tags', () => '<div>'.repeat(200_000)],
  ['200,000 nested inline tags with text', () => '<b>x '.repeat(200_000)],
  ['60,000 list items', () => '<li><a href="/x">3 mei 2026 20:00 Concert</a>'.repeat(60_000)],
  [
    'giant JSON-LD',
    () => ld(`[${`{"@type":"Event","name":"a","startDate":"2026-05-05"},`.repeat(150_000)}{}]`),
  ],
  ['nested JSON-LD', () => ld('{"@graph":['.repeat(100_000))],
  [
    'giant state',
    () =>
      `<script id="__NEXT_DATA__" type="application/json">{"a":[${'{"title":"x","date":"2026-05-05"},'.repeat(300_000)}{}]}</script>`,
  ],
  [
    'state by code',
    () =>
      `<script>window.__NUXT__=(function(a){return {t:[${'{title:a,date:"2026-01-01"},'.repeat(100_000)}]}}("x"))</script>`,
  ],
  [
    'billion laughs',
    () =>
      `<?xml version="1.0"?>${laughs.join('\n')}]><rss><channel><item><title>&lol11;</title></item></channel></rss>`,
    'application/rss+xml',
  ],
  ['nested XML', () => `<rss><channel>${'<item>'.repeat(200_000)}`, 'application/rss+xml'],
  [
    'endless calendar file',
    () =>
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY\nSUMMARY:x\nEND:VEVENT\n`.repeat(
        200,
      ),
    'text/calendar',
  ],
  ['unclosed attributes', () => `<a href="${'<a href="'.repeat(200_000)}`],
  ['unclosed comments', () => '<!--'.repeat(300_000)],
  ['many attributes', () => `<p ${'a=1 '.repeat(500_000)}>x</p>`],
  ['bait of blanks', () => `<p>${' '.repeat(megabyte)}x</p><title>${' '.repeat(megabyte)}</title>`],
  ['bait of numbers', () => `<p>${'1-'.repeat(megabyte)}</p><p>${'20:00 '.repeat(200_000)}</p>`],
  ['bait of dates', () => `<p>${'3 mei t/m '.repeat(100_000)}</p>`],
  ['bait of names', () => `<p class="byline">By ${'Jan de '.repeat(100_000)}</p><h1>x</h1>`],
  ['bait of addresses', () => `<p class="location">${'Straat 1, '.repeat(100_000)}</p>`],
  ['bait of entities', () => `<p>${'&amp;'.repeat(400_000)}</p>`],
  ['a shell of open brackets', () => `<div id="app"><script>${'<'.repeat(90_000)}`],
  ['a shell of open tags', () => `<script></script>${'<div '.repeat(55_000)}`],
  ['a table of 3,000 columns', () => `<table>${`<tr>${'<td>1 mei'.repeat(3000)}`.repeat(5)}`],
]

function ld(json: string): string {
  return `<script type="application/ld+json">${json}</script>`
}
