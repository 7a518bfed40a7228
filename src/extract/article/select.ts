import type { Block } from './blocks.ts'
import { ancestor } from './branches.ts'
import { contextNames, distanceTo, far } from './containers.ts'
import type { Declared } from './structured.ts'

/**
 * The set of blocks with the best expected F1 over words: blocks enter from the most to the least likely,
 * and the cut lies where kept words that are probably wrong start to cost more than they bring. On a page
 * that declares itself one article, doubtful blocks are teasers far more often than text: they stay out.
 */
export function selectBlocks(
  blocks: readonly Block[],
  probability: Float32Array,
  isArticle: boolean,
): boolean[] {
  const belief = Float32Array.from(probability)
  doubtAds(blocks, belief)
  if (isArticle) {
    doubtComments(blocks, belief)
    doubtPromotion(blocks, belief)
  }
  const cut = bestCut(blocks, belief)
  const floor = isArticle && hasEnough(blocks, belief) ? Math.max(cut, articleFloor) : cut
  return blocks.map(({ index }) => (belief[index] ?? 0) >= floor)
}

const articleFloor = 0.5

/** Whether the page says it is one article and not a discussion. */
export function declaresArticle({ article, metas, types }: Declared): boolean {
  if ([...types].some((type) => /Forum|QAPage|Question|SocialMedia/.test(type))) return false
  return article !== null || metas.get('og:type') === 'article'
}

function bestCut(blocks: readonly Block[], belief: Float32Array): number {
  let expected = 0
  for (const { index, shape } of blocks) expected += (belief[index] ?? 0) * shape.words
  let right = 0
  let taken = 0
  let best = 0
  let cut = 1
  for (const index of mostLikelyFirst(belief)) {
    const words = blocks[index]?.shape.words ?? 0
    right += (belief[index] ?? 0) * words
    taken += words
    const f1 = (2 * right) / (taken + expected)
    if (f1 < best) continue
    best = f1
    cut = belief[index] ?? 0
  }
  return cut
}

/** Numbers alone are sorted ten times as fast as blocks by a function: each is a belief with its index behind it. */
function mostLikelyFirst(belief: Float32Array): Float64Array {
  // The bits of positive floats grow as they do.
  const bits = new Uint32Array(belief.buffer, belief.byteOffset, belief.length)
  const keys = new Float64Array(belief.length)
  for (let i = 0; i < keys.length; i++) keys[i] = (oneBits - (bits[i] ?? 0)) * indexRoom + i
  keys.sort()
  for (let i = 0; i < keys.length; i++) keys[i] = (keys[i] ?? 0) % indexRoom
  return keys
}

const oneBits = 0x3f800000
const indexRoom = 2 ** 20

/** The sure blocks alone must be a text, or the page is too unlike what we know for a fixed floor. */
function hasEnough(blocks: readonly Block[], belief: Float32Array): boolean {
  let words = 0
  for (const { index, shape } of blocks) if ((belief[index] ?? 0) >= 0.7) words += shape.words
  return words >= 80
}

/** Halves the belief in blocks inside a comment area that starts after the text did. */
function doubtComments(blocks: readonly Block[], belief: Float32Array): void {
  const start = belief.findIndex((value) => value >= 0.6)
  for (const { index, container } of blocks) {
    const steps = distanceTo(container, commentSlot)
    if (steps < far && ancestor(container, steps).first > start)
      belief[index] = (belief[index] ?? 0) / 2
  }
}

const commentSlot = contextNames.indexOf('hint:comment')

/** A few words in a box that is named a promotion are none of the article's, however much they read like it. */
function doubtPromotion(blocks: readonly Block[], belief: Float32Array): void {
  for (const { index, container } of blocks) {
    const steps = distanceTo(container, promoSlot)
    if (steps < far && ancestor(container, steps).words <= maxPromoWords) belief[index] = 0
  }
}

const promoSlot = contextNames.indexOf('hint:promo')
const maxPromoWords = 30

const adLabel =
  /^(?:advertentie|advertisement|advertorial|anzeige|werbung|publicit[ée]|publicidad|pubblicit[àa]|reklama?|sponsored|gesponsord)(?:\s*[:|–-]|\s*$)/i
const maxAdChars = 300

/** A block that calls itself an advertisement is one, wherever it stands. */
function doubtAds(blocks: readonly Block[], belief: Float32Array): void {
  for (const { index, text } of blocks)
    if (text.length <= maxAdChars && adLabel.test(text)) belief[index] = 0
}
