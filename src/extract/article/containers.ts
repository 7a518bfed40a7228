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
  childSignatures: Map<string, number>
  /** Steps up to the nearest ancestor-or-self with context number i; `far` when there is none. */
  distance: Uint8Array
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

export function rootContainer(): Container {
  return newContainer(null, null, 'root', '', new Uint8Array(contextNames.length).fill(far))
}

export function enterContainer(parent: Container, element: Element): Container {
  const attributes = element.attribs
  const distance = new Uint8Array(parent.distance)
  for (let i = 0; i < distance.length; i++) {
    const steps = distance[i] ?? far
    if (steps < far) distance[i] = steps + 1
  }
  const classes = attributes['class'] ?? ''
  let hints = classes === '' ? 0 : hintsOf(classes)
  if (attributes['id'] !== undefined) hints |= hintsOf(attributes['id'])
  for (let bit = 0; hints !== 0; bit++, hints >>>= 1) if ((hints & 1) === 1) distance[bit] = 0
  const tag = element.name
  const slot = tagSlots.get(tag)
  if (slot !== undefined) distance[slot] = 0
  const role = attributes['role']
  const roleSlot = role === undefined ? undefined : tagSlots.get(roleTags[role] ?? '')
  if (roleSlot !== undefined) distance[roleSlot] = 0
  if (isHidden(attributes)) distance[hiddenSlot] = 0
  if (/articleBody|\btext\b|reviewBody|description/.test(attributes['itemprop'] ?? ''))
    distance[itempropSlot] = 0
  const signature = `${tag}.${classes}`
  parent.childSignatures.set(signature, (parent.childSignatures.get(signature) ?? 0) + 1)
  return newContainer(parent, element, tag, signature, distance)
}

function newContainer(
  parent: Container | null,
  element: Element | null,
  tag: string,
  signature: string,
  distance: Uint8Array,
): Container {
  return {
    parent,
    element,
    tag,
    signature,
    distance,
    depth: parent === null ? 0 : parent.depth + 1,
    childSignatures: new Map(),
    words: 0,
    linkWords: 0,
    proseWords: 0,
    commas: 0,
    blocks: 0,
    first: -1,
    score: 0,
    aboveHome: -1,
  }
}

function isHidden(attributes: Record<string, string>): boolean {
  if (attributes['hidden'] !== undefined || attributes['aria-hidden'] === 'true') return true
  const style = attributes['style']
  return style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}
