import { isTag, isText, type ChildNode, type Document, type Element } from 'domhandler'

const SKIPPED = new Set(['script', 'style', 'template', 'noscript'])
const INLINE = new Set(
  'a abbr b bdi bdo cite code data em font i kbd mark q s small span strong sub sup time u var wbr'.split(
    ' ',
  ),
)
const MAX_TEXT = 100_000
const URL_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['link', 'href'],
  ['img', 'src'],
  ['audio', 'src'],
  ['video', 'src'],
  ['source', 'src'],
  ['embed', 'src'],
  ['iframe', 'src'],
  ['track', 'src'],
  ['object', 'data'],
])

/** The text a reader sees in an element, blanks collapsed. */
export function elementText(element: Element): string {
  const parts: string[] = []
  let length = 0
  const visit = (nodes: readonly ChildNode[]): void => {
    for (const node of nodes) {
      if (length > MAX_TEXT) return
      if (isText(node)) {
        parts.push(node.data)
        length += node.data.length
      } else if (isTag(node) && !SKIPPED.has(node.name)) {
        const apart = !INLINE.has(node.name)
        if (apart) parts.push(' ')
        visit(node.children)
        if (apart) parts.push(' ')
      }
    }
  }
  visit(element.children)
  return parts.join('').replace(/\s+/g, ' ').trim()
}

/** The URL an element carries, absolute where that is possible. */
export function elementUrl(element: Element, baseUrl: string): string | null {
  const name = URL_ATTRIBUTES.get(element.name)
  const value = name === undefined ? undefined : element.attribs[name]
  return value === undefined ? null : absoluteUrl(value, baseUrl)
}

export function absoluteUrl(href: string, baseUrl: string): string {
  try {
    return new URL(href.trim(), baseUrl).href
  } catch {
    return href.trim()
  }
}

/** Elements by their id, for references inside the page. */
export function indexIds(dom: Document): Map<string, Element> {
  const ids = new Map<string, Element>()
  const open: ChildNode[] = [...dom.children]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isTag(node)) continue
    const id = node.attribs['id']
    if (id !== undefined) ids.set(id, node)
    for (const child of node.children) open.push(child)
  }
  return ids
}
