import { DomHandler, isTag, type Document } from 'domhandler'
import { Parser } from 'htmlparser2'
import { scanPage, type PageScan } from './scan.ts'
import type { PageInput } from './types.ts'

/** A page with its readings, each made once and only when asked for. */
export interface Page extends PageInput {
  readonly scan: PageScan
  /** Throws PageTooComplex when the page has no sane tree. */
  readonly dom: Document
}

/** The page cannot become a tree within bounds; its scan still works. */
export class PageTooComplex extends Error {
  override name = 'PageTooComplex'
}

const MAX_DOM_CHARS = 8_000_000
const MAX_NODES = 600_000
// Browsers flatten at 512 as well; what is nested deeper becomes a sibling.
const MAX_TREE_DEPTH = 512
const MAX_OPEN_TAGS = 2_000

/** Wraps a fetched page; nothing is parsed until `scan` or `dom` is read. */
export function openPage(input: PageInput): Page {
  let scan: PageScan | undefined
  let dom: Document | PageTooComplex | undefined
  return {
    ...input,
    get scan() {
      scan ??= scanPage(input.body, input.url)
      return scan
    },
    get dom() {
      dom ??= tryParse(input.body)
      if (dom instanceof PageTooComplex) throw dom
      return dom
    },
  }
}

function tryParse(body: string): Document | PageTooComplex {
  try {
    return parseBounded(body)
  } catch (error) {
    if (error instanceof PageTooComplex) return error
    throw error
  }
}

function parseBounded(body: string): Document {
  const handler = new BoundedHandler()
  new Parser(handler).end(body.length > MAX_DOM_CHARS ? body.slice(0, MAX_DOM_CHARS) : body)
  return handler.root
}

/**
 * A DOM handler that refuses endless nesting and node counts, and flattens merely deep trees. What no reader of the
 * tree looks at is left out: comments, scripts (the scan has them) and the blanks between blocks, a third of all nodes.
 */
class BoundedHandler extends DomHandler {
  #open = 0
  #nodes = 0

  override onopentag(name: string, attribs: Record<string, string>): void {
    this.#open++
    if (this.#open > MAX_OPEN_TAGS) throw new PageTooComplex(`over ${MAX_OPEN_TAGS} nested tags`)
    if (++this.#nodes > MAX_NODES) throw new PageTooComplex(`over ${MAX_NODES} elements`)
    super.onopentag(name, attribs)
    // Closing at once makes the next element a sibling instead of a child.
    if (this.#open > MAX_TREE_DEPTH) super.onclosetag()
  }

  override onclosetag(): void {
    if (this.#open-- <= MAX_TREE_DEPTH) super.onclosetag()
  }

  override ontext(data: string): void {
    const parent = this.tagStack[this.tagStack.length - 1]
    if (parent !== undefined && isTag(parent)) {
      const { name, children } = parent
      if (name === 'script' || name === 'style') return
      if (isBlank(data) && name !== 'pre' && name !== 'textarea') {
        const before = children[children.length - 1]
        if (before === undefined ? BLOCKS.has(name) : isTag(before) && BLOCKS.has(before.name))
          return
      }
    }
    super.ontext(data)
  }

  override oncomment(): void {}

  override onprocessinginstruction(): void {}
}

const MAX_BLANK = 200

function isBlank(data: string): boolean {
  if (data.length > MAX_BLANK) return false
  for (let at = 0; at < data.length; at++) {
    const code = data.charCodeAt(at)
    if (code !== 32 && (code < 9 || code > 13)) return false
  }
  return true
}

const BLOCKS = new Set(
  'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li link main menu meta nav ol option p script section select style summary table tbody td template tfoot th thead title tr ul'.split(
    ' ',
  ),
)
