import type { Element } from 'domhandler'
import { hintNames, hintsOf } from './hints.ts'

/** One block-level element, and what the text below it adds up to. */
export interface Container {
  parent: Container | null
  element: Element | null
  tag: string
  depth: number
  /** Tag and classes: repeated cards share it. */
  signature: string
  /** How many of its siblings have its signature, itself included; shared by them. */
  alike: Alike
  /** The same of its children, by signature; null without children. */
  childSignatures: Map<string, Alike> | null
  /** Where its context distances lie: `contextNames.length` bytes from `offset`. */
  contexts: Uint8Array
  offset: number
  words: number
  linkWords: number
  /** Words in blocks that read like running text. */
  proseWords: number
  commas: number
  blocks: number
  first: number
  /** How much running text sits right below it; the highest is the text's most likely home. */
  score: number
  /** Steps above the likely home, when it is the home or an ancestor of it; otherwise -1. */
  aboveHome: number
  /** The same for the title's container. */
  aboveTitle: number
}

interface Alike {
  count: number
  /** The first of them with no more than a class: the distances of all others like that are its own. */
  plain: Container | null
}

export const far = 30

export const contextTags: readonly string[] =
  'article main aside nav header footer section form table ul ol dl blockquote figure figcaption details pre p li td button body tr dialog h1 h2 h3 h4'.split(
    ' ',
  )

export const contextNames: readonly string[] = [
  ...hintNames.map((name) => `hint:${name}`),
  ...contextTags.map((tag) => `tag:${tag}`),
  'hidden',
  'itemprop',
]

const hiddenSlot = contextNames.length - 2
const itempropSlot = contextNames.length - 1
const tagSlots = new Map(contextTags.map((tag, i) => [tag, hintNames.length + i]))
const roleTags: Record<string, string> = {
  main: 'main',
  article: 'article',
  navigation: 'nav',
  complementary: 'aside',
  contentinfo: 'footer',
  banner: 'header',
  dialog: 'dialog',
  alertdialog: 'dialog',
  search: 'form',
  list: 'ul',
  listitem: 'li',
  table: 'table',
  row: 'tr',
  cell: 'td',
  button: 'button',
}

/** Steps up to the nearest ancestor-or-self with this context; `far` when there is none. */
export function distanceTo(container: Container, slot: number): number {
  return container.contexts[container.offset + slot] ?? far
}

export function siblingsAlike({ alike }: Container): number {
  return alike.count
}

/** 1 to 6; 0 for what is no heading. */
export function headingLevelOf(tag: string): number {
  if (tag.length !== 2 || tag.charCodeAt(0) !== 104) return 0
  const level = tag.charCodeAt(1) - 48
  return level >= 1 && level <= 6 ? level : 0
}

export function rootContainer(): Container {
  const alike = { count: 1, plain: null }
  return newContainer(null, null, 'root', '', alike, new Uint8Array(width).fill(far), 0)
}

export function enterContainer(parent: Container, element: Element, pool: Pool): Container {
  const { attribs, name: tag } = element
  const classes = attribs['class'] ?? ''
  const signature = classes === '' ? tag : `${tag}.${classes}`
  const alike = oneMore(parent, signature)
  const isPlain = hasOnlyClass(attribs)
  if (isPlain && alike.plain !== null) {
    const { contexts, offset } = alike.plain
    return newContainer(parent, element, tag, signature, alike, contexts, offset)
  }
  const contexts = pool.take()
  const { offset, least } = pool
  copyOneStepFurther(parent, contexts, offset)
  let hints = classes === '' ? 0 : hintsOf(classes)
  if (attribs['id'] !== undefined) hints |= hintsOf(attribs['id'])
  for (let bit = 0; hints !== 0; bit++, hints >>>= 1) {
    if ((hints & 1) === 1) contexts[offset + bit] = least[bit] = 0
  }
  const slot = tagSlots.get(tag)
  if (slot !== undefined) contexts[offset + slot] = least[slot] = 0
  const role = attribs['role']
  const roleSlot = role === undefined ? undefined : tagSlots.get(roleTags[role] ?? '')
  if (roleSlot !== undefined) contexts[offset + roleSlot] = least[roleSlot] = 0
  if (isHidden(attribs)) contexts[offset + hiddenSlot] = least[hiddenSlot] = 0
  const itemprop = attribs['itemprop']
  if (itemprop !== undefined && /articleBody|\btext\b|reviewBody|description/.test(itemprop)) {
    contexts[offset + itempropSlot] = least[itempropSlot] = 0
  }
  const container = newContainer(parent, element, tag, signature, alike, contexts, offset)
  if (isPlain) alike.plain = container
  return container
}

function hasOnlyClass(attributes: Record<string, string>): boolean {
  for (const name in attributes) if (name !== 'class') return false
  return true
}

function oneMore(parent: Container, signature: string): Alike {
  parent.childSignatures ??= new Map()
  let alike = parent.childSignatures.get(signature)
  if (alike === undefined) {
    alike = { count: 0, plain: null }
    parent.childSignatures.set(signature, alike)
  }
  alike.count++
  return alike
}

/** Room for many containers' distances at once: one allocation per few hundred elements. */
export interface Pool {
  offset: number
  /** The least distance of each context on the page: 0, or `far` when no container has it. */
  least: Uint8Array
  take(): Uint8Array
}

export function contextPool(): Pool {
  let chunk = new Uint8Array(poolSize)
  let next = 0
  const pool = {
    offset: 0,
    least: new Uint8Array(width).fill(far),
    take() {
      if (next + width > poolSize) {
        chunk = new Uint8Array(poolSize)
        next = 0
      }
      pool.offset = next
      next += width
      return chunk
    },
  }
  return pool
}

function copyOneStepFurther(parent: Container, into: Uint8Array, offset: number): void {
  const from = parent.contexts
  const start = parent.offset
  for (let i = 0; i < width; i++) {
    const steps = from[start + i] ?? far
    into[offset + i] = steps < far ? steps + 1 : far
  }
}

const width = contextNames.length
const poolSize = width * 256

function newContainer(
  parent: Container | null,
  element: Element | null,
  tag: string,
  signature: string,
  alike: Alike,
  contexts: Uint8Array,
  offset: number,
): Container {
  return {
    parent,
    element,
    tag,
    signature,
    alike,
    contexts,
    offset,
    depth: parent === null ? 0 : parent.depth + 1,
    childSignatures: null,
    words: 0,
    linkWords: 0,
    proseWords: 0,
    commas: 0,
    blocks: 0,
    first: -1,
    score: 0,
    aboveHome: -1,
    aboveTitle: -1,
  }
}

function isHidden(attributes: Record<string, string>): boolean {
  if (attributes['hidden'] !== undefined || attributes['aria-hidden'] === 'true') return true
  const style = attributes['style']
  return style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}
