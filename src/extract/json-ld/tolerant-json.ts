import { createStringReader, isQuote } from './tolerant-string.ts'

const MAX_DEPTH = 200
const BAREWORD = /[^\s,:{}[\]"'“”<;]{1,2000}/y
const BARE_VALUE = /[^,{}[\]"“”\n]{1,4000}/y
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['none', null],
  ['undefined', null],
  ['nan', null],
])

/**
 * Reads JSON the way it is found on pages: comments, missing and doubled commas, any quotes, unquoted
 * keys, unescaped quotes in texts, Python words, missing or extra brackets. Linear in the input;
 * returns every top-level object or array, and what there is when the text was cut off.
 */
export function parseTolerantJson(text: string): unknown[] {
  let at = 0
  const readString = createStringReader(text)
  const found: unknown[] = []

  for (;;) {
    skipBlanks()
    if (at >= text.length) return found
    const c = text[at]
    if (c === '{' || c === '[') found.push(readValue(0))
    else at++
  }

  function readValue(depth: number): unknown {
    const c = text[at]
    if (c === '{') return readObject(depth)
    if (c === '[') return readArray(depth)
    if (c !== undefined && isQuote(c)) {
      const read = readString(at, 'value')
      at = read.end
      return read.value
    }
    return readBare()
  }

  function readObject(depth: number): unknown {
    if (depth > MAX_DEPTH) return skipDeep()
    at++
    const object: Record<string, unknown> = {}
    for (;;) {
      skipBlanks()
      const c = text[at]
      if (c === undefined) return object
      if (c === '}') {
        at++
        return object
      }
      if (c === ']') return object
      if (c === ',' || c === ':') {
        at++
        continue
      }
      const key = readKey()
      if (key === null) {
        at++
        continue
      }
      skipBlanks()
      if (text[at] === ':' || text[at] === '=') at += text[at + 1] === '>' ? 2 : 1
      else if (!startsValue(text[at])) continue
      skipBlanks()
      const next = text[at]
      const value =
        next === undefined || next === ',' || next === '}' || next === ']'
          ? null
          : readValue(depth + 1)
      if (key !== '__proto__') object[key] = value
    }
  }

  function readArray(depth: number): unknown {
    if (depth > MAX_DEPTH) return skipDeep()
    at++
    const array: unknown[] = []
    for (;;) {
      skipBlanks()
      const c = text[at]
      if (c === undefined) return array
      if (c === ']') {
        at++
        return array
      }
      if (c === '}') return array
      if (c === ',' || c === ':') at++
      else array.push(readValue(depth + 1))
    }
  }

  function readKey(): string | null {
    const c = text[at] ?? ''
    if (isQuote(c)) {
      const read = readString(at, 'key')
      at = read.end
      return read.value.trim()
    }
    BAREWORD.lastIndex = at
    const word = BAREWORD.exec(text)?.[0]
    if (word === undefined) return null
    at += word.length
    // The quote that closes a key whose opening one is missing.
    if (isQuote(text[at] ?? '')) at++
    return word
  }

  function readBare(): unknown {
    BARE_VALUE.lastIndex = at
    const raw = BARE_VALUE.exec(text)?.[0]
    if (raw === undefined) {
      at++
      return null
    }
    at += raw.length
    // The quote that closes a text whose opening one is missing.
    if (isQuote(text[at] ?? '') && /^\s{0,80}(?:$|[,}\]\n])/.test(text.slice(at + 1, at + 90))) at++
    const word = raw.replace(/\/\/.*|\/\*.*?\*\//, '').trim()
    if (NUMBER.test(word)) return Number(word)
    const known = WORDS.get(word.toLowerCase())
    return known === undefined ? word : known
  }

  /** Past the depth anybody reads: steps over the bracket and leaves the content to be read flat. */
  function skipDeep(): null {
    at++
    return null
  }

  function skipBlanks(): void {
    for (;;) {
      const code = text.charCodeAt(at)
      if (code <= 0x20 || code === 0xa0 || code === 0xfeff || code === 0x3b || code === 0x200b) at++
      else if (code > 0x7f && /\s/.test(text[at] ?? '')) at++
      else if (code === 0x2f && text[at + 1] === '/') at = after('\n', at)
      else if (code === 0x2f && text[at + 1] === '*') at = after('*/', at)
      else if (code === 0x3c && text.startsWith('<!--', at)) at = after('-->', at)
      else return
    }
  }

  function after(mark: string, from: number): number {
    const found = text.indexOf(mark, from + 1)
    return found < 0 ? text.length : found + mark.length
  }
}

/** After a key without colon: a text or a bracket is its value. */
function startsValue(c: string | undefined): boolean {
  return c !== undefined && (c === '{' || c === '[' || c === '"' || c === '“')
}
