import { elements, textOf, type XmlNode } from './xml.ts'

/** Looks up an item's children by name, `title` in the item's own namespace or `dc:title` in another. */
export type Fields = (name: string) => XmlNode[]

export function fieldsOf(item: XmlNode): Fields {
  const byName = new Map<string, XmlNode[]>()
  for (const child of elements(item)) {
    const own = child.prefix === item.prefix || child.prefix === '' || child.prefix === 'rss'
    const name = own ? child.name : `${child.prefix}:${child.name}`
    const known = byName.get(name)
    if (known) known.push(child)
    else byName.set(name, [child])
  }
  return (name) => byName.get(name) ?? []
}

export function firstText(fields: Fields, names: string[]): string | null {
  for (const name of names) {
    const text = fields(name)
      .map((found) => textOf(found).trim())
      .find((value) => value !== '')
    if (text !== undefined) return text
  }
  return null
}
