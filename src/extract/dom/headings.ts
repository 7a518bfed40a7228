import type { Line } from './lines.ts'
import { cellOf, sharesRow } from './tables.ts'
import { PLAIN_HEADING, namesDocument } from './words.ts'

/** Headings over each line, innermost first. */
export interface HeadingIndex {
  above(lineIndex: number): Line[]
}

const PSEUDO_LEVEL = 7
const MAX_HEADING_CHARS = 140

/** Real headings and short bold lines, as a tree by level. */
export function indexHeadings(lines: Line[], isDated: (line: Line) => boolean): HeadingIndex {
  const heads: Array<{ line: Line; level: number; parent: number }> = []
  const open: number[] = []
  for (const line of lines) {
    const level = levelOf(line)
    if (level === 0 || isDated(line) || line.text.length > MAX_HEADING_CHARS) continue
    if (line.zone === 'nav' || line.zone === 'footer') continue
    while (open.length > 0 && (heads[open.at(-1) ?? 0]?.level ?? 0) >= level) open.pop()
    heads.push({ line, level, parent: open.at(-1) ?? -1 })
    open.push(heads.length - 1)
  }
  const starts = heads.map((head) => head.line.index)
  return {
    above(lineIndex) {
      const chain: Line[] = []
      let at = lastBefore(starts, lineIndex)
      while (at >= 0 && chain.length < 8) {
        const head = heads[at]
        if (head === undefined) break
        chain.push(head.line)
        at = head.parent
      }
      return chain
    },
  }
}

/** What is left of a heading without years, months and words every calendar uses. */
export function specificWords(text: string): string[] {
  return (
    text
      .replace(PLAIN_HEADING, ' ')
      .match(/[\p{L}][\p{L}\p{N}'’&.-]+/gu)
      ?.filter((word) => word.length > 1) ?? []
  )
}

function levelOf(line: Line): number {
  if (line.heading > 0) return line.heading
  const words = line.text.split(' ').length
  if (!line.strong || namesDocument(line.text) || isCellAmongOthers(line)) return 0
  return words <= 14 && line.text.length <= 100 ? PSEUDO_LEVEL : 0
}

// Bold cells head their column or row, not the page.
function isCellAmongOthers(line: Line): boolean {
  const cell = cellOf(line.block)
  return cell !== null && sharesRow(cell)
}

function lastBefore(sorted: number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low - 1
}
