import { civilOf, dayNumber, daysInMonth } from './calendar.ts'
import {
  type Context,
  day,
  type DayValue,
  isMark,
  isWord,
  type Parsed,
  skipArticles,
  skipOf,
  spanOf,
  tokenAt,
} from './context.ts'
import { readTrailingYear } from './day-absolute.ts'
import { readNumber, readYear } from './numbers.ts'
import { readContainer } from './containers.ts'

/** "Q2", "2016 H2", "K3 dit jaar", "the first quarter of 2017", "2016 het derde kwartaal". */
export function readHalfOrQuarter(c: Context, i: number): Parsed<DayValue> | null {
  const lead = readYearLead(c, i)
  const piece = readPiece(c, skipArticles(c, lead?.next ?? i))
  if (piece === null) return null
  const tail = lead === null ? readYearTail(c, piece.next) : null
  const { y } = civilOf(c.ref)
  const { first, size } = piece.value
  const start = (year: number): number => dayNumber(year, first, 1)
  const said = lead?.value ?? tail?.value
  const year = said ?? (start(y) >= c.ref ? y : y + 1)
  const lastMonth = first + size - 1
  return {
    value: day(
      spanOf(start(year), dayNumber(year, lastMonth, daysInMonth(year, lastMonth)), 'quarter'),
      said === undefined ? 0.2 : 0.4,
    ),
    next: lead === null ? (tail?.next ?? afterPlainYear(c, piece.next)) : piece.next,
  }
}

/** "the 1990s", "jaren '90", "90s", "21st century". A decade without a century is the next one. */
export function readDecade(c: Context, i: number): Parsed<DayValue> | null {
  const j = skipArticles(c, i)
  const century = readNumber(c, j)
  if (
    century !== null &&
    century.value.ordinal &&
    tokenAt(c, century.next).means.unit === 'century'
  ) {
    const from = (century.value.value - 1) * 100
    return { value: years(from, 100), next: century.next + 1 }
  }
  if (isWord(c, j, 'jaren')) {
    const number = readYear(c, j + 1)
    if (number !== null && number.value % 10 === 0 && tokenAt(c, j + 1).text.length === 4)
      return { value: years(number.value, 10), next: number.next }
    if (number !== null && tokenAt(c, j + 1).kind === 'word')
      return { value: years(number.value, 10), next: number.next }
    const token = tokenAt(c, j + 1)
    const value = token.kind === 'number' ? token.value : token.means.cardinal
    if (value === undefined || value % 10 !== 0 || value > 90) return null
    return { value: years(aheadDecade(c, value), 10), next: j + 2 }
  }
  const token = tokenAt(c, j)
  if (token.kind !== 'number' || token.value % 10 !== 0) return null
  const next = isMark(c, j + 1, "'") ? j + 2 : j + 1
  if (!isWord(c, next, 's', "'s")) return null
  if (token.text.length === 4) return { value: years(token.value, 10), next: next + 1 }
  return token.value < 100
    ? { value: years(aheadDecade(c, token.value), 10), next: next + 1 }
    : null
}

function readPiece(c: Context, i: number): Parsed<{ first: number; size: number }> | null {
  const token = tokenAt(c, i)
  const number = tokenAt(c, i + 1)
  if (
    token.kind === 'word' &&
    number.kind === 'number' &&
    !number.spaced &&
    number.text.length === 1
  ) {
    if (
      (token.text === 'q' || (token.text === 'k' && c.lang === 'nl')) &&
      number.value >= 1 &&
      number.value <= 4
    ) {
      return { value: { first: number.value * 3 - 2, size: 3 }, next: i + 2 }
    }
    if (token.text === 'h' && number.value >= 1 && number.value <= 2) {
      return { value: { first: number.value * 6 - 5, size: 6 }, next: i + 2 }
    }
  }
  const nth = readNumber(c, i)
  if (nth === null || !nth.value.ordinal || nth.value.value > 4) return null
  if (tokenAt(c, nth.next).means.unit === 'quarter')
    return { value: { first: nth.value.value * 3 - 2, size: 3 }, next: nth.next + 1 }
  return null
}

function readYearLead(c: Context, i: number): Parsed<number> | null {
  const year = readYear(c, i)
  if (year !== null)
    return { value: year.value, next: isMark(c, year.next, '-') ? year.next + 1 : year.next }
  return tokenAt(c, i).means.which === undefined ? null : whichYear(c, i)
}

function readYearTail(c: Context, i: number): Parsed<number> | null {
  const year = readTrailingYear(c, i)
  if (year !== null) return year
  const j = skipOf(c, i)
  return tokenAt(c, j).means.which === undefined ? null : whichYear(c, j)
}

/** "of the year" names no year: the quarter ahead is meant. */
function afterPlainYear(c: Context, i: number): number {
  const j = skipOf(c, i)
  return j > i && tokenAt(c, j).means.unit === 'year' ? j + 1 : i
}

function whichYear(c: Context, i: number): Parsed<number> | null {
  const container = readContainer(c, i)
  if (container === null || container.value.grain !== 'year') return null
  return { value: civilOf(container.value.from).y, next: container.next }
}

function aheadDecade(c: Context, value: number): number {
  const { y } = civilOf(c.ref)
  const candidate = y - (y % 100) + value
  return candidate + 9 < y ? candidate + 100 : candidate
}

function years(from: number, count: number): DayValue {
  return day(spanOf(dayNumber(from, 1, 1), dayNumber(from + count - 1, 12, 31), 'decade'), 0.3)
}
