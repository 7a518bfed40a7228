import type { Block } from './blocks.ts'
import type { Columns } from './columns.ts'
import type { Container } from './containers.ts'
import { phraseNames } from './phrases.ts'

// What a block shares with the rest of the page: its style, its side of the likely text, the labels above it.

const labels = ['more', 'comment', 'share', 'subscribe', 'tags', 'legal', 'byline', 'contact']
const labelBits = labels.map((name) => phraseNames.indexOf(name))
const longAgo = 60

export const surroundingNames: readonly string[] = [
  'style words',
  'style prose',
  'style blocks',
  'parent style prose',
  'in home range',
  'words since home',
  'blocks to home text',
  ...labels.map((name) => `since ${name}`),
]

/** Fills the columns of the surroundings, the first of which is `column`. */
export function putSurroundings(
  blocks: readonly Block[],
  home: Container | null,
  phrases: ArrayLike<number>,
  { values, stride }: Columns,
  column: number,
): void {
  const { own, above } = stylesOf(blocks)
  const words = Math.max(
    1,
    sum(blocks, (block) => block.shape.words),
  )
  const prose = Math.max(1, sum(blocks, proseOf))
  const since = new Int32Array(labels.length).fill(longAgo)
  const homeText = blocks.map((block) => proseOf(block) > 0 && isInside(block.container, home))
  const next = stepsToNext(homeText)
  let lastHome = -1
  let wordsSince = 0
  for (const { index, shape, text } of blocks) {
    let at = column * stride + index
    const style = own[index] ?? noStyle
    values[at] = style.words / words
    values[(at += stride)] = style.prose / prose
    values[(at += stride)] = style.blocks
    values[(at += stride)] = (above[index] ?? noStyle).prose / prose
    values[(at += stride)] = home === null ? -1 : (index - home.first) / Math.max(1, home.blocks)
    if (homeText[index] === true) {
      lastHome = index
      wordsSince = 0
    } else wordsSince += shape.words
    values[(at += stride)] = lastHome < 0 ? -1 : wordsSince
    values[(at += stride)] = Math.min(
      next[index] ?? longAgo,
      lastHome < 0 ? longAgo : index - lastHome,
    )
    const mask = text.length <= 60 ? (phrases[index] ?? 0) : 0
    for (let i = 0; i < since.length; i++) {
      since[i] =
        ((mask >> (labelBits[i] ?? 0)) & 1) === 1 ? 0 : Math.min(longAgo, (since[i] ?? 0) + 1)
      values[(at += stride)] = since[i] ?? longAgo
    }
  }
}

interface Style {
  words: number
  prose: number
  blocks: number
  /** The styles of what stands right inside of it. */
  inside: Map<string, Style>
}

const noStyle: Style = { words: 0, prose: 0, blocks: 0, inside: new Map() }

/** The style of each block within that of its parent, and that of its parent. */
function stylesOf(blocks: readonly Block[]): { own: Style[]; above: Style[] } {
  const parents = new Map<string, Style>()
  const own: Style[] = []
  const above: Style[] = []
  for (const block of blocks) {
    const { parent, signature } = block.container
    const parentStyle = count(parents, parent?.signature ?? '', block)
    above.push(parentStyle)
    own.push(count(parentStyle.inside, signature, block))
  }
  return { own, above }
}

function count(styles: Map<string, Style>, key: string, block: Block): Style {
  let style = styles.get(key)
  if (style === undefined) {
    style = { words: 0, prose: 0, blocks: 0, inside: new Map() }
    styles.set(key, style)
  }
  style.words += block.shape.words
  style.prose += proseOf(block)
  style.blocks++
  return style
}

/** Words of a block that reads like running text; otherwise 0. */
export function proseOf({ shape, linkWords }: Block): number {
  return shape.words >= 10 && shape.stops > 0 && linkWords * 2 < shape.words ? shape.words : 0
}

function isInside(container: Container, home: Container | null): boolean {
  if (home === null) return false
  let at: Container | null = container
  while (at !== null && at.depth > home.depth) at = at.parent
  return at === home
}

function stepsToNext(marked: readonly boolean[]): Int32Array {
  const steps = new Int32Array(marked.length)
  let left = longAgo
  for (let i = marked.length - 1; i >= 0; i--) {
    left = marked[i] === true ? 0 : Math.min(longAgo, left + 1)
    steps[i] = left
  }
  return steps
}

function sum(blocks: readonly Block[], value: (block: Block) => number): number {
  let total = 0
  for (const block of blocks) total += value(block)
  return total
}
