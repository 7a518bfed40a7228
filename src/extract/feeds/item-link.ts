import { absoluteUrl } from './absolute-url.ts'
import type { Fields } from './fields.ts'
import { textOf, type XmlNode } from './xml.ts'

// Relations that never lead to the page of the item itself.
const ELSEWHERE =
  /^(?:self|edit|enclosure|replies|next|prev|first|last|hub|license|service|related|via|payment)/
const HTML = /^(?:text\/html|application\/xhtml)/

/** The page of an item: its link, else its permalink, else whatever address names it. */
export function itemLink(
  item: XmlNode,
  fields: Fields,
  baseUrl: string | undefined,
): string | null {
  const links = [...fields('link'), ...fields('atom:link')]
  const found = writtenLink(links) ?? bestReference(links)
  if (found) return absoluteUrl(found.address, baseOf(found.element, baseUrl))
  const permalink =
    fields('guid')
      .filter(isPermalink)
      .map((guid) => textOf(guid).trim())[0] ?? ''
  if (/^https?:\/\//i.test(permalink)) return permalink
  const source = fields('content').find(({ attributes }) => attributes['src'] !== undefined)
  if (source) return absoluteUrl(source.attributes['src'] ?? null, baseOf(source, baseUrl))
  return absoluteUrl(item.attributes['href'] ?? aboutAttribute(item), baseOf(item, baseUrl))
}

/** `rdf:about`, the name of an RSS 1.0 item. */
export function aboutAttribute(item: XmlNode): string | null {
  const entry = Object.entries(item.attributes).find(([name]) => /(?:^|:)about$/i.test(name))
  return entry?.[1].trim() || null
}

/** `xml:base` of the element and its ancestors, innermost last, on top of the feed's own address. */
export function baseOf(element: XmlNode, baseUrl: string | undefined): string | undefined {
  const bases: string[] = []
  for (let at: XmlNode | null = element; at; at = at.parent) {
    const base = at.attributes['xml:base']
    if (base !== undefined) bases.unshift(base)
  }
  return bases.reduce<string | undefined>(
    (outer, base) => absoluteUrl(base, outer) ?? outer,
    baseUrl,
  )
}

interface Found {
  element: XmlNode
  address: string
}

// RSS writes the address as text.
function writtenLink(links: XmlNode[]): Found | null {
  for (const element of links) {
    const address = textOf(element).trim()
    if (address !== '') return { element, address }
  }
  return null
}

// Atom has it in an attribute, among links to other things.
function bestReference(links: XmlNode[]): Found | null {
  const references = links.map((element) => ({
    element,
    address: element.attributes['href']?.trim() ?? '',
    relation: relationOf(element),
    html: HTML.test(element.attributes['type'] ?? 'text/html'),
  }))
  const usable = references.filter(({ address }) => address !== '')
  return (
    usable.find(({ relation, html }) => relation === 'alternate' && html) ??
    usable.find(({ relation }) => relation === 'alternate') ??
    usable.find(({ relation }) => !ELSEWHERE.test(relation)) ??
    null
  )
}

function relationOf({ attributes }: XmlNode): string {
  const relation = attributes['rel']?.trim().toLowerCase() || 'alternate'
  return relation.replace('http://www.iana.org/assignments/relation/', '')
}

function isPermalink({ attributes }: XmlNode): boolean {
  const entry = Object.entries(attributes).find(([name]) => name.toLowerCase() === 'ispermalink')
  return entry?.[1].trim().toLowerCase() !== 'false'
}
