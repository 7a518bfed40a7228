import type { Document } from 'domhandler'
import { scanPage, type PageScan } from './scan.ts'
import { PageTooComplex, parseTree } from './tree.ts'
import type { PageInput } from './types.ts'

export { PageTooComplex }

/** A page with its readings, each made once and only when asked for. */
export interface Page extends PageInput {
  readonly scan: PageScan
  /** Throws PageTooComplex when the page has no sane tree. */
  readonly dom: Document
}

/** Wraps a fetched page; nothing is parsed until `scan` or `dom` is read. */
export function openPage(input: PageInput): Page {
  return new OpenedPage(input)
}

/**
 * A class, because the engine keeps a getter of an object literal, and with it the whole tree, until its next full
 * collection: parsing alone took 1.5 times as long.
 */
class OpenedPage implements Page {
  readonly url: string
  readonly body: string
  readonly contentType: string | null
  readonly fetchedAt: Date
  readonly timezone?: string
  readonly locale?: string
  private scanned: PageScan | null = null
  private tree: Document | PageTooComplex | null = null

  constructor(input: PageInput) {
    this.url = input.url
    this.body = input.body
    this.contentType = input.contentType
    this.fetchedAt = input.fetchedAt
    if (input.timezone !== undefined) this.timezone = input.timezone
    if (input.locale !== undefined) this.locale = input.locale
  }

  get scan(): PageScan {
    this.scanned ??= scanPage(this.body, this.url)
    return this.scanned
  }

  get dom(): Document {
    this.tree ??= parseTree(this.body)
    if (this.tree instanceof PageTooComplex) throw this.tree
    return this.tree
  }
}
