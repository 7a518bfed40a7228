import { isTag, type ChildNode, type Document, type Element } from 'domhandler'
import { absoluteUrl, elementText, elementUrl, indexIds } from '../schema-org/element-value.ts'
import { addValue, newThing, type Thing } from '../schema-org/thing.ts'
import { dateValue, textValue, withDayOf } from './value-class.ts'
import { isRoot, propertiesOf, ROOTS, type PropertyRule } from './vocabulary.ts'

const MAX_ITEMS = 20_000
const MAX_VISITS = 2_000_000
const MAX_TEXT = 30_000_000
const MAX_IMPLIED_NAME = 300
const MODERN_PROPERTY = /^(?:p|u|dt|e)-[a-z]/

interface Scope {
  thing: Thing
  rules: ReadonlyMap<string, PropertyRule>
}

/** h-event, h-entry and their classic forms as things, with implied names and the include pattern. */
export function readMicroformats(dom: Document, baseUrl: string): Thing[] {
  const roots: Thing[] = []
  let count = 0
  let visits = 0
  let textLeft = MAX_TEXT
  const included = new Set<Element>()
  let byId: Map<string, Element> | undefined

  visit(dom.children, [])
  return roots.filter((thing) => thing.props.size > 0)

  function visit(nodes: readonly ChildNode[], scopes: readonly Scope[]): void {
    for (const node of nodes) if (isTag(node)) visitElement(node, scopes)
  }

  function visitElement(element: Element, scopes: readonly Scope[]): void {
    if (++visits > MAX_VISITS) return
    const classes = (element.attribs['class'] ?? '').split(/\s+/).filter(Boolean)
    const owner = scopes.at(-1)
    const found = classes.filter(isRoot)
    // A modern root hides the classic one that old themes keep beside it.
    const modern = found.filter((name) => name.startsWith('h-'))
    const root = (modern.length > 0 ? modern : found)[0]
    if (root === undefined) {
      if (owner !== undefined) readProperties(element, classes, owner)
      visit(element.children, include(element, classes, scopes))
      return
    }
    if (++count > MAX_ITEMS) return
    const thing = openRoot(element, root, owner)
    const held = owner === undefined ? [] : rulesOf(classes, owner)
    if (owner !== undefined && held.length > 0) {
      for (const rule of held) if (rule.kind === 'text') addValue(owner.thing, rule.name, thing)
    } else roots.push(thing)
    const own = { thing, rules: propertiesOf(root) }
    // A root may carry its own properties: `vevent vcard` with `fn summary url` inside.
    const inner =
      held.length > 0 || owner === undefined || root.startsWith('h-') ? [own] : [...scopes, own]
    visit(element.children, inner)
    for (const id of references(element)) bringIn(element, id, inner)
    finish(element, root, thing)
  }

  function openRoot(element: Element, root: string, owner: Scope | undefined): Thing {
    const thing = newThing(
      'microformats',
      `${owner === undefined ? '' : `${owner.thing.path} `}.${root}[${count}]`,
    )
    thing.types = [ROOTS.get(root) ?? root]
    thing.id = element.attribs['id'] ?? null
    return thing
  }

  function rulesOf(classes: readonly string[], scope: Scope): PropertyRule[] {
    return classes.flatMap((name) => scope.rules.get(name) ?? [])
  }

  function readProperties(element: Element, classes: readonly string[], scope: Scope): void {
    for (const rule of rulesOf(classes, scope)) {
      if (textLeft <= 0) return
      const value = valueOf(element, rule, scope.thing)
      textLeft -= value.length
      if (value !== '') addValue(scope.thing, rule.name, value)
    }
    const rel = element.attribs['rel']
    if (rel !== undefined && /\bbookmark\b/.test(rel) && !scope.thing.props.has('url')) {
      const url = elementUrl(element, baseUrl)
      if (url !== null) addValue(scope.thing, 'url', url)
    }
  }

  function valueOf(element: Element, rule: PropertyRule, thing: Thing): string {
    if (rule.kind === 'url') return elementUrl(element, baseUrl) ?? textValue(element)
    if (rule.kind === 'html') return elementText(element)
    if (rule.kind === 'text') return textValue(element)
    const start = thing.props.get('startDate')?.[0]
    return withDayOf(dateValue(element), typeof start === 'string' ? start : undefined)
  }

  /** `<object class="include" data="#id">` brings in the properties of another element. */
  function include(
    element: Element,
    classes: readonly string[],
    scopes: readonly Scope[],
  ): readonly Scope[] {
    const target = element.attribs['data'] ?? element.attribs['href']
    if (scopes.length > 0 && classes.includes('include') && target?.startsWith('#') === true) {
      bringIn(element, target.slice(1), scopes)
    }
    return scopes
  }

  function bringIn(element: Element, id: string, scopes: readonly Scope[]): void {
    byId ??= indexIds(dom)
    const other = byId.get(id)
    if (other === undefined || included.has(other) || isInside(element, other)) return
    included.add(other)
    visitElement(other, scopes)
    included.delete(other)
  }

  function finish(element: Element, root: string, thing: Thing): void {
    if (!root.startsWith('h-')) return
    if (textLeft > 0 && !thing.props.has('name') && !hasProperties(element)) {
      const name =
        element.attribs['alt'] ??
        (element.name === 'abbr' ? element.attribs['title'] : undefined) ??
        elementText(element)
      textLeft -= name.length
      if (name !== '' && name.length <= MAX_IMPLIED_NAME) addValue(thing, 'name', name)
    }
    const href = element.attribs['href']
    if (!thing.props.has('url') && href !== undefined)
      addValue(thing, 'url', absoluteUrl(href, baseUrl))
  }
}

/** Elements a root takes properties from beside its own: by `itemref`, or the headers of a table cell. */
function references(element: Element): string[] {
  const ids =
    element.attribs['itemref'] ?? (element.name === 'td' ? element.attribs['headers'] : undefined)
  return ids?.split(/\s+/).filter(Boolean).slice(0, 50) ?? []
}

function hasProperties(element: Element): boolean {
  return element.children.some(
    (node) =>
      isTag(node) &&
      ((node.attribs['class'] ?? '').split(/\s+/).some((name) => MODERN_PROPERTY.test(name)) ||
        hasProperties(node)),
  )
}

function isInside(element: Element, ancestor: Element): boolean {
  for (let node = element.parent; node !== null; node = node.parent)
    if (node === ancestor) return true
  return false
}
