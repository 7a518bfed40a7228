import { isTag, isText, type AnyNode, type Element } from 'domhandler'

const SILENT = new Set(['script', 'style', 'noscript', 'template'])

/** The text inside an element up to a limit, white space folded. Without recursion: pages nest very deep. */
export function textOf(element: Element, limit = 500): string {
  const parts: string[] = []
  let length = 0
  const pending: AnyNode[] = [element]
  for (let node = pending.pop(); node !== undefined && length < limit; node = pending.pop()) {
    if (isText(node)) {
      parts.push(node.data)
      length += node.data.length
    } else if (isTag(node) && !SILENT.has(node.name)) {
      parts.push(' ')
      for (let at = node.children.length - 1; at >= 0; at -= 1) {
        const child = node.children[at]
        if (child !== undefined) pending.push(child)
      }
    }
  }
  return parts.join('').replace(/\s+/g, ' ').trim().slice(0, limit)
}

export function parentOf(element: Element): Element | null {
  return element.parent !== null && isTag(element.parent) ? element.parent : null
}
