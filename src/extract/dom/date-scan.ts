import { MONTH, WEEKDAY, monthNumber, weekdayNumber } from './calendar-words.ts'

/** A calendar date as it stands in a text: only the parts that were written. */
export interface WrittenDate {
  year: number | null
  month: number
  day: number
  endDay: number | null
  endMonth: number | null
  weekday: number | null
  /** One of several days in a row that share their month. */
  inRow?: boolean
  index: number
  length: number
}

const ORD = String.raw`(?:st|nd|rd|th|er|ste|de|e|º|ª)?`
const RANGE = String.raw`\s*(?:t\/m|tot en met|tot|bis|to|through|thru|until|au|al|&|and|en|und|et|[-–—/+])\s*`
const YEAR = String.raw`((?:19|20)\d{2}(?!\d)|['’]\d{2}(?!\d))`
const DAY = String.raw`(\d{1,2})${ORD}`
const WD = String.raw`(?:(${WEEKDAY})\.?,?\s+(?:the\s+|den\s+|de\s+|le\s+)?)?`
const B = String.raw`(?<![\p{L}\p{N}/.$€#-])`

const MONTH_FIRST = new RegExp(
  String.raw`${B}${WD}(${MONTH})\.?\s*(?:the\s+)?${DAY}(?![\p{L}\p{N}:]|[.,]\d(?!\d{3}))(?:${RANGE}(?:(${MONTH})\.?\s*)?(\d{1,2})${ORD}(?![\p{L}\p{N}:]|\s*[ap]\.?m|\/))?(?:\s*[,.]?\s*(?:of\s+)?(?:\(\w+\)\s*,?\s*)?${YEAR})?`,
  'giu',
)
const DAY_FIRST = new RegExp(
  String.raw`${B}${WD}${DAY}\.?(?:\s*(?:(${MONTH})\.?\s*)?(?:${YEAR}\s*)?${RANGE}(?:(?:${WEEKDAY})\.?\s+)?(\d{1,2})${ORD}\.?)?\s*(?:of\s+|de\s+|den\s+|-)?(${MONTH})(?![\p{L}])\.?(?:\s*[,.\-]?\s*(?:de\s+)?${YEAR})?`,
  'giu',
)
const ISO = /(?<![\d\-/.\p{L}])((?:19|20)\d{2})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/]\d)/giu
const NUMERIC = new RegExp(
  String.raw`(?<![\d\-/.\p{L}])(?:(${WEEKDAY})\.?,?\s+)?(\d{1,2})([-/.])(\d{1,2})\3((?:19|20)\d{2}|\d{2})(?!\d|[-/]\d|\.\d)`,
  'giu',
)
const NUMERIC_WEEKDAY = new RegExp(
  String.raw`(?<![\p{L}\d])(${WEEKDAY})\.?,?\s+(\d{1,2})\s?([-/])\s?(\d{1,2})(?![\d\-/:]|\.\d)`,
  'giu',
)
const NUMBERS = /\d\s?[-/.]\s?\d/
const WORDS = new RegExp(
  String.raw`\d.{0,14}?(?:${MONTH})|(?<!\p{L})(?:${MONTH})[^\p{L}\d]{0,5}(?:the )?\d`,
  'iu',
)
const UNTIL = /^\s*(?:t\/m|tot(?: en met)?|to|through|thru|until|bis|au|[-–—])\s*$/iu
const MAX_CHARS = 4000
const MAX_RECENT = 2000

/** Every calendar date written in a text, in order. Relative words ("tomorrow") are left to the date grammar. */
export function scanDates(text: string, lang: string | null): WrittenDate[] {
  if (!/\d/.test(text)) return []
  const key = `${lang ?? ''}|${text}`
  const known = recent.get(key)
  if (known !== undefined) return known
  const found = scan(text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text, lang)
  if (recent.size >= MAX_RECENT) recent.clear()
  recent.set(key, found)
  return found
}

// The same line is read for its date, its title and its place.
const recent = new Map<string, WrittenDate[]>()

function scan(line: string, lang: string | null): WrittenDate[] {
  const hasNumbers = NUMBERS.test(line)
  const hasWords = WORDS.test(line)
  if (!hasNumbers && !hasWords) return []
  const found = [
    ...(hasNumbers ? collect(line, ISO, iso) : []),
    ...(hasNumbers ? collect(line, NUMERIC, (match) => numeric(match, lang)) : []),
    ...(hasWords ? collect(line, MONTH_FIRST, monthFirst) : []),
    ...(hasWords ? collect(line, DAY_FIRST, dayFirst) : []),
    ...(hasNumbers ? collect(line, NUMERIC_WEEKDAY, (match) => numericWeekday(match, lang)) : []),
  ]
  return joinRanges(line, withoutOverlaps(found.filter(isPossible)))
}

function collect(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => Omit<WrittenDate, 'index' | 'length'> | null,
): WrittenDate[] {
  const found: WrittenDate[] = []
  for (const match of text.matchAll(pattern)) {
    const date = read(match)
    if (date !== null)
      found.push({ ...date, index: match.index, length: match[0].trimEnd().length })
  }
  return found
}

function iso(match: RegExpExecArray): Omit<WrittenDate, 'index' | 'length'> {
  return plain(Number(match[1]), Number(match[3]), Number(match[4]), null)
}

function monthFirst(match: RegExpExecArray): Omit<WrittenDate, 'index' | 'length'> | null {
  const [, weekday, month, day, endMonth, endDay, year] = match
  const number = monthNumber(month ?? '')
  if (number === null) return null
  return {
    ...plain(yearOf(year), number, Number(day), weekday),
    endDay: endDay === undefined ? null : Number(endDay),
    endMonth: endMonth === undefined ? null : monthNumber(endMonth),
  }
}

function dayFirst(match: RegExpExecArray): Omit<WrittenDate, 'index' | 'length'> | null {
  const [, weekday, day, firstMonth, firstYear, endDay, month, year] = match
  const last = monthNumber(month ?? '')
  if (last === null) return null
  const first = firstMonth === undefined ? last : (monthNumber(firstMonth) ?? last)
  const lastYear = yearOf(year)
  const crossesYear = firstYear === undefined && first > last
  const startYear =
    yearOf(firstYear) ?? (lastYear === null ? null : lastYear - (crossesYear ? 1 : 0))
  return {
    ...plain(startYear, first, Number(day), weekday),
    endDay: endDay === undefined ? null : Number(endDay),
    endMonth: endDay === undefined || first === last ? null : last,
  }
}

function numeric(
  match: RegExpExecArray,
  lang: string | null,
): Omit<WrittenDate, 'index' | 'length'> | null {
  const [, weekday, a, , b, year] = match
  const short = Number(year)
  const full = year?.length === 4 ? short : short < 70 ? 2000 + short : 1900 + short
  return ordered(Number(a), Number(b), full, weekday, lang)
}

function numericWeekday(
  match: RegExpExecArray,
  lang: string | null,
): Omit<WrittenDate, 'index' | 'length'> | null {
  const [, weekday, a, , b] = match
  return ordered(Number(a), Number(b), null, weekday, lang)
}

// English pages write the month first; a number over 12 settles it either way.
function ordered(
  a: number,
  b: number,
  year: number | null,
  weekday: string | undefined,
  lang: string | null,
): Omit<WrittenDate, 'index' | 'length'> {
  const monthIsFirst = (lang ?? 'nl').startsWith('en') ? a <= 12 : b > 12 && a <= 12
  return monthIsFirst ? plain(year, a, b, weekday) : plain(year, b, a, weekday)
}

function plain(
  year: number | null,
  month: number,
  day: number,
  weekday: string | null | undefined,
): Omit<WrittenDate, 'index' | 'length'> {
  const dayOfWeek = weekday === null || weekday === undefined ? null : weekdayNumber(weekday)
  return { year, month, day, endDay: null, endMonth: null, weekday: dayOfWeek }
}

function yearOf(text: string | undefined): number | null {
  if (text === undefined) return null
  return /^\d/.test(text) ? Number(text) : 2000 + Number(text.slice(1))
}

function isPossible(date: WrittenDate): boolean {
  const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][date.month - 1] ?? 0
  return date.day >= 1 && date.day <= days && (date.year === null || date.year >= 1980)
}

// "1/1/2026 to 3/31/2026" is one span.
function joinRanges(text: string, dates: WrittenDate[]): WrittenDate[] {
  const joined: WrittenDate[] = []
  for (const date of dates) {
    const before = joined.at(-1)
    const between = before === undefined ? '' : text.slice(before.index + before.length, date.index)
    const isRange = before !== undefined && before.endDay === null && UNTIL.test(between)
    const spansYears = (date.year ?? 0) - (before?.year ?? 0) > 1
    if (isRange && before !== undefined && !spansYears)
      joined[joined.length - 1] = {
        ...before,
        year: before.year ?? date.year,
        endDay: date.day,
        endMonth: date.month,
        length: date.index + date.length - before.index,
      }
    else joined.push(date)
  }
  return joined
}

// Readings of the same spot: the first one wins, then the longest.
function withoutOverlaps(found: WrittenDate[]): WrittenDate[] {
  const kept: WrittenDate[] = []
  const ends = (date: WrittenDate): number => date.index + date.length
  for (const date of found.toSorted((a, b) => a.index - b.index || b.length - a.length))
    if (!kept.some((other) => date.index < ends(other) && other.index < ends(date))) kept.push(date)
  return kept.toSorted((a, b) => a.index - b.index)
}
