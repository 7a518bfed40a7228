import { expect, test } from 'vitest'
import type { ClaimedUrl } from '../../crawl/frontier/types.ts'
import { freeForAll } from '../../crawl/politeness/robots-cache.ts'
import { refusalOf } from './readmit.ts'

const scope = {
  startUrl: 'https://s.nl/',
  maxDepth: 2,
  includePatterns: ['/agenda/**'],
  excludePatterns: ['/agenda/intern/**'],
}
const may = new Date('2026-05-20T12:00:00Z')
const closed = { ...freeForAll, allows: () => false }

function refusal(url: string, change: Partial<ClaimedUrl> = {}, rules = freeForAll) {
  const claimed = { url, kind: 'page', origin: 'link', depth: 1, ...change } as ClaimedUrl
  return refusalOf(claimed, scope, rules, may)
}

test.each([
  ['https://s.nl/agenda/concert', {}, null],
  ['https://s.nl/agenda/concert', { depth: 3 }, 'depth'],
  ['https://s.nl/nieuws/brug', {}, 'not_included'],
  ['https://s.nl/agenda/intern/a', {}, 'excluded'],
  ['https://s.nl/agenda/2026-05', { kind: 'listing' }, null],
  ['https://s.nl/agenda/2026-04', { kind: 'listing' }, 'calendar_trap'],
  // What somebody asked for, and the lists that name pages, are not pages somebody left out.
  ['https://s.nl/nieuws', { origin: 'start', kind: 'listing' }, null],
  ['https://s.nl/nieuws/brug', { origin: 'submit' }, null],
  ['https://s.nl/sitemap.xml', { origin: 'sitemap', kind: 'sitemap' }, null],
] as const)('%s, %j: %s', (url, change, reason) => {
  expect(refusal(url, change)).toBe(reason)
})

test('robots.txt holds for everybody', () => {
  expect(refusal('https://s.nl/', { origin: 'start', kind: 'listing' }, closed)).toBe('robots')
})
