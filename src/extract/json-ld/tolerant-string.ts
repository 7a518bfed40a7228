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
const AFTER_VALUE_NEW_KEY = /\s{0,80}["“][@\w$:-]{1,80}["”]\s{0,20}:/y
const AFTER_KEY_NO_COLON = /\s{0,80}(?:[{[]|["“](?![^"”\n]{0,200}["”]\s{0,20}:))/y
const KEY_NAME = /^[@\w$:./-]{1,60}$/
const KEY_AND_COLON = /^([@\w$-]{1,60})\s{0,20}:[\s{[]{0,100}$/
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
        if (role === 'key') {
          const key = endsKey(text, start, at, value + text.slice(from, at))
          if (key !== null) return key
        } else if (endsValue(text, at)) {
          return { value: value + text.slice(from, at), end: at + 1 }
        } else if (matches(NEW_PAIR, text, at + 1)) {
          const cut = unclosed(text, from, at, lineStart)
          if (cut >= 0) return { value: value + text.slice(from, cut), end: cut }
        }
        if (role === 'key' && at - start > 200) return { value: '', end: start + 1 }
      }
    }
    return { value: value + text.slice(from), end: text.length }
  }
}

function endsKey(text: string, start: number, at: number, content: string): ReadString | null {
  if (matches(AFTER_KEY, text, at + 1)) return { value: content, end: at + 1 }
  if (at - start > 200) return null
  if (KEY_NAME.test(content) && matches(AFTER_KEY_NO_COLON, text, at + 1))
    return { value: content, end: at + 1 }
  // `"name: "x"`: the key lacks its closing quote.
  const key = KEY_AND_COLON.exec(content)?.[1]
  return key === undefined ? null : { value: key, end: text.indexOf(':', start + 1 + key.length) }
}

/** Where a text without closing quote ends, when the quote at hand opens the next key: before a comma or at the end of a line. */
function unclosed(text: string, from: number, at: number, lineStart: number): number {
  let end = at
  while (end > from && at - end < 400 && /\s/.test(text[end - 1] ?? '')) end--
  if (text[end - 1] === ',') return end - 1
  return lineStart >= end ? end : -1
}

function endsValue(text: string, at: number): boolean {
  if (matches(AFTER_VALUE_NO_COMMA, text, at + 1) || matches(AFTER_VALUE_NEW_KEY, text, at + 1))
    return true
  if (!matches(AFTER_VALUE, text, at + 1)) return false
  // `"a "b", "c" d"`: after the comma comes a text, which ends this one only if it is an element or a key itself.
  NEXT_IS_TEXT.lastIndex = at + 1
  const next = NEXT_IS_TEXT.exec(text)
  if (next === null) return true
  const inner = NEXT_IS_TEXT.lastIndex
  const length = text.slice(inner, inner + 2_000).indexOf(next[1] === '“' ? '”' : (next[1] ?? '"'))
  if (length < 0) return true
  const close = inner + length
  const after = text.slice(close + 1, close + 210)
  if (/^\s{0,200}(?:$|[:,}\]\n])/.test(after)) return true
  const name = text.slice(inner, close)
  return KEY_AND_COLON.test(name) || (/^\s{0,80}["“{[]/.test(after) && KEY_NAME.test(name))
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
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
