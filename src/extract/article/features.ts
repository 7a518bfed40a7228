import type { Page } from '../page.ts'
import type { Block, Segmented } from './blocks.ts'
import { contextNames, distanceTo, far, siblingsAlike, type Container } from './containers.ts'
import { ancestor, branchOf, pathTo } from './branches.ts'
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

/** One row of numbers per block: its text, its place, its surroundings and its page. */
export function featuresOf(page: Page, declared: Declared, cut: Segmented): Float32Array {
  const { blocks, root } = cut
  const rows = new Float32Array(blocks.length * featureCount)
  const home = findHome(blocks)
  const titles = titleKeys(page, declared)
  const titleWords = new Set(
    titles.flatMap((title) => title.split(' ')).filter((word) => word.length > 2),
  )
  const body = declaredBody(declared)
  const description = keyOf(
    declared.metas.get('og:description') ?? declared.metas.get('description') ?? '',
  ).slice(0, 60)
  const keys = blocks.map((block) => keyOf(block.text.slice(0, 120)))
  const copies = new Map<string, number>()
  for (const key of keys) copies.set(key, (copies.get(key) ?? 0) + 1)
  const dated = blocks.map(({ text, shape }) => {
    const possible = shape.digits > 2 || (shape.digits > 0 && text.endsWith(' ago'))
    return possible && text.length < 400 && datePattern.test(text)
  })
  const h1 = nearestH1(blocks, titles, keys)
  const titleBranch = branchOf(blocks[h1]?.container ?? null)
  const whole = pageRow(page, declared, cut, home, dated, body)
  const phrases = Int32Array.from(blocks, (block) => phrasesOf(block.text))
  const proseTotal = Math.max(1, root.proseWords)
  let prose = 0
  let wordsBefore = 0
  let sinceHeading = far
  let headingLevel = 0
  let at = 0
  const put = (value: number): void => {
    rows[at++] = value
  }

  for (const block of blocks) {
    const { shape, text, container } = block
    const i = block.index
    const key = keys[i] ?? ''
    const words = Math.max(1, shape.words)
    const inked = Math.max(1, shape.letters + shape.digits)
    at = i * featureCount
    put(shape.words)
    put(inked / words)
    put(block.linkWords / words)
    put(block.links)
    put(block.boldWords / words)
    put(shape.upper / inked)
    put(shape.digits / inked)
    put(shape.commas)
    put(shape.stops)
    put(shape.symbols / Math.max(1, text.length))
    put(shape.lowerWords / words)
    put(shape.endsSentence ? 1 : 0)
    put(block.hasTime ? 1 : 0)
    put(dated[i] === true ? 1 : 0)
    put(shape.words > 40 ? -1 : titleShare(key, titleWords))
    put(titles.includes(key) ? 1 : 0)
    put(body === '' ? -1 : key.length > 15 && body.includes(key.slice(0, 60)) ? 1 : 0)
    put(description.length > 20 && key.startsWith(description) ? 1 : 0)
    put(copies.get(key) ?? 1)
    put(/^\p{Ll}/u.test(text) ? 1 : 0)
    put(block.nodes.length)
    const said = phrases[i] ?? 0
    for (let bit = 0; bit < phraseNames.length; bit++) put((said >> bit) & 1)
    const { up, down } = pathTo(container, titleBranch)
    for (let c = 0; c < contextNames.length; c++) {
      const steps = distanceTo(container, c)
      put(steps >= up && layoutOnly.has(c) ? far : steps)
    }
    put(up)
    put(down)
    putLevels(container, root, put)

    const level = /^h[1-6]$/.test(container.tag) ? Number(container.tag.charAt(1)) : 0
    if (level > 0) {
      sinceHeading = 0
      headingLevel = level
    } else sinceHeading++
    put(i / blocks.length)
    put(wordsBefore / Math.max(1, root.words))
    put(h1 < 0 ? -999 : i - h1)
    put(sinceHeading)
    put(level === 0 ? headingLevel + 10 : level)
    put(container.depth)
    putHome(container, put)
    putRepeats(container, put)
    put(prose / proseTotal)
    const ownProse = proseOf(block)
    put((proseTotal - prose - ownProse) / proseTotal)
    prose += ownProse
    wordsBefore += shape.words
    for (const step of [-3, -2, -1, 1, 2, 3]) {
      const other = blocks[i + step]
      put(other === undefined ? -1 : other.shape.words)
      put(other === undefined ? -1 : other.linkWords / Math.max(1, other.shape.words))
      put(
        other === undefined
          ? -1
          : other.container === container
            ? 2
            : other.container.parent === container.parent
              ? 1
              : 0,
      )
      put(other === undefined ? -1 : other.shape.stops)
    }
    rows.set(whole, at)
  }
  const column = featureCount - surroundingNames.length
  putSurroundings(blocks, home, phrases, rows, featureCount, column)
  return rows
}

function putLevels(container: Container, root: Container, put: (value: number) => void): void {
  for (const level of levels) {
    const at = ancestor(container, level)
    const words = Math.max(1, at.words)
    put(at.words)
    put(at.linkWords / words)
    put(at.proseWords / words)
    put(at.words / Math.max(1, root.words))
    put(siblingsAlike(at))
  }
}

function putHome(container: Container, put: (value: number) => void): void {
  let up = 0
  let at = container
  while (at.aboveHome < 0 && at.parent !== null) {
    at = at.parent
    up++
  }
  put(up)
  put(at.aboveHome)
}

/** Cards and rows: how often the shape of an ancestor repeats beside it, and how much text each carries. */
function putRepeats(container: Container, put: (value: number) => void): void {
  let near = 1
  let most = 1
  let wordsPer = -1
  let at: Container | null = container
  for (let up = 0; up < 9 && at !== null; up++) {
    const count: number = siblingsAlike(at)
    if (up < 4) near = Math.max(near, count)
    if (count > most && (up > 0 || at.tag !== 'p')) {
      most = count
      wordsPer = at.words
    }
    at = at.parent
  }
  put(near)
  put(most)
  put(wordsPer)
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
const layoutOnly = new Set(
  'comment related nav share promo subscribe side foot head overlay bio listing hidden'
    .split(' ')
    .map((name) => `hint:${name}`)
    .concat(
      'aside nav footer header form dialog ul'.split(' ').map((tag) => `tag:${tag}`),
      'hidden',
    )
    .map((name) => contextNames.indexOf(name)),
)

const h1Slot = contextNames.indexOf('tag:h1')

function titleShare(key: string, titleWords: ReadonlySet<string>): number {
  const words = key.split(' ').filter((word) => word.length > 2)
  if (words.length === 0) return 0
  return words.filter((word) => titleWords.has(word)).length / words.length
}

function declaredBody(declared: Declared): string {
  const body = declared.article?.['articleBody']
  if (typeof body !== 'string' || body.length < 200) return ''
  return keyOf(body.slice(0, 200_000).replace(/<[^<>]*>/g, ' '))
}
