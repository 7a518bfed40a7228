// A small tree for feeds, built by a parser that forgives: half of the broken feeds only miss an end tag or
// escape nothing. Depth, size and entities are bounded.
import { Parser } from 'htmlparser2'
import { entityExpander } from './entities.ts'

export interface XmlNode {
  /** Local name, lower case. */
  name: string
  /** Canonical prefix of a known namespace, else the prefix as written; empty for the default. */
  prefix: string
  attributes: Record<string, string>
  children: (XmlNode | string)[]
  parent: XmlNode | null
  namespaces: Record<string, string>
}

const MAX_DEPTH = 200
const MAX_OPEN = 5000
const CHUNK_CHARS = 64 * 1024
const MAX_CHARS = 20_000_000
const ITEMS = new Set(['item', 'entry'])

export function parseXml(text: string): XmlNode {
  const root = node('', {}, null)
  const expand = entityExpander(text)
  let current = root
  let depth = 0
  /** Open elements below the deepest one we keep; their text goes to that one. */
  let tooDeep = 0
  /** As the parser sees it: items whose end was forgotten stay open there. */
  let unclosed = 0
  let inCdata = false
  /** Text comes in pieces that may cut an entity in two. */
  let pending = ''

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        flush()
        unclosed += 1
        if (depth >= MAX_DEPTH) {
          tooDeep += 1
          return
        }
        // An item inside an item is one whose end tag was forgotten.
        if (ITEMS.has(localName(tag))) close((open) => ITEMS.has(open.name))
        const opened = node(tag, attributes, current)
        current.children.push(opened)
        current = opened
        depth += 1
      },
      ontext(raw) {
        if (inCdata) append(raw)
        else pending += raw
      },
      onclosetag(tag) {
        flush()
        unclosed -= 1
        if (tooDeep > 0) tooDeep -= 1
        else close((open) => open.name === localName(tag))
      },
      oncdatastart() {
        flush()
        inCdata = true
      },
      oncdataend() {
        inCdata = false
      },
    },
    { xmlMode: true, decodeEntities: true, recognizeCDATA: true },
  )

  function flush(): void {
    if (pending !== '') append(expand(pending))
    pending = ''
  }

  function append(chars: string): void {
    const last = current.children.at(-1)
    if (typeof last === 'string') current.children[current.children.length - 1] = last + chars
    else current.children.push(chars)
  }

  /** Closes the nearest such element and all it holds; nothing when none is open. */
  function close(wanted: (open: XmlNode) => boolean): void {
    let levels = 1
    for (let open = current; open.parent; open = open.parent) {
      if (wanted(open)) {
        current = open.parent
        depth -= levels
        return
      }
      levels += 1
    }
  }

  // In pieces, to stop early: the parser slows down with every element left open.
  for (let at = 0; at < Math.min(text.length, MAX_CHARS); at += CHUNK_CHARS) {
    if (unclosed > MAX_OPEN) break
    parser.write(text.slice(at, at + CHUNK_CHARS))
  }
  parser.end()
  flush()
  return root
}

/** All text below, without recursion. */
export function textOf(element: XmlNode): string {
  const parts: string[] = []
  const stack: (XmlNode | string)[] = [element]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'string') parts.push(next)
    else for (const child of next.children.toReversed()) stack.push(child)
  }
  return parts.join('')
}

/** The markup inside an element, for content written as XHTML rather than escaped. */
export function markupOf(element: XmlNode): string {
  return element.children
    .map((child) => (typeof child === 'string' ? escapeText(child) : openTag(child)))
    .join('')
}

export function elements(parent: XmlNode): XmlNode[] {
  return parent.children.filter((child) => typeof child !== 'string')
}

function openTag(element: XmlNode): string {
  const attributes = Object.entries(element.attributes)
    .filter(([name]) => !name.startsWith('xmlns'))
    .map(([name, value]) => ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`)
  return `<${element.name}${attributes.join('')}>${markupOf(element)}</${element.name}>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

const KNOWN_NAMESPACES: [RegExp, string][] = [
  [/^http:\/\/(?:www\.w3\.org\/2005\/atom|purl\.org\/atom\/ns)/i, 'atom'],
  [/^http:\/\/(?:purl\.org\/rss\/1\.0\/|my\.netscape\.com\/|channel\.netscape\.com\/)$/i, 'rss'],
  [/^http:\/\/(?:backend\.userland\.com|blogs\.law\.harvard\.edu|cyber\.law)/i, 'rss'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/event/i, 'ev'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content/i, 'content'],
  [/^http:\/\/purl\.org\/dc\/elements/i, 'dc'],
  [/^http:\/\/purl\.org\/dc\/terms/i, 'dcterms'],
  [/^http:\/\/search\.yahoo\.com\/mrss/i, 'media'],
  [/^http:\/\/www\.itunes\.com\/dtds/i, 'itunes'],
  [/^http:\/\/www\.w3\.org\/1999\/xhtml/i, 'xhtml'],
  [/^http:\/\/www\.w3\.org\/1999\/02\/22-rdf/i, 'rdf'],
  [/^(?:urn:ietf:params:xml:ns:xcal|http:\/\/www\.w3\.org\/2002\/12\/cal)/i, 'xcal'],
  [/^http:\/\/schemas\.google\.com\/g\/2005/i, 'gd'],
  [/^http:\/\/www\.georss\.org/i, 'georss'],
  [/^http:\/\/www\.w3\.org\/2003\/01\/geo/i, 'geo'],
  [/^http:\/\/rssnamespace\.org\/feedburner/i, 'feedburner'],
]

function node(tag: string, attributes: Record<string, string>, parent: XmlNode | null): XmlNode {
  const colon = tag.indexOf(':')
  const prefix = colon === -1 ? '' : tag.slice(0, colon).toLowerCase()
  const namespaces = withDeclarations(parent?.namespaces ?? {}, attributes)
  const uri = namespaces[prefix] ?? ''
  const known = KNOWN_NAMESPACES.find(([pattern]) => pattern.test(uri.trim()))?.[1]
  return {
    name: localName(tag),
    prefix: known ?? prefix,
    attributes,
    children: [],
    parent,
    namespaces,
  }
}

function withDeclarations(
  inherited: Record<string, string>,
  attributes: Record<string, string>,
): Record<string, string> {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(?::|$)/i.test(name))
  if (declared.length === 0) return inherited
  const own = declared.map(([name, uri]) => [name.slice(6).toLowerCase(), uri] as const)
  return { ...inherited, ...Object.fromEntries(own) }
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1).toLowerCase()
}
