import type { Page } from '../page.ts'
import type { Block, Segmented } from './blocks.ts'
import { contextNames, distanceTo, far, siblingsAlike, type Container } from './containers.ts'
import { findHome } from './home.ts'
import { datePattern, phraseNames, phrasesOf } from './phrases.ts'
import type { Declared } from './structured.ts'

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
const pageNames = [
  'page words',
  'page link share',
  'page prose',
  'page blocks',
  'home share',
  'home link share',
  'home prose',
  'article tags',
  'h1 count',
  'declared article',
  'declared product',
  'declared listing',
  'declared forum',
  'og article',
  'path depth',
  'path length',
  'path digits',
  'is root',
  'list words share',
  'date blocks',
  'has declared body',
  'forum hints',
  'p words share',
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
  const dated = blocks.map(
    (block) => block.text.length < 400 && block.shape.digits > 0 && datePattern.test(block.text),
  )
  const h1 = nearestH1(blocks, titles, keys)
  const whole = pageRow(page, declared, cut, home, dated, body)
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
    const phrases = phrasesOf(text)
    for (let bit = 0; bit < phraseNames.length; bit++) put((phrases >> bit) & 1)
    for (let c = 0; c < contextNames.length; c++) put(distanceTo(container, c))
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
    const ownProse =
      shape.words >= 10 && shape.stops > 0 && block.linkWords * 2 < shape.words ? shape.words : 0
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
  return rows
}

function pageRow(
  page: Page,
  declared: Declared,
  cut: Segmented,
  home: Container | null,
  dated: boolean[],
  body: string,
): Float32Array {
  const { blocks, root } = cut
  const articles = new Set<Container>()
  let h1 = 0
  let listWords = 0
  let pWords = 0
  let forum = 0
  const articleSlot = contextNames.indexOf('tag:article')
  const forumSlot = contextNames.indexOf('hint:forum')
  for (const { container, shape } of blocks) {
    if (container.tag === 'h1') h1++
    if (container.tag === 'li') listWords += shape.words
    if (container.tag === 'p') pWords += shape.words
    if (distanceTo(container, forumSlot) < far) forum += shape.words
    const steps = distanceTo(container, articleSlot)
    if (steps < far) articles.add(ancestor(container, steps))
  }
  const path = pathOf(page.url)
  const total = Math.max(1, root.words)
  const has = (pattern: RegExp): number =>
    [...declared.types].some((type) => pattern.test(type)) ? 1 : 0
  return Float32Array.of(
    root.words,
    root.linkWords / total,
    root.proseWords,
    blocks.length,
    home === null ? 0 : home.words / total,
    home === null ? 1 : home.linkWords / Math.max(1, home.words),
    home === null ? 0 : home.proseWords / Math.max(1, root.proseWords),
    articles.size,
    h1,
    declared.article === null ? 0 : 1,
    has(/^Product/),
    has(/^(CollectionPage|ItemList|SearchResultsPage|Blog)$/),
    has(/Forum|QAPage|Question/),
    declared.metas.get('og:type') === 'article' ? 1 : 0,
    path.split('/').filter((part) => part !== '').length,
    path.length,
    path.replace(/\D/g, '').length,
    path === '/' || path === '' ? 1 : 0,
    listWords / total,
    dated.filter(Boolean).length,
    body === '' ? 0 : 1,
    forum / total,
    pWords / total,
  )
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
  return first
}

const h1Slot = contextNames.indexOf('tag:h1')

function ancestor(container: Container, steps: number): Container {
  let at = container
  for (let i = 0; i < steps && at.parent !== null; i++) at = at.parent
  return at
}

function titleKeys(page: Page, declared: Declared): string[] {
  const raw = [
    page.scan.title,
    declared.metas.get('og:title'),
    declared.metas.get('twitter:title'),
    declared.article?.['headline'],
  ]
  const keys = new Set<string>()
  for (const title of raw) {
    if (typeof title !== 'string') continue
    keys.add(keyOf(title))
    for (const part of title.split(/\s+[-–—|»·:]\s+/)) if (part.length > 12) keys.add(keyOf(part))
  }
  keys.delete('')
  return [...keys]
}

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

/** Letters and digits only, lower case, single spaces. */
export function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : ''
}
