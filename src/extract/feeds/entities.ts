// Entities the feed's own DOCTYPE defines, and HTML's, which feeds use without defining them.
import { decodeHTML } from 'entities'

const MAX_ENTITIES = 200
const MAX_VALUE_CHARS = 500

/** Text entities of the DOCTYPE. Their values are never expanded again, so they cannot multiply. */
export function documentEntities(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const doctype = /<!DOCTYPE[^[>]*\[([\s\S]{0,50000}?)\]\s*>/i.exec(text.slice(0, 100_000))?.[1]
  if (doctype === undefined) return found
  for (const [, name, quoted] of doctype.matchAll(
    /<!ENTITY\s+([\w.:-]+)\s+("[^"]*"|'[^']*')\s*>/g,
  )) {
    if (name === undefined || quoted === undefined || found.size >= MAX_ENTITIES) break
    found.set(name, decodeHTML(quoted.slice(1, -1).slice(0, MAX_VALUE_CHARS)))
  }
  return found
}

/** Replaces named entities the XML parser left standing; unknown names stay as written. */
export function expandEntities(text: string, own: Map<string, string>): string {
  if (!text.includes('&')) return text
  return text.replace(/&([a-z][\w.:-]{0,31});/gi, (entity, name: string) => {
    if (/^(?:amp|lt|gt|quot|apos)$/.test(name)) return entity
    return own.get(name) ?? decodeHTML(entity)
  })
}
