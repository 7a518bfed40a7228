import type { Block } from './blocks.ts'
import type { Container } from './containers.ts'

/** The container that holds most of the running text, and marks the way up from it. */
export function findHome(blocks: readonly Block[]): Container | null {
  let home: Container | null = null
  let best = 0
  for (const { shape, linkWords, container, text } of blocks) {
    if (shape.words < 6 || linkWords * 2 > shape.words) continue
    const worth = 1 + Math.min(shape.commas, 8) + Math.min(text.length / 100, 4)
    let share = 1
    let at: Container | null =
      container.tag === 'p' || container.tag === 'li' ? container.parent : container
    for (let up = 0; up < 4 && at !== null; up++) {
      at.score += worth * share
      share = up === 0 ? 0.6 : share / 1.5
      at = at.parent
    }
  }
  for (const { container } of blocks) {
    let at: Container | null = container
    for (let up = 0; up < 5 && at !== null; up++) {
      const score = at.score * (1 - at.linkWords / Math.max(1, at.words))
      if (score > best) {
        best = score
        home = at
      }
      at = at.parent
    }
  }
  let steps = 0
  for (let at = home; at !== null; at = at.parent) at.aboveHome = steps++
  return home
}
