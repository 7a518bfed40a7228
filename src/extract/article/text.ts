import type { Block } from './blocks.ts'
import type { Container } from './containers.ts'

/** The kept blocks as plain text, one per line; cells of one table row share a line. */
export function toText(kept: readonly Block[]): string {
  let out = ''
  let row: Container | null = null
  for (const block of kept) {
    const ownRow = rowOf(block.container)
    if (out !== '') out += ownRow !== null && ownRow === row ? ' | ' : '\n'
    out += block.text
    row = ownRow
  }
  return out
}

function rowOf(container: Container): Container | null {
  let at: Container | null = container
  for (let up = 0; up < 4 && at !== null; up++, at = at.parent) if (at.tag === 'tr') return at
  return null
}
