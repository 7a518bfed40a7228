import { isTag, isText, type ChildNode, type Document, type Element, type Text } from 'domhandler'
import { contextPool, enterContainer, rootContainer, type Container } from './containers.ts'
import { shapeOf, type TextShape } from './shape.ts'

/** A run of inline text between two block boundaries. */
export interface Block {
  index: number
  text: string
  /** The text nodes and line breaks it was read from, in order. */
  nodes: (Text | Element)[]
  container: Container
  shape: TextShape
  links: number
  linkWords: number
  boldWords: number
  /** Whether an inline `time` element is inside. */
  hasTime: boolean
}

export interface Segmented {
  blocks: Block[]
  root: Container
  /** Elements that name a date, an author or a barrier, with the block they stand at. */
  marks: Mark[]
  /** By slot: 0 for the contexts that stand anywhere on the page, `far` for the others. */
  contexts: Uint8Array
  /** The page was larger than the limits and only its first part was read. */
  truncated: boolean
}

export interface Mark {
  element: Element
  block: number
}

const maxMarks = 2_000
const maxNodes = 300_000
const maxBlocks = 10_000
const maxDepth = 200
const maxTextLength = 3_000_000

/** Cuts a document into blocks of text, each with its chain of containers. Iterative and bounded. */
export function segment(document: Document): Segmented {
  const root = rootContainer()
  const pool = contextPool()
  const blocks: Block[] = []
  const marks: Mark[] = []
  const stack: Frame[] = [
    { nodes: document.children, at: 0, restore: null, link: 0, bold: 0, pre: 0 },
  ]
  let run = newRun()
  let container = root
  let visited = 0
  let textLength = 0
  let link = 0
  let bold = 0
  let pre = 0

  const flush = (): void => {
    if (run.nodes.length > 0) {
      const block = closeRun(run, container, blocks.length, pre > 0)
      if (block !== null) {
        textLength += block.text.length
        blocks.push(block)
        addUp(block)
      }
      run = newRun()
    } else if (run.links > 0 || run.hasTime) run = newRun()
  }

  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const node = frame.nodes[frame.at++]
    if (node === undefined) {
      stack.pop()
      if (frame.restore !== null) {
        flush()
        container = frame.restore
      }
      link -= frame.link
      bold -= frame.bold
      pre -= frame.pre
      continue
    }
    if (++visited > maxNodes || blocks.length >= maxBlocks || textLength > maxTextLength) break
    if (isText(node)) {
      const inked = hasInk(node.data)
      if (inked || run.nodes.length > 0) {
        run.nodes.push(node)
        run.inLink.push(link > 0)
        run.inBold.push(bold > 0)
        if (inked) run.breaks = 0
      }
      continue
    }
    if (!isTag(node) || skippedTags.has(node.name)) continue
    const tag = node.name
    if (marks.length < maxMarks && isMark(node)) marks.push({ element: node, block: blocks.length })
    if (tag === 'br') {
      if (run.breaks > 0) flush()
      else if (run.nodes.length > 0) {
        run.nodes.push(node)
        run.inLink.push(false)
        run.inBold.push(false)
        run.breaks++
      }
      continue
    }
    let restore: Container | null = null
    if (!inlineTags.has(tag)) {
      flush()
      restore = container
      if (container.depth < maxDepth) container = enterContainer(container, node, pool)
    }
    if (tag === 'time') run.hasTime = true
    const isLink = tag === 'a' && node.attribs['href'] !== undefined ? 1 : 0
    const isBold = tag === 'b' || tag === 'strong' ? 1 : 0
    const isPre = tag === 'pre' || tag === 'listing' ? 1 : 0
    link += isLink
    bold += isBold
    pre += isPre
    run.links += isLink
    stack.push({ nodes: node.children, at: 0, restore, link: isLink, bold: isBold, pre: isPre })
  }
  flush()
  return { blocks, root, marks, contexts: pool.least, truncated: stack.length > 0 }
}

function isMark(element: Element): boolean {
  const { attribs } = element
  if (element.name === 'time' || attribs['itemprop'] !== undefined) return true
  if (attribs['rel'] === 'author' || attribs['datetime'] !== undefined) return true
  const name = attribs['class'] ?? attribs['id'] ?? attribs['data-testid']
  return name !== undefined && markName.test(name.length > 200 ? name.slice(0, 200) : name)
}

const markName =
  /author|byline|autor|auteur|redakteur|verfasser|writer|date|datum|fecha|time|publi|posted|paywall|regwall|subscriber-only/i

interface Frame {
  nodes: ChildNode[]
  at: number
  restore: Container | null
  link: number
  bold: number
  pre: number
}

interface Run {
  nodes: (Text | Element)[]
  inLink: boolean[]
  inBold: boolean[]
  links: number
  breaks: number
  hasTime: boolean
}

function newRun(): Run {
  return { nodes: [], inLink: [], inBold: [], links: 0, breaks: 0, hasTime: false }
}

function hasInk(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 32 && code !== 160 && code !== 0x200b && code !== 0xfeff) return true
  }
  return false
}

function closeRun(run: Run, container: Container, index: number, pre: boolean): Block | null {
  let raw = ''
  let linked = ''
  let bold = ''
  for (let i = 0; i < run.nodes.length; i++) {
    const node = run.nodes[i]
    const data = node !== undefined && isText(node) ? node.data : '\n'
    raw += data
    if (run.inLink[i] === true) linked += `${data} `
    if (run.inBold[i] === true) bold += `${data} `
  }
  let text = pre ? raw.replace(/^[^\S\n]*\n/, '').trimEnd() : raw.trim()
  let shape = shapeOf(text)
  if (shape.untidy && !pre) {
    text = raw.replace(/[\s\u200b\ufeff]+/g, ' ').trim()
    shape = shapeOf(text)
  }
  if (shape.letters + shape.digits === 0) return null
  const { nodes, links, hasTime } = run
  const linkWords = linked === '' ? 0 : Math.min(shape.words, shapeOf(linked).words)
  const boldWords = bold === '' ? 0 : Math.min(shape.words, shapeOf(bold).words)
  return { index, text, nodes, container, shape, links, linkWords, boldWords, hasTime }
}

function addUp(block: Block): void {
  const { words, commas, stops } = block.shape
  const prose = words >= 10 && stops > 0 && block.linkWords * 2 < words ? words : 0
  for (let at: Container | null = block.container; at !== null; at = at.parent) {
    at.words += words
    at.linkWords += block.linkWords
    at.proseWords += prose
    at.commas += commas
    at.blocks++
    if (at.first < 0) at.first = block.index
  }
}

const skippedTags = new Set(
  'script style noscript template svg math iframe object embed canvas audio video select datalist textarea head title map area input img picture source meta link progress meter'.split(
    ' ',
  ),
)

const inlineTags = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
