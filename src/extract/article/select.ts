import type { Block } from './blocks.ts'

/**
 * The set of blocks with the best expected F1 over words: blocks enter from the most to the least likely,
 * and the cut lies where kept words that are probably wrong start to cost more than they bring.
 */
export function selectBlocks(blocks: readonly Block[], probability: Float32Array): boolean[] {
  const order = blocks.map((block) => block.index)
  order.sort((a, b) => (probability[b] ?? 0) - (probability[a] ?? 0))
  const weight = (index: number): number => blocks[index]?.shape.words ?? 0
  let expected = 0
  for (const { index } of blocks) expected += (probability[index] ?? 0) * weight(index)
  let right = 0
  let taken = 0
  let best = 0
  let bestCount = 0
  for (let i = 0; i < order.length; i++) {
    const index = order[i] ?? 0
    right += (probability[index] ?? 0) * weight(index)
    taken += weight(index)
    const f1 = (2 * right) / (taken + expected)
    if (f1 >= best) {
      best = f1
      bestCount = i + 1
    }
  }
  const keep = blocks.map(() => false)
  for (const index of order.slice(0, bestCount)) keep[index] = true
  return keep
}
