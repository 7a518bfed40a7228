import { isTag, type ChildNode, type Document, type Element } from 'domhandler'
import { absoluteUrl, elementText, elementUrl } from '../schema-org/element-value.ts'
import { addValue, linkReferences, newThing, shortName, type Thing } from '../schema-org/thing.ts'

const MAX_ITEMS = 20_000
const MAX_TEXT = 30_000_000
// Sharing tags describe the page for other services and are no nodes of their own.
const FOREIGN_PREFIX = /^(?:og|fb|twitter|article|al|music|video|book|profile|place|product):/i
const LINKS = new Set(['a', 'area', 'link', 'form'])

interface Scope {
  subject: Thing | null
  /** Properties of `rel` waiting for the thing or link they point to. */
  pending: { subject: Thing; names: string[] } | null
  path: string
}

/** RDFa Lite and the common rest of RDFa (`about`, `rel`) as things; vocabularies are told apart by short name. */
export function readRdfa(dom: Document, baseUrl: string): Thing[] {
  const roots: Thing[] = []
  const byId = new Map<string, Thing>()
  let count = 0
  let textLeft = MAX_TEXT

  visit(dom.children, { subject: null, pending: null, path: '' })
  linkReferences(roots)
  return roots

  function visit(nodes: readonly ChildNode[], scope: Scope): void {
    for (const node of nodes) if (isTag(node)) visit(node.children, enter(node, scope))
  }

  function enter(element: Element, scope: Scope): Scope {
    const { attribs } = element
    const properties = names(attribs['property'])
    const relations = relationTerms(element)
    if (attribs['typeof'] !== undefined)
      return openThing(element, scope, [...properties, ...relations])

    const about = attribs['about']
    const subject =
      about === undefined ? scope.subject : (byId.get(absoluteUrl(about, baseUrl)) ?? scope.subject)
    if (subject === null) return scope
    if (properties.length > 0 && textLeft > 0) {
      const value = valueOf(element, baseUrl)
      textLeft -= value.length
      for (const name of properties) addValue(subject, name, value)
    }
    const target = attribs['resource'] ?? attribs['href'] ?? attribs['src']
    if (relations.length > 0) {
      if (target === undefined) return { ...scope, subject, pending: { subject, names: relations } }
      for (const name of relations) addValue(subject, name, absoluteUrl(target, baseUrl))
    }
    return subject === scope.subject ? scope : { ...scope, subject }
  }

  function openThing(element: Element, scope: Scope, properties: string[]): Scope {
    const { attribs } = element
    const types = (attribs['typeof'] ?? '').split(/\s+/).filter(Boolean).map(shortName)
    const reference =
      attribs['about'] ??
      attribs['resource'] ??
      (properties.length > 0 ? undefined : attribs['href'])
    const id = reference === undefined ? null : absoluteUrl(reference, baseUrl)
    const known = id === null ? undefined : byId.get(id)
    if (++count > MAX_ITEMS) return scope
    const step = properties[0] ?? `[typeof=${types[0] ?? ''}][${count}]`
    const thing = known ?? newThing('rdfa', scope.path === '' ? step : `${scope.path} ${step}`)
    thing.types = [...new Set([...thing.types, ...types])]
    thing.id = id
    if (id !== null) byId.set(id, thing)

    const holder = properties.length > 0 ? scope.subject : (scope.pending?.subject ?? null)
    const held = properties.length > 0 ? properties : (scope.pending?.names ?? [])
    if (holder !== null && holder !== thing && held.length > 0) {
      for (const name of held) addValue(holder, name, thing)
    } else if (known === undefined) roots.push(thing)
    return { subject: thing, pending: null, path: thing.path }
  }
}

function names(attribute: string | undefined): string[] {
  if (attribute === undefined) return []
  return attribute
    .split(/\s+/)
    .filter((name) => name !== '' && !FOREIGN_PREFIX.test(name))
    .map(shortName)
}

/** On links the attribute mostly holds relations such as `nofollow`; there only prefixed names are terms. */
function relationTerms(element: Element): string[] {
  const rel = element.attribs['rel']
  if (rel === undefined) return []
  return names(
    LINKS.has(element.name)
      ? rel
          .split(/\s+/)
          .filter((name) => name.includes(':'))
          .join(' ')
      : rel,
  )
}

function valueOf(element: Element, baseUrl: string): string {
  const { attribs, name } = element
  const literal =
    attribs['content'] ??
    (name === 'time' || name === 'data' ? (attribs['datetime'] ?? attribs['value']) : undefined)
  if (literal !== undefined) return literal.trim()
  if (attribs['resource'] !== undefined) return absoluteUrl(attribs['resource'], baseUrl)
  return elementUrl(element, baseUrl) ?? attribs['datetime']?.trim() ?? elementText(element)
}
