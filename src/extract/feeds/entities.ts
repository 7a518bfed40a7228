// Entities the feed's own DOCTYPE defines, and HTML's, which feeds use without defining them.
import { decodeHTML } from 'entities'

const MAX_ENTITIES = 200
const MAX_EXPANDED_CHARS = 1_000_000

/**
 * Makes the function that replaces named entities the XML parser left standing; unknown names stay as written.
 * A value is never expanded again and all of them together have a budget, so entities cannot multiply.
 */
export function entityExpander(text: string): (raw: string) => string {
  const own = documentEntities(text)
  let expandedChars = 0
  const replacement = (entity: string, name: string): string => {
    if (/^(?:amp|lt|gt|quot|apos)$/.test(name)) return entity
    const value = own.get(name)
    if (value === undefined) return decodeHTML(entity)
    expandedChars += value.length
    return expandedChars > MAX_EXPANDED_CHARS ? '' : value
  }
  return (raw) => (raw.includes('&') ? raw.replace(/&([a-z][\w.:-]{0,31});/gi, replacement) : raw)
}

function documentEntities(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const start = text.slice(0, 10_000).search(/<!DOCTYPE/i)
  if (start === -1) return found
  const subset = /^[^[>]*\[([\s\S]*?)\]\s*>/.exec(text.slice(start, start + 50_000))?.[1] ?? ''
  const declaration = /<!ENTITY\s+([\w.:-]{1,32})\s+(?:"([^"]{0,500})"|'([^']{0,500})')\s*>/g
  for (const [, name = '', double, single] of subset.matchAll(declaration)) {
    if (found.size >= MAX_ENTITIES) break
    found.set(name, decodeHTML(double ?? single ?? ''))
  }
  return found
}
