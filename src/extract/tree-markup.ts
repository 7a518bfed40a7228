import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { readMarkup, type MarkupReader } from './scan-markup.ts'
import { nameIn } from './scan-names.ts'

/** Told how elements nest, after the tags a page leaves out were put in. */
export interface TreeBuilder {
  open(name: string, attributes: Record<string, string>): void
  close(): void
  text(data: string): void
  /** A comment: the text behind it is another one. */
  textEnd(): void
}

/** Reads the markup of a page as a tree, by the rules of htmlparser2 for what opens and closes unsaid. */
export function readTree(html: string, builder: TreeBuilder): void {
  readMarkup(html, new TreeReader(html, builder))
}

class TreeReader implements MarkupReader {
  private readonly html: string
  private readonly builder: TreeBuilder
  /** Names of the open elements, the innermost last. */
  private readonly open: string[] = []
  /** Whether names mean those of SVG or MathML, the innermost last. */
  private readonly foreign: boolean[] = []
  private name = ''
  private attributes: Record<string, string> = {}
  private afterText = false

  constructor(html: string, builder: TreeBuilder) {
    this.html = html
    this.builder = builder
  }

  isForeign(): boolean {
    return this.foreign.length > 0 && this.foreign[this.foreign.length - 1] === true
  }

  openName(tag: string): boolean {
    this.afterText = false
    const name = tag === 'image' && !this.isForeign() ? 'img' : tag
    // A form inside a form is not there.
    if (name === 'form' && this.open.includes('form')) {
      this.name = ''
      return false
    }
    this.name = name
    this.attributes = {}
    const closes = CLOSED_BY.get(name)
    if (closes !== undefined) {
      for (let last = this.innermost(); last !== '' && closes.has(last); last = this.innermost())
        this.pop()
    }
    if (!VOID.has(name)) this.push(name)
    return true
  }

  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    if (this.name === '') return
    const name = nameIn(this.html, nameStart, nameEnd)
    if (Object.hasOwn(this.attributes, name)) return
    const value = this.html.slice(valueStart, valueEnd)
    this.attributes[name] = value.includes('&') ? decodeHTMLAttribute(value) : value
  }

  openEnd(selfClosing: boolean): void {
    const { name } = this
    if (name === '') return
    this.name = ''
    this.builder.open(name, this.attributes)
    if (VOID.has(name)) this.builder.close()
    else if (selfClosing && this.isForeign()) this.pop()
  }

  close(name: string): void {
    this.afterText = false
    if (VOID.has(name)) {
      if (name === 'br') this.empty(name)
      return
    }
    const at = this.open.lastIndexOf(name)
    if (at >= 0) while (this.open.length > at) this.pop()
    else if (name === 'p') this.empty(name)
  }

  text(start: number, end: number, coded: boolean): void {
    if (this.afterText) this.builder.textEnd()
    this.afterText = true
    const data = this.html.slice(start, end)
    this.builder.text(coded && data.includes('&') ? decodeHTML(data) : data)
  }

  /** A closing tag without an opening one that still shows. */
  private empty(name: string): void {
    this.builder.open(name, {})
    this.builder.close()
  }

  private innermost(): string {
    return this.open[this.open.length - 1] ?? ''
  }

  private push(name: string): void {
    this.open.push(name)
    if (name === 'svg' || name === 'math') this.foreign.push(true)
    else if (INTEGRATION.has(name)) this.foreign.push(false)
  }

  private pop(): void {
    const name = this.open.pop() ?? ''
    if (name === 'svg' || name === 'math' || INTEGRATION.has(name)) this.foreign.pop()
    this.builder.close()
  }
}

const VOID = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
)

/** Elements of SVG and MathML whose content is HTML again. */
const INTEGRATION = new Set('mi mo mn ms mtext annotation-xml foreignobject desc title'.split(' '))

/** The elements that an opening tag closes, as long as they are the innermost. */
const CLOSED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ['tr', 'tr th td'],
    ['th', 'th'],
    ['td', 'thead th td'],
    ['body', 'head link script'],
    ['a', 'a'],
    ['li', 'li'],
    ['h1 h2 h3 h4 h5 h6', 'h1 h2 h3 h4 h5 h6 p'],
    [
      'select input output button datalist textarea',
      'input option optgroup select button datalist textarea',
    ],
    ['option', 'option'],
    ['optgroup', 'optgroup option'],
    ['dd dt', 'dd dt'],
    [
      'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
      'p',
    ],
    ['rt rp', 'rt rp'],
    ['tbody tfoot', 'thead tbody'],
  ].flatMap(([openers = '', closed = '']) =>
    openers.split(' ').map((name) => [name, new Set(closed.split(' '))] as const),
  ),
)
