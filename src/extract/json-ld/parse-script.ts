import { decodeHTML } from 'entities'
import { parseTolerantJson } from './tolerant-json.ts'

const MAX_CHARS = 8_000_000

/** The JSON values of one script, repaired where that takes little imagination. */
export function parseJsonScript(text: string): { values: unknown[]; repaired: boolean } {
  if (text.length > MAX_CHARS) return { values: [], repaired: false }
  const strict = tryParse(text)
  if (strict !== undefined) return { values: [strict], repaired: false }
  const bare = unwrap(text)
  const unwrapped = tryParse(bare)
  return { values: unwrapped === undefined ? parseTolerantJson(bare) : [unwrapped], repaired: true }
}

function tryParse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // Some sites encode twice.
    return typeof value === 'string' && /^\s*[{[]/.test(value) ? JSON.parse(value) : value
  } catch {
    return undefined
  }
}

/** Takes off what surrounds JSON in templates: CDATA and comment marks, escaping of the whole text. */
function unwrap(text: string): string {
  let bare = text
    .replace(/(?:\/\/|\/\*)?\s{0,20}<!\[CDATA\[\s{0,20}(?:\*\/)?/g, ' ')
    .replace(/(?:\/\/|\/\*)?\s{0,20}\]\]>\s{0,20}(?:\*\/)?/g, ' ')
    .trim()
  if (/^<!--[^{[]{0,20}[{[]/.test(bare)) bare = bare.slice(4).replace(/-->\s*$/, '')
  if (/^[{[]\s*(?:[{[]\s*)?&(?:quot|#34|#x22);/i.test(bare)) bare = decodeHTML(bare)
  if (/^[{[]\s*\\+"/.test(bare)) bare = bare.replace(/\\+"/g, '"')
  return bare
}
