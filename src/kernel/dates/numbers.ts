import { type Context, isMark, isWord, type Parsed, tokenAt } from './context.ts'

export interface NumberValue {
  value: number
  ordinal: boolean
  /** Written out in letters. */
  spelled: boolean
}

const SUFFIX = new Set(['st', 'nd', 'rd', 'th', 'e', 'ste', 'de', 'er', 'eme'])

/** "15", "15th", "21ste", "twenty-first", "eenentwintig". */
export function readNumber(c: Context, i: number): Parsed<NumberValue> | null {
  const token = tokenAt(c, i)
  if (token.kind === 'number') {
    if (token.text.startsWith("'")) return null
    const suffix = tokenAt(c, i + 1)
    const ordinal = SUFFIX.has(suffix.text) && (!suffix.spaced || suffix.text === 'ste')
    return { value: { value: token.value, ordinal, spelled: false }, next: ordinal ? i + 2 : i + 1 }
  }
  const { cardinal, ordinal } = token.means
  if (ordinal !== undefined) return spelled(ordinal, true, i + 1)
  if (cardinal === undefined) return null
  if (c.lang === 'en' && cardinal >= 20 && cardinal <= 90) {
    const dashed = isMark(c, i + 1, '-') ? i + 2 : i + 1
    const one = tokenAt(c, dashed).means
    if (one.cardinal !== undefined && one.cardinal >= 1 && one.cardinal <= 9) {
      return spelled(cardinal + one.cardinal, false, dashed + 1)
    }
    if (one.ordinal !== undefined && one.ordinal >= 1 && one.ordinal <= 9) {
      return spelled(cardinal + one.ordinal, true, dashed + 1)
    }
  }
  return spelled(cardinal, false, i + 1)
}

/** A day of the month. */
export function readDayOfMonth(c: Context, i: number): Parsed<NumberValue> | null {
  const number = readNumber(c, i)
  if (number === null || number.value.value < 1 || number.value.value > 31) return null
  const token = tokenAt(c, i)
  return token.kind === 'number' && token.text.length > 2 ? null : number
}

/** "2026", "'26", "2555 BE", "nineteen ninety nine", "tweeduizend achttien". */
export function readYear(c: Context, i: number): Parsed<number> | null {
  const token = tokenAt(c, i)
  if (token.kind === 'number') {
    if (token.text.startsWith("'")) return { value: fullYear(token.value, c), next: i + 1 }
    if (token.text.length !== 4 || token.value < 1000 || token.value > 2999) return null
    if (isWord(c, i + 1, 'be')) return { value: token.value - 543, next: i + 2 }
    return { value: token.value, next: i + 1 }
  }
  return token.kind === 'word' ? spelledYear(c, i) : null
}

/** A two-digit year lies between seventy years back and thirty ahead. */
export function fullYear(value: number, c: Context): number {
  if (value > 99) return value
  const now = 1970 + Math.floor(c.ref / 365.2425)
  const century = now - (now % 100)
  const candidate = century + value
  if (candidate > now + 30) return candidate - 100
  return candidate < now - 70 ? candidate + 100 : candidate
}

function spelledYear(c: Context, i: number): Parsed<number> | null {
  if (isWord(c, i, 'tweeduizend')) return plusRest(c, 2000, i + 1)
  if (isWord(c, i, 'two') && isWord(c, i + 1, 'thousand')) return plusRest(c, 2000, i + 2)
  const century = tokenAt(c, i).means.cardinal
  if (century === undefined || century < 18 || century > 20) return null
  if (isWord(c, i + 1, 'hundred', 'honderd')) return plusRest(c, century * 100, i + 2)
  const rest = readNumber(c, i + 1)
  if (rest === null || !rest.value.spelled || rest.value.ordinal) return null
  if (rest.value.value < 10 || rest.value.value > 99) return null
  return { value: century * 100 + rest.value.value, next: rest.next }
}

function plusRest(c: Context, base: number, i: number): Parsed<number> {
  const j = isWord(c, i, 'and', 'en') ? i + 1 : i
  const rest = readNumber(c, j)
  const fits = rest !== null && rest.value.spelled && !rest.value.ordinal && rest.value.value < 100
  return fits ? { value: base + rest.value.value, next: rest.next } : { value: base, next: i }
}

function spelled(value: number, ordinal: boolean, next: number): Parsed<NumberValue> {
  return { value: { value, ordinal, spelled: true }, next }
}
