import { isTag, isText, type AnyNode, type Document, type Element } from 'domhandler'
import { zoneOf, type Zone } from './zone.ts'

export interface LineLink {
  /** Where the link text stands in the line. */
  start: number
  end: number
  element: Element
}

/** One visual line of the page: the text between two block boundaries or line breaks. */
export interface Line {
  index: number
  text: string
  /** The innermost block element that holds it. */
  block: Element
  /** 1 to 6 inside a heading, else 0. */
  heading: number
  /** The whole line is bold or a table header. */
  strong: boolean
  zone: Zone
  links: LineLink[]
  /** What a `<time datetime>` in the line says. */
  stamp: string | null
}

/** First line of an element and the line after its last. */
export interface LineRange {
  from: number
  to: number
}

export interface PageLines {
  lines: Line[]
  /** Of every block element that holds text. */
  ranges: Map<Element, LineRange>
  truncated: boolean
}

const MAX_LINES = 100_000
const MAX_LINE_CHARS = 4_000
const MAX_TEXT_CHARS = 8_000_000

const SKIPPED = new Set(
  'script style noscript template svg iframe object head select datalist textarea canvas audio video math'.split(
    ' ',
  ),
)
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section summary table tbody td ' +
    'tfoot th thead tr ul legend optgroup search'
  ).split(' '),
)
const BOLD = new Set(['b', 'strong', 'th', 'caption', 'legend', 'dt', 'summary'])

/**
 * The page as its lines, in document order. Every element covers a contiguous run of lines, so blocks become
 * ranges. Walks without recursion: hostile pages nest tags hundreds of thousands deep.
 */
export function pageLines(document: Document): PageLines {
  const known = read.get(document)
  if (known !== undefined) return known
  const lines = readLines(document)
  read.set(document, lines)
  return lines
}

// Events, articles and the empty-calendar check all start from the lines of the same page.
const read = new WeakMap<Document, PageLines>()

function readLines(document: Document): PageLines {
  const state = new LineBuilder()
  let node: AnyNode | null = document.children[0] ?? null
  while (node !== null) {
    if (isText(node)) state.text(node.data)
    const entered: boolean = isTag(node) && !SKIPPED.has(node.name)
    if (entered && isTag(node)) state.open(node)
    const child: AnyNode | undefined = entered && isTag(node) ? node.children[0] : undefined
    if (child !== undefined) {
      node = child
      continue
    }
    if (entered && isTag(node)) state.close(node)
    node = nextAfter(node, document, state)
    if (state.full) break
  }
  return state.finish()
}

function nextAfter(node: AnyNode, document: Document, state: LineBuilder): AnyNode | null {
  let current: AnyNode = node
  for (;;) {
    if (current.next !== null) return current.next
    const parent = current.parent
    if (parent === null || parent === document || !isTag(parent)) return null
    state.close(parent)
    current = parent
  }
}

/** Collects lines while the walk opens and closes elements. */
class LineBuilder {
  readonly lines: Line[] = []
  readonly ranges = new Map<Element, LineRange>()
  full = false
  private readonly blocks: Array<{ element: Element; from: number; heading: number; zone: Zone }> =
    []
  private bold = 0
  private openLinks: Array<{ element: Element; start: number }> = []
  private parts = ''
  private boldChars = 0
  private links: LineLink[] = []
  private stamp: string | null = null
  private chars = 0
  private boundary: 'none' | 'inline' | 'spaced' = 'none'

  open(element: Element): void {
    const name = element.name
    if (BLOCKS.has(name)) {
      this.breakLine()
      const outer = this.blocks.at(-1)
      this.blocks.push({
        element,
        from: this.lines.length,
        heading: /^h[1-6]$/.test(name) ? Number(name[1]) : (outer?.heading ?? 0),
        zone: zoneOf(element, outer?.zone ?? 'main'),
      })
    } else if (name === 'br') this.breakLine()
    else this.inlineEdge(element)
    if (BOLD.has(name)) this.bold += 1
    if (name === 'time') this.stamp ??= element.attribs['datetime'] ?? null
    if (name === 'a') this.openLinks.push({ element, start: -1 })
  }

  close(element: Element): void {
    const name = element.name
    if (name === 'a') this.closeLink(element)
    if (BLOCKS.has(name)) {
      this.breakLine()
      const block = this.blocks.pop()
      if (block !== undefined && this.lines.length > block.from)
        this.ranges.set(element, { from: block.from, to: this.lines.length })
    } else this.inlineEdge(element)
    if (BOLD.has(name)) this.bold -= 1
  }

  text(data: string): void {
    const room = MAX_LINE_CHARS - this.parts.length
    if (room <= 0) return
    const clean = data
      .slice(0, room * 2)
      .replace(/[\s\u200b\u00a0\ufeff]+/g, ' ')
      .slice(0, room)
    if (clean === '') return
    if (clean.trim() === '') {
      if (this.parts !== '' && !this.parts.endsWith(' ')) this.parts += ' '
      return
    }
    if (this.parts === '' || this.parts.endsWith(' ')) this.append(clean.trimStart())
    else this.append(this.needsSpace(clean) ? ` ${clean}` : clean)
  }

  finish(): PageLines {
    this.breakLine()
    for (const block of this.blocks)
      if (this.lines.length > block.from)
        this.ranges.set(block.element, { from: block.from, to: this.lines.length })
    return { lines: this.lines, ranges: this.ranges, truncated: this.full }
  }

  private append(text: string): void {
    const start = this.parts.length + (text.startsWith(' ') ? 1 : 0)
    for (const link of this.openLinks) if (link.start === -1) link.start = start
    this.parts += text
    this.chars += text.length
    if (this.bold > 0) this.boldChars += text.trim().length
    this.boundary = 'none'
  }

  // `<em>28</em><em>may</em>` reads as two words, `1<sup>st</sup>` and `<b>J</b>anuary` as one.
  private inlineEdge(element: Element): void {
    if (element.name === 'sup' || element.name === 'wbr') return
    const styled = element.attribs['class'] !== undefined
    if (this.boundary !== 'spaced') this.boundary = styled ? 'spaced' : 'inline'
  }

  private needsSpace(next: string): boolean {
    if (this.boundary === 'none' || next.startsWith(' ')) return false
    const seam = `${this.parts.at(-1) ?? ''}${next[0] ?? ''}`
    if (this.boundary === 'spaced') return /^[\p{L}\p{N}][\p{L}\p{N}]$/u.test(seam)
    return /^(\p{N}\p{L}|\p{L}\p{N})$/u.test(seam)
  }

  private closeLink(element: Element): void {
    const at = this.openLinks.findLastIndex((link) => link.element === element)
    if (at === -1) return
    const [link] = this.openLinks.splice(at, 1)
    if (link === undefined || link.start === -1) return
    this.links.push({ start: link.start, end: this.parts.trimEnd().length, element })
  }

  private breakLine(): void {
    const text = this.parts.trimEnd()
    const block = this.blocks.at(-1)
    if (text !== '' && block !== undefined) {
      const open = this.openLinks
        .filter((link) => link.start !== -1)
        .map((link) => ({ start: link.start, end: text.length, element: link.element }))
      this.lines.push({
        index: this.lines.length,
        text,
        block: block.element,
        heading: block.heading,
        strong: this.boldChars >= text.replaceAll(' ', '').length * 0.8,
        zone: block.zone,
        links: [...this.links, ...open],
        stamp: this.stamp,
      })
      if (this.lines.length >= MAX_LINES || this.chars >= MAX_TEXT_CHARS) this.full = true
    }
    for (const link of this.openLinks) link.start = -1
    this.parts = ''
    this.boldChars = 0
    this.links = []
    this.stamp = null
    this.boundary = 'none'
  }
}
