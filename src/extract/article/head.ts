import type { Block } from './blocks.ts'
import { blocksUnderTitle, saidName } from './byline.ts'

/**
 * The text without the headline and the line below it that says who and when: both are fields of their own, and
 * whether they read like text changes with what stands around them, which would make the article look edited.
 */
export function withoutHead(kept: readonly Block[], title: number): Block[] {
  const from = title < 0 ? (kept[0]?.index ?? 0) : title
  const text = kept.filter(
    (block) =>
      block.index !== title &&
      !(block.index >= from && block.index <= from + blocksUnderTitle && isCredits(block)),
  )
  return text.length === 0 ? [...kept] : text
}

const maxCreditWords = 14

function isCredits({ text, shape, hasTime }: Block): boolean {
  if (shape.words > maxCreditWords || shape.endsSentence) return false
  return hasTime || saidName(text) !== null
}
