import type { Page } from '../page.ts'
import type { Block, Segmented } from './blocks.ts'
import { siblingsAlike, type Container } from './containers.ts'
import type { Declared } from './structured.ts'
import { proseOf } from './surroundings.ts'

/** What the rest of the extraction already knows about the page. */
export interface LikenessInput {
  page: Page
  declared: Declared
  cut: Segmented
  kept: readonly Block[]
  probability: Float32Array
  /** How sure the publication date is; 0 without one. */
  dateConfidence: number
  hasByline: boolean
}

/** How much a page looks like one article rather than a list, a shop or a front page, 0 to 1. */
export function articleLikeness(input: LikenessInput): number {
  if (input.kept.length === 0) return 0
  const evidence = articleEvidence(input)
  let margin = bias
  for (const [name, weight] of Object.entries(weights))
    margin += weight * evidence[name as Evidence]
  return Number((1 / (1 + Math.exp(-margin))).toFixed(3))
}

type Evidence = keyof typeof weights

// Fitted by logistic regression on the development pages' types, rounded.
const bias = -4.35
const weights = {
  prose: -0.5,
  proseShare: 1.5,
  sure: 1.65,
  linked: -0.7,
  declaredArticle: 0.95,
  declaredOther: -0.85,
  socialArticle: 1.25,
  dated: 1.5,
  byline: 0.4,
  frontPage: -0.35,
  slug: 1.15,
  repeats: -0.9,
  keptShare: 1,
  tiny: -0.5,
}

export function articleEvidence(input: LikenessInput): Record<Evidence, number> {
  const { page, declared, cut, kept, probability } = input
  let words = 0
  let prose = 0
  let linked = 0
  let sure = 0
  let repeated = 0
  for (const block of kept) {
    words += block.shape.words
    linked += block.linkWords
    sure += block.shape.words * (probability[block.index] ?? 0)
    prose += proseOf(block)
    if (isRepeated(block.container)) repeated += block.shape.words
  }
  const all = Math.max(1, words)
  const path = URL.canParse(page.url) ? new URL(page.url).pathname : ''
  const slug = path.split('/').findLast((part) => part !== '') ?? ''
  const other = [...declared.types].some((type) => otherTypes.test(type))
  return {
    prose: Math.min(2, Math.log10(1 + prose / 20)),
    proseShare: prose / all,
    sure: sure / all,
    linked: linked / all,
    declaredArticle: declared.article === null ? 0 : 1,
    declaredOther: other && declared.article === null ? 1 : 0,
    socialArticle: declared.metas.get('og:type') === 'article' ? 1 : 0,
    dated: input.dateConfidence > 0.6 ? 1 : 0,
    byline: input.hasByline ? 1 : 0,
    frontPage: slug === '' ? 1 : 0,
    slug: Math.min(1, slug.split(/[-_]/).length / 5),
    repeats: repeated / all,
    keptShare: words / Math.max(1, cut.root.words),
    tiny: words < 60 ? 1 : 0,
  }
}

const otherTypes =
  /^(CollectionPage|ItemList|SearchResultsPage|Product|ProductGroup|Service|LocalBusiness|QAPage)$/

/** Inside one of several boxes of the same kind, each with more than a line: cards, posts, rows. */
function isRepeated(container: Container): boolean {
  let at: Container | null = container
  for (let up = 0; up < 8 && at !== null; up++, at = at.parent) {
    if (up > 0 && at.blocks > 1 && at.tag !== 'ul' && siblingsAlike(at) >= 4) return true
  }
  return false
}
