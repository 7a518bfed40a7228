const MAX_ROWS = 20_000
const MAX_NODES = 1_000_000
const DATE = /^\$D\d{4}-\d{2}-\d{2}/

/** The rows of React's flight format, by id, as Next.js' app router streams them into the page. */
export function readFlight(stream: string): Record<string, unknown> {
  const texts = new Map<string, string>()
  const rows = new Map<string, unknown>()
  let at = 0
  for (let count = 0; at < stream.length && count < MAX_ROWS; count++) {
    const colon = stream.indexOf(':', at)
    if (colon < 0) break
    const id = stream.slice(at, colon).trim()
    if (!/^[\da-f]*$/.test(id)) {
      at = nextLine(stream, at)
      continue
    }
    if (stream[colon + 1] === 'T') {
      const comma = stream.indexOf(',', colon)
      const bytes = Number.parseInt(stream.slice(colon + 2, comma), 16)
      if (comma < 0 || comma - colon > 12 || Number.isNaN(bytes)) {
        at = nextLine(stream, colon)
        continue
      }
      const end = afterBytes(stream, comma + 1, bytes)
      texts.set(id, stream.slice(comma + 1, end))
      at = end
      continue
    }
    const end = nextLine(stream, colon)
    const value = parseRow(stream.slice(colon + 1, end))
    if (value !== undefined) rows.set(id, value)
    at = end
  }
  return resolveRows(rows, texts)
}

function nextLine(stream: string, from: number): number {
  const end = stream.indexOf('\n', from)
  return end < 0 ? stream.length : end + 1
}

/** Text rows give their length in UTF-8 bytes. */
function afterBytes(stream: string, from: number, bytes: number): number {
  let at = from
  for (let left = bytes; left > 0 && at < stream.length; at++) {
    const code = stream.charCodeAt(at)
    if (code < 0x80) left -= 1
    else if (code < 0x800) left -= 2
    else if (code >= 0xd800 && code < 0xdc00) {
      left -= 4
      at++
    } else left -= 3
  }
  return at
}

function parseRow(row: string): unknown {
  const json = row.replace(/^[A-Z]{1,2}(?=[[{"])/, '').trim()
  if (json === '') return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Puts texts and plain values in the place of references; links between elements stay as they are written. */
function resolveRows(
  rows: ReadonlyMap<string, unknown>,
  texts: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const budget = { nodes: MAX_NODES }
  const resolved: Record<string, unknown> = {}
  for (const [id, text] of texts) resolved[id] = unfoldText(text)
  for (const [id, value] of rows) resolved[id] = resolve(value, texts, budget, 0)
  return resolved
}

function unfoldText(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function resolve(
  value: unknown,
  texts: ReadonlyMap<string, string>,
  budget: { nodes: number },
  depth: number,
): unknown {
  if (typeof value === 'string') return resolveText(value, texts)
  if (typeof value !== 'object' || value === null || depth > 200 || budget.nodes-- <= 0)
    return value
  if (Array.isArray(value)) return value.map((item) => resolve(item, texts, budget, depth + 1))
  const object: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key !== '__proto__') object[key] = resolve(inner, texts, budget, depth + 1)
  }
  return object
}

function resolveText(value: string, texts: ReadonlyMap<string, string>): unknown {
  if (!value.startsWith('$')) return value
  if (value.startsWith('$$')) return value.slice(1)
  if (DATE.test(value)) return value.slice(2)
  if (value === '$undefined') return null
  return texts.get(value.slice(1)) ?? value
}
