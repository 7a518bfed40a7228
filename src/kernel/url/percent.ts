// Percent-encoding with one spelling per meaning (RFC 3986, 6.2.2).

const HEX = /^[0-9A-Fa-f]{2}$/
const UNRESERVED = /[A-Za-z0-9\-._~]/
const NOT_ALLOWED_IN_PATH = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu
const NOT_PLAIN_IN_QUERY = /[^A-Za-z0-9\-._~!$'()*,;:@/?%]/gu

/** Decodes what never needs escaping, escapes what always does; `%2F` and `/` stay different. */
export function normalizePath(path: string): string {
  return normalizeEscapes(path).replace(NOT_ALLOWED_IN_PATH, encodeURIComponent)
}

/** A name or value of a query: servers read these decoded, so `%3A` and `:` or `+` and `%20` are one. */
export function normalizeQueryPart(part: string): string {
  return normalizeEscapes(part.replaceAll('+', '%20'))
    .replace(/%(?:21|24|27|28|29|2A|2C|3B|3A|40|2F|3F)/g, decodeByte)
    .replace(NOT_PLAIN_IN_QUERY, encodeURIComponent)
}

/**
 * Decodes escaped unreserved characters, writes the other escapes in upper case and escapes a `%` that starts
 * none. A decoded digit can complete an escape before it, so each is looked at again: one pass, linear time.
 */
function normalizeEscapes(text: string): string {
  if (!text.includes('%')) return text
  const out: string[] = []
  for (const char of text) {
    out.push(char)
    for (let code = escapeAtEnd(out); code !== null; code = escapeAtEnd(out)) {
      const decoded = String.fromCharCode(Number.parseInt(code, 16))
      out.length -= 3
      if (!UNRESERVED.test(decoded)) {
        out.push(`%${code.toUpperCase()}`)
        break
      }
      out.push(decoded)
    }
  }
  return out.map((piece) => (piece === '%' ? '%25' : piece)).join('')
}

function escapeAtEnd(out: string[]): string | null {
  if (out.at(-3) !== '%') return null
  const code = `${out.at(-2)}${out.at(-1)}`
  return HEX.test(code) ? code : null
}

function decodeByte(escape: string): string {
  return String.fromCharCode(Number.parseInt(escape.slice(1), 16))
}
