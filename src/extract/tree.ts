import { DomHandler, isTag, type Document } from 'domhandler'
import { readTree, type TreeBuilder } from './tree-markup.ts'

/** The page cannot become a tree within bounds; its scan still works. */
export class PageTooComplex extends Error {
  override name = 'PageTooComplex'
}

const MAX_DOM_CHARS = 8_000_000
const MAX_NODES = 600_000
// Browsers flatten at 512 as well; what is nested deeper becomes a sibling.
const MAX_TREE_DEPTH = 512
const MAX_OPEN_TAGS = 2_000

export function parseTree(body: string): Document | PageTooComplex {
  const builder = new BoundedBuilder()
  try {
    readTree(body.length > MAX_DOM_CHARS ? body.slice(0, MAX_DOM_CHARS) : body, builder)
    return builder.root
  } catch (error) {
    if (error instanceof PageTooComplex) return error
    throw error
  }
}

/**
 * Refuses endless nesting and node counts, and flattens merely deep trees. What no reader of the
 * tree looks at is left out: comments, scripts (the scan has them) and the blanks between blocks, a third of all nodes.
 */
class BoundedBuilder extends DomHandler implements TreeBuilder {
  private openTags = 0
  private nodeCount = 0

  open(name: string, attribs: Record<string, string>): void {
    this.openTags++
    if (this.openTags > MAX_OPEN_TAGS) throw new PageTooComplex(`over ${MAX_OPEN_TAGS} nested tags`)
    if (++this.nodeCount > MAX_NODES) throw new PageTooComplex(`over ${MAX_NODES} elements`)
    super.onopentag(name, attribs)
    // Closing at once makes the next element a sibling instead of a child.
    if (this.openTags > MAX_TREE_DEPTH) super.onclosetag()
  }

  close(): void {
    if (this.openTags-- <= MAX_TREE_DEPTH) super.onclosetag()
  }

  text(data: string): void {
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

  textEnd(): void {
    super.oncommentend()
  }
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
