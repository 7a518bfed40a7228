import type { Page } from '../page.ts'
import type { Block, Segmented } from './blocks.ts'
import { fillColumn, moveColumn, newColumns, type Columns } from './columns.ts'
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
import { hasDate, phraseNames, phrasesOf } from './phrases.ts'
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
const neighbourSteps = [-3, -2, -1, 1, 2, 3]
const neighbourNames = neighbourSteps.flatMap((step) => [
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

const firstOf = {
  contexts: ownNames.length + phraseNames.length,
  neighbours: featureCount - surroundingNames.length - pageNames.length - neighbourNames.length,
  page: featureCount - surroundingNames.length - pageNames.length,
  surroundings: featureCount - surroundingNames.length,
}
const ownColumn = {
  words: ownNames.indexOf('words'),
  linkShare: ownNames.indexOf('link share'),
  stops: ownNames.indexOf('stops'),
}

/** Numbers about each block: its text, its place, its surroundings and its page. Every column is written. */
export function featuresOf(
  page: Page,
  declared: Declared,
  cut: Segmented,
  columns = newColumns(cut.blocks.length, featureCount),
): Columns {
  const { blocks, root } = cut
  const { values, stride } = columns
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
    return possible && text.length < 400 && hasDate(text)
  })
  const h1 = nearestH1(blocks, titles, keys)
  markTitle(blocks[h1]?.container ?? null)
  const contexts = contextNames.flatMap((_, slot) => (cut.contexts[slot] === 0 ? [slot] : []))
  const phrases = Int32Array.from(blocks, (block) => phrasesOf(block.text))
  const proseTotal = Math.max(1, root.proseWords)
  let prose = 0
  let wordsBefore = 0
  let sinceHeading = far
  let headingLevel = 0

  // Columns are written in the order of their names: this is the hottest loop of a page.
  for (const block of blocks) {
    const { shape, text, container } = block
    const i = block.index
    const key = keys[i] ?? ''
    const words = Math.max(1, shape.words)
    const inked = Math.max(1, shape.letters + shape.digits)
    let at = i
    values[at] = shape.words
    values[(at += stride)] = inked / words
    values[(at += stride)] = block.linkWords / words
    values[(at += stride)] = block.links
    values[(at += stride)] = block.boldWords / words
    values[(at += stride)] = shape.upper / inked
    values[(at += stride)] = shape.digits / inked
    values[(at += stride)] = shape.commas
    values[(at += stride)] = shape.stops
    values[(at += stride)] = shape.symbols / Math.max(1, text.length)
    values[(at += stride)] = shape.lowerWords / words
    values[(at += stride)] = shape.endsSentence ? 1 : 0
    values[(at += stride)] = block.hasTime ? 1 : 0
    values[(at += stride)] = dated[i] === true ? 1 : 0
    values[(at += stride)] = shape.words > 40 ? -1 : titleShare(key, titleWords)
    values[(at += stride)] = titles.includes(key) ? 1 : 0
    values[(at += stride)] =
      body === '' ? -1 : key.length > 15 && body.includes(key.slice(0, 60)) ? 1 : 0
    values[(at += stride)] = description.length > 20 && key.startsWith(description) ? 1 : 0
    values[(at += stride)] = copies[i]?.count ?? 1
    values[(at += stride)] = startsLower(text) ? 1 : 0
    values[(at += stride)] = block.nodes.length
    const said = phrases[i] ?? 0
    for (let bit = 0; bit < phraseNames.length; bit++) values[(at += stride)] = (said >> bit) & 1
    const meeting = meetingTitle(container)
    const up = meeting === null ? 99 : container.depth - meeting.depth
    at = putContexts(container, up, contexts, columns, at)
    values[(at += stride)] = up
    values[(at += stride)] = meeting === null ? -1 : meeting.aboveTitle
    at = putLevels(container, root, columns, at)

    const level = headingLevelOf(container.tag)
    if (level > 0) {
      sinceHeading = 0
      headingLevel = level
    } else sinceHeading++
    values[(at += stride)] = i / blocks.length
    values[(at += stride)] = wordsBefore / Math.max(1, root.words)
    values[(at += stride)] = h1 < 0 ? -999 : i - h1
    values[(at += stride)] = sinceHeading
    values[(at += stride)] = level === 0 ? headingLevel + 10 : level
    values[(at += stride)] = container.depth
    at = putHome(container, columns, at)
    at = putRepeats(container, columns, at)
    values[(at += stride)] = prose / proseTotal
    const ownProse = proseOf(block)
    values[(at += stride)] = (proseTotal - prose - ownProse) / proseTotal
    prose += ownProse
    wordsBefore += shape.words
  }
  for (let slot = 0; slot < contextNames.length; slot++)
    if (cut.contexts[slot] !== 0) fillColumn(columns, firstOf.contexts + slot, far)
  putNeighbours(blocks, columns)
  const whole = pageRow(page, declared, cut, home, dated, body)
  for (let i = 0; i < whole.length; i++) fillColumn(columns, firstOf.page + i, whole[i] ?? 0)
  putSurroundings(blocks, home, phrases, columns, firstOf.surroundings)
  return columns
}

// Each writes the columns behind the one at `at` and gives back where its last one is.

/** Of the contexts only those that the page has at all. */
function putContexts(
  { contexts, offset }: Container,
  up: number,
  present: readonly number[],
  { values, stride }: Columns,
  at: number,
): number {
  const first = at + stride
  for (let i = 0; i < present.length; i++) {
    const slot = present[i] ?? 0
    const steps = contexts[offset + slot] ?? far
    values[first + slot * stride] = steps >= up && isLayout[slot] === 1 ? far : steps
  }
  return at + contextNames.length * stride
}

function putLevels(
  container: Container,
  root: Container,
  { values, stride }: Columns,
  at: number,
): number {
  const pageWords = Math.max(1, root.words)
  let level = 0
  let above = container
  for (const wanted of levels) {
    for (; level < wanted && above.parent !== null; level++) above = above.parent
    const words = Math.max(1, above.words)
    values[(at += stride)] = above.words
    values[(at += stride)] = above.linkWords / words
    values[(at += stride)] = above.proseWords / words
    values[(at += stride)] = above.words / pageWords
    values[(at += stride)] = siblingsAlike(above)
  }
  return at
}

function putHome(container: Container, { values, stride }: Columns, at: number): number {
  let up = 0
  let above = container
  while (above.aboveHome < 0 && above.parent !== null) {
    above = above.parent
    up++
  }
  values[(at += stride)] = up
  values[(at += stride)] = above.aboveHome
  return at
}

/** Cards and rows: how often the shape of an ancestor repeats beside it, and how much text each carries. */
function putRepeats(container: Container, { values, stride }: Columns, at: number): number {
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
  values[(at += stride)] = near
  values[(at += stride)] = most
  values[(at += stride)] = wordsPer
  return at
}

// These write whole columns.

/** What was written of the blocks themselves, moved by some rows. */
function putNeighbours(blocks: readonly Block[], columns: Columns): void {
  let column = firstOf.neighbours
  for (const step of neighbourSteps) {
    moveColumn(columns, ownColumn.words, column++, step)
    moveColumn(columns, ownColumn.linkShare, column++, step)
    putNearness(blocks, columns, column++, step)
    moveColumn(columns, ownColumn.stops, column++, step)
  }
}

/** 2 in the same container, 1 beside each other. */
function putNearness(
  blocks: readonly Block[],
  { values, stride }: Columns,
  column: number,
  step: number,
): void {
  const start = column * stride
  for (let i = 0; i < blocks.length; i++) {
    const own = blocks[i]?.container
    const other = blocks[i + step]?.container
    if (own === undefined || other === undefined) values[start + i] = -1
    else values[start + i] = own === other ? 2 : own.parent === other.parent ? 1 : 0
  }
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
const isLayout = Uint8Array.from(contextNames, (name) => (layoutNames.has(name) ? 1 : 0))

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
