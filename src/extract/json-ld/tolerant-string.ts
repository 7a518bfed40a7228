export interface ReadString {
  value: string
  end: number
}

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”“"'],
  ['”', '”“"'],
  ['„', '”“"'],
  ['‘', "’‘'"],
  ['’', "’‘'"],
])
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

// What follows a quote that really ends a text. Bounded looks ahead keep the whole read linear.
const AFTER_KEY = /\s{0,200}(?::|=>)/y
const AFTER_VALUE =
  /[\s;]{0,200}(?:$|[}\]]|\/[/*]|,[\s,]{0,200}(?:$|[}\]{[]|\/[/*]|["'“”„‘’]?[^"'“”„‘’:,{}[\]\n]{1,80}["'“”‘’]?\s{0,20}:|["'“”„‘’\d-]))/y
const AFTER_VALUE_NO_COMMA = /\s{0,80}\n\s{0,80}["'“„‘]?[@\w$-]{1,80}["'”’]?\s{0,20}:/y
const NEXT_IS_TEXT = /,\s{0,200}(["'“„‘])/y
const MAX_LOOKS = 60_000
const NEW_PAIR = /[@\w$:-]{1,60}["”]\s{0,20}:/y

export function isQuote(c: string): boolean {
  return CLOSERS.has(c)
}

/** Reads texts whose inner quotes may be unescaped: a quote ends a text only where JSON goes on after it. */
export function createStringReader(
  text: string,
): (start: number, role: 'key' | 'value') => ReadString {
  let looks = MAX_LOOKS
  return (start, role) => {
    const closers = CLOSERS.get(text[start] ?? '') ?? '"'
    let value = ''
    let from = start + 1
    let lineStart = -1
    let at = from
    for (; at < text.length; at++) {
      const c = text[at] ?? ''
      if (c === '\\') {
        const escape = readEscape(text, at)
        value += text.slice(from, at) + escape.value
        at = escape.end - 1
        from = escape.end
      } else if (c === '\n') {
        lineStart = at
      } else if (closers.includes(c)) {
        // Texts that still look broken after so many quotes are not worth a look ahead at each.
        if (looks-- <= 0) return { value: value + text.slice(from, at), end: at + 1 }
        const isEnd = role === 'key' ? matches(AFTER_KEY, text, at + 1) : endsValue(text, at)
        if (isEnd) {
          return { value: value + text.slice(from, at), end: at + 1 }
        }
        // A line that begins with `"key":` while a text is open: its closing quote is missing.
        if (lineStart >= from && isBlank(text, lineStart, at) && matches(NEW_PAIR, text, at + 1)) {
          const cut = (value + text.slice(from, lineStart)).trimEnd()
          return { value: cut.endsWith(',') ? cut.slice(0, -1) : cut, end: lineStart }
        }
        if (role === 'key' && at - start > 200) return { value: '', end: start + 1 }
      }
    }
    return { value: value + text.slice(from), end: text.length }
  }
}

function endsValue(text: string, at: number): boolean {
  if (matches(AFTER_VALUE_NO_COMMA, text, at + 1)) return true
  if (!matches(AFTER_VALUE, text, at + 1)) return false
  // `"a "b", "c" d"`: after the comma comes a text, which ends this one only if it is an element or a key itself.
  NEXT_IS_TEXT.lastIndex = at + 1
  const next = NEXT_IS_TEXT.exec(text)
  if (next === null) return true
  const inner = NEXT_IS_TEXT.lastIndex
  const length = text.slice(inner, inner + 2_000).indexOf(next[1] === '“' ? '”' : (next[1] ?? '"'))
  if (length < 0) return true
  const close = inner + length
  return /^\s{0,200}(?:$|[:,}\]\n])/.test(text.slice(close + 1, close + 210))
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

function isBlank(text: string, from: number, to: number): boolean {
  return to - from < 400 && text.slice(from, to).trim() === ''
}

function readEscape(text: string, at: number): ReadString {
  const c = text[at + 1] ?? ''
  if (c === 'u') {
    const hex = text.slice(at + 2, at + 6)
    if (/^[\da-fA-F]{4}$/.test(hex)) {
      return { value: String.fromCharCode(Number.parseInt(hex, 16)), end: at + 6 }
    }
  }
  return { value: ESCAPES[c] ?? c, end: at + 2 }
}
