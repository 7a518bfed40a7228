import type { Page } from '../page.ts'
import type { Block, Segmented } from './blocks.ts'
import type { Found } from './found.ts'
import type { Declared } from './structured.ts'

/** How much a page looks like one article rather than a list, a shop or a front page, 0 to 1. */
export function articleLikeness(
  page: Page,
  declared: Declared,
  cut: Segmented,
  kept: readonly Block[],
  probability: Float32Array,
  published: Found | null,
): number {
  let words = 0
  let prose = 0
  let linked = 0
  let sure = 0
  for (const block of kept) {
    words += block.shape.words
    linked += block.linkWords
    sure += block.shape.words * (probability[block.index] ?? 0)
    if (block.shape.words >= 12 && block.shape.stops > 0 && block.linkWords * 2 < block.shape.words)
      prose += block.shape.words
  }
  if (words === 0) return 0
  const path = URL.canParse(page.url) ? new URL(page.url).pathname : ''
  const lists = [...declared.types].some((type) =>
    /^(CollectionPage|ItemList|SearchResultsPage|Product|ProductGroup)$/.test(type),
  )
  const margin =
    -3.2 +
    1.2 * Math.min(2, Math.log10(1 + prose / 20)) +
    2 * (prose / words) +
    2.2 * (sure / words) -
    3 * (linked / words) +
    (declared.article === null ? 0 : 1) +
    (declared.metas.get('og:type') === 'article' ? 0.8 : 0) +
    (published !== null && published.confidence > 0.6 ? 0.8 : 0) -
    (lists && declared.article === null ? 1.2 : 0) -
    (path === '/' || path === '' ? 2 : 0) -
    (cut.blocks.length > 0 && words < 60 ? 1.5 : 0)
  return Number((1 / (1 + Math.exp(-margin))).toFixed(3))
}
