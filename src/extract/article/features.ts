import type { Page } from '../page.ts'
import type { Block, Segmented } from './blocks.ts'
import {
  contextNames,
  distanceTo,
  far,
  headingLevelOf,
  siblingsAlike,
  type Container,
} from './containers.ts'
import { markTitle, meetingTitle } from './branches.ts'
import { findHome } from './home.ts'
import { keyOf, titleKeys } from './keys.ts'
import { pageNames, pageRow } from './page-features.ts'
import { datePattern, phraseNames, phrasesOf } from './phrases.ts'
import type { Declared } from './structured.ts'
import { proseOf, putSurroundings, surroundingNames } from './surroundings.ts'

const levels = [0, 1, 2, 3, 5]

const ownNames = [
  'words',
  'chars per word',
  'link share',
  'links',
  'bold share',
  'upper share',
  'digit share',
  'commas',
  'stops',
  'symbol share',
  'lower share',
  'ends sentence',
  'has time',
  'has date',
  'in title',
  'is title',
  'in declared body',
  'is description',
  'copies',
  'starts lower',
  'line breaks',
]
const placeNames = [
  'position',
  'word position',
  'blocks from h1',
  'blocks after last heading',
  'heading level',
  'depth',
  'up to home',
  'down to home',
  'repeat near',
  'repeat far',
  'words per repeat',
  'prose before',
  'prose after',
]
const neighbourNames = [-3, -2, -1, 1, 2, 3].flatMap((step) => [
  `words ${step}`,
  `link share ${step}`,
  `same container ${step}`,
  `stops ${step}`,
])

export const featureNames: readonly string[] = [
  ...ownNames,
  ...phraseNames.map((name) => `says ${name}`),
  ...contextNames,
  'up to title',
  'down to title',
  ...levels.flatMap((level) => [
    `words +${level}`,
    `link share +${level}`,
    `prose share +${level}`,
    `of page +${level}`,
    `siblings +${level}`,
  ]),
  ...placeNames,
  ...neighbourNames,
  ...pageNames,
  ...surroundingNames,
]

export const featureCount = featureNames.length

/** One row of numbers per block: its text, its place, its surroundings and its page. Every column of `rows` is written. */
export function featuresOf(
  page: Page,
  declared: Declared,
  cut: Segmented,
  rows = new Float32Array(cut.blocks.length * featureCount),
): Float32Array {
  const { blocks, root } = cut
  const home = findHome(blocks)
  const titles = titleKeys(page, declared)
  const titleWords = wordSet(titles)
  const body = declaredBody(declared)
  const description = keyOf(
    declared.metas.get('og:description') ?? declared.metas.get('description') ?? '',
  ).slice(0, 60)
  const keys = blocks.map((block) => keyOf(block.text.slice(0, 120)))
  const copies = copiesOf(keys)
  const dated = blocks.map(({ text, shape }) => {
    const possible = shape.digits > 2 || (shape.digits > 0 && text.endsWith(' ago'))
    return possible && text.length < 400 && datePattern.test(text)
  })
  const h1 = nearestH1(blocks, titles, keys)
  markTitle(blocks[h1]?.container ?? null)
  const whole = pageRow(page, declared, cut, home, dated, body)
  const phrases = Int32Array.from(blocks, (block) => phrasesOf(block.text))
  const proseTotal = Math.max(1, root.proseWords)
  let prose = 0
  let wordsBefore = 0
  let sinceHeading = far
  let headingLevel = 0

  // Columns are written in the order of their names, straight into the row: this is the hottest loop of a page.
  for (const block of blocks) {
    const { shape, text, container } = block
    const i = block.index
    const key = keys[i] ?? ''
    const words = Math.max(1, shape.words)
    const inked = Math.max(1, shape.letters + shape.digits)
    let at = i * featureCount
    rows[at++] = shape.words
    rows[at++] = inked / words
    rows[at++] = block.linkWords / words
    rows[at++] = block.links
    rows[at++] = block.boldWords / words
    rows[at++] = shape.upper / inked
    rows[at++] = shape.digits / inked
    rows[at++] = shape.commas
    rows[at++] = shape.stops
    rows[at++] = shape.symbols / Math.max(1, text.length)
    rows[at++] = shape.lowerWords / words
    rows[at++] = shape.endsSentence ? 1 : 0
    rows[at++] = block.hasTime ? 1 : 0
    rows[at++] = dated[i] === true ? 1 : 0
    rows[at++] = shape.words > 40 ? -1 : titleShare(key, titleWords)
    rows[at++] = titles.includes(key) ? 1 : 0
    rows[at++] = body === '' ? -1 : key.length > 15 && body.includes(key.slice(0, 60)) ? 1 : 0
    rows[at++] = description.length > 20 && key.startsWith(description) ? 1 : 0
    rows[at++] = copies[i]?.count ?? 1
    rows[at++] = startsLower(text) ? 1 : 0
    rows[at++] = block.nodes.length
    const said = phrases[i] ?? 0
    for (let bit = 0; bit < phraseNames.length; bit++) rows[at++] = (said >> bit) & 1
    const meeting = meetingTitle(container)
    const up = meeting === null ? 99 : container.depth - meeting.depth
    const { contexts, offset } = container
    for (let c = 0; c < contextNames.length; c++) rows[at + c] = contexts[offset + c] ?? far
    for (let l = 0; l < layoutSlots.length; l++) {
      const c = layoutSlots[l] ?? 0
      if ((contexts[offset + c] ?? far) >= up) rows[at + c] = far
    }
    at += contextNames.length
    rows[at++] = up
    rows[at++] = meeting === null ? -1 : meeting.aboveTitle
    at = putLevels(container, root, rows, at)

    const level = headingLevelOf(container.tag)
    if (level > 0) {
      sinceHeading = 0
      headingLevel = level
    } else sinceHeading++
    rows[at++] = i / blocks.length
    rows[at++] = wordsBefore / Math.max(1, root.words)
    rows[at++] = h1 < 0 ? -999 : i - h1
    rows[at++] = sinceHeading
    rows[at++] = level === 0 ? headingLevel + 10 : level
    rows[at++] = container.depth
    at = putHome(container, rows, at)
    at = putRepeats(container, rows, at)
    rows[at++] = prose / proseTotal
    const ownProse = proseOf(block)
    rows[at++] = (proseTotal - prose - ownProse) / proseTotal
    prose += ownProse
    wordsBefore += shape.words
    for (let step = -3; step <= 3; step++) {
      if (step !== 0) at = putNeighbour(blocks[i + step], container, rows, at)
    }
    rows.set(whole, at)
  }
  const column = featureCount - surroundingNames.length
  putSurroundings(blocks, home, phrases, rows, featureCount, column)
  return rows
}

// Each writes its columns from `at` on and gives back where the next ones go.

function putLevels(container: Container, root: Container, rows: Float32Array, at: number): number {
  const pageWords = Math.max(1, root.words)
  let level = 0
  let above = container
  for (const wanted of levels) {
    for (; level < wanted && above.parent !== null; level++) above = above.parent
    const words = Math.max(1, above.words)
    rows[at++] = above.words
    rows[at++] = above.linkWords / words
    rows[at++] = above.proseWords / words
    rows[at++] = above.words / pageWords
    rows[at++] = siblingsAlike(above)
  }
  return at
}

function putHome(container: Container, rows: Float32Array, at: number): number {
  let up = 0
  let above = container
  while (above.aboveHome < 0 && above.parent !== null) {
    above = above.parent
    up++
  }
  rows[at++] = up
  rows[at++] = above.aboveHome
  return at
}

/** Cards and rows: how often the shape of an ancestor repeats beside it, and how much text each carries. */
function putRepeats(container: Container, rows: Float32Array, at: number): number {
  let near = 1
  let most = 1
  let wordsPer = -1
  let above: Container | null = container
  for (let up = 0; up < 9 && above !== null; up++) {
    const count: number = siblingsAlike(above)
    if (up < 4) near = Math.max(near, count)
    if (count > most && (up > 0 || above.tag !== 'p')) {
      most = count
      wordsPer = above.words
    }
    above = above.parent
  }
  rows[at++] = near
  rows[at++] = most
  rows[at++] = wordsPer
  return at
}

function putNeighbour(
  other: Block | undefined,
  container: Container,
  rows: Float32Array,
  at: number,
): number {
  if (other === undefined) {
    rows.fill(-1, at, at + 4)
    return at + 4
  }
  const near = other.container.parent === container.parent ? 1 : 0
  rows[at++] = other.shape.words
  rows[at++] = other.linkWords / Math.max(1, other.shape.words)
  rows[at++] = other.container === container ? 2 : near
  rows[at++] = other.shape.stops
  return at
}

/** How often each text stands on the page; equal ones share their count. */
function copiesOf(keys: readonly string[]): { count: number }[] {
  const counts = new Map<string, { count: number }>()
  return keys.map((key) => {
    let copies = counts.get(key)
    if (copies === undefined) {
      copies = { count: 0 }
      counts.set(key, copies)
    }
    copies.count++
    return copies
  })
}

function startsLower(text: string): boolean {
  const code = text.charCodeAt(0)
  return code < 128 ? code >= 97 && code <= 122 : /^\p{Ll}/u.test(text)
}

function nearestH1(blocks: Block[], titles: string[], keys: string[]): number {
  let first = -1
  for (const block of blocks) {
    if (block.container.tag !== 'h1' && distanceTo(block.container, h1Slot) > 2) continue
    if (titles.includes(keys[block.index] ?? '')) return block.index
    if (first < 0) first = block.index
  }
  return first >= 0 ? first : keys.findIndex((key) => titles.includes(key))
}

/** On an element that also holds the title these speak of the layout ("has-sidebar"), not of the block. */
const layoutNames = new Set(
  'comment related nav share promo subscribe side foot head overlay bio listing hidden'
    .split(' ')
    .map((name) => `hint:${name}`)
    .concat(
      'aside nav footer header form dialog ul'.split(' ').map((tag) => `tag:${tag}`),
      'hidden',
    ),
)
const layoutSlots = contextNames.flatMap((name, slot) => (layoutNames.has(name) ? [slot] : []))

const h1Slot = contextNames.indexOf('tag:h1')

/** How many of the longer words of a text stand in a title. */
function titleShare(key: string, title: WordSet): number {
  if (title.words.size === 0) return 0
  let words = 0
  let shared = 0
  for (let start = 0; start < key.length;) {
    const space = key.indexOf(' ', start)
    const end = space < 0 ? key.length : space
    if (end - start > 2) {
      words++
      if (
        title.shapes[shapeOfWord(key.charCodeAt(start), end - start)] === 1 &&
        title.words.has(key.slice(start, end))
      )
        shared++
    }
    start = end + 1
  }
  return words === 0 ? 0 : shared / words
}

interface WordSet {
  words: ReadonlySet<string>
  /** By first letter and length: most words of a page differ from all of these there, and are never cut out. */
  shapes: Uint8Array
}

function wordSet(texts: readonly string[]): WordSet {
  const words = new Set(texts.flatMap((text) => text.split(' ')).filter((word) => word.length > 2))
  const shapes = new Uint8Array(1024)
  for (const word of words) shapes[shapeOfWord(word.charCodeAt(0), word.length)] = 1
  return { words, shapes }
}

function shapeOfWord(first: number, length: number): number {
  return ((first & 31) << 5) | (length & 31)
}

function declaredBody(declared: Declared): string {
  const body = declared.article?.['articleBody']
  if (typeof body !== 'string' || body.length < 200) return ''
  return keyOf(body.slice(0, 200_000).replace(/<[^<>]*>/g, ' '))
}
