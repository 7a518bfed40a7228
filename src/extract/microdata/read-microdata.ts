import { isTag, type ChildNode, type Document, type Element } from 'domhandler'
import { elementText, elementUrl, indexIds } from '../schema-org/element-value.ts'
import { addValue, linkReferences, newThing, shortName, type Thing } from '../schema-org/thing.ts'

const MAX_ITEMS = 20_000
// References may visit an element again and again, nested properties read a text again and again.
const MAX_VISITS = 2_000_000
const MAX_TEXT = 30_000_000

/** All microdata items of a page, nested as they stand, with `itemref` followed. */
export function readMicrodata(dom: Document, baseUrl: string): Thing[] {
  const roots: Thing[] = []
  let count = 0
  let visits = 0
  let textLeft = MAX_TEXT
  let byId: Map<string, Element> | undefined
  /** An element pulled in by `itemref` belongs to whoever refers to it, not to where it stands. */
  const open = new Set<Element>()

  visit(dom.children, null, '')
  linkReferences(roots)
  return roots

  function visit(nodes: readonly ChildNode[], owner: Thing | null, path: string): void {
    for (const node of nodes) if (isTag(node)) visitElement(node, owner, path)
  }

  function visitElement(element: Element, owner: Thing | null, path: string): void {
    if (++visits > MAX_VISITS) return
    const { itemscope, itemprop } = element.attribs
    const names = itemprop === undefined ? [] : propertyNames(itemprop)
    if (itemscope === undefined && element.attribs['itemtype'] === undefined) {
      if (owner !== null && names.length > 0 && textLeft > 0) {
        const value = valueOf(element, baseUrl)
        textLeft -= value.length
        for (const name of names) addValue(owner, name, value)
      }
      visit(element.children, owner, path)
      return
    }
    if (++count > MAX_ITEMS) return
    const thing = openItem(element, path, names, owner)
    visit(element.children, thing, thing.path)
    followReferences(element, thing)
  }

  function openItem(element: Element, path: string, names: string[], owner: Thing | null): Thing {
    const types = (element.attribs['itemtype'] ?? '').split(/\s+/).filter(Boolean).map(shortName)
    const step = `[itemtype=${types[0] ?? ''}]`
    const thing = newThing(
      'microdata',
      path === '' ? `${step}[${count}]` : `${path} ${names[0] ?? step}`,
    )
    thing.types = types
    thing.id = element.attribs['itemid']?.trim() ?? null
    if (owner !== null && names.length > 0) for (const name of names) addValue(owner, name, thing)
    else roots.push(thing)
    return thing
  }

  function followReferences(element: Element, thing: Thing): void {
    const references = element.attribs['itemref']?.split(/\s+/).filter(Boolean) ?? []
    if (references.length === 0 || open.has(element)) return
    open.add(element)
    byId ??= indexIds(dom)
    for (const id of references.slice(0, 50)) {
      const target = byId.get(id)
      if (target !== undefined && !open.has(target)) {
        open.add(target)
        visitElement(target, thing, thing.path)
        open.delete(target)
      }
    }
    open.delete(element)
  }
}

function propertyNames(itemprop: string): string[] {
  return itemprop.split(/\s+/).filter(Boolean).map(shortName)
}

function valueOf(element: Element, baseUrl: string): string {
  const { attribs, name } = element
  if (name === 'meta') return (attribs['content'] ?? '').trim()
  if (name === 'time')
    return (attribs['datetime'] ?? attribs['content'] ?? elementText(element)).trim()
  if (name === 'data' || name === 'meter') return attribs['value'] ?? elementText(element)
  return (
    attribs['content']?.trim() ??
    attribs['datetime']?.trim() ??
    elementUrl(element, baseUrl) ??
    elementText(element)
  )
}
