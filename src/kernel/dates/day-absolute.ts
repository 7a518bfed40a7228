import { isCivil } from './calendar.ts'
import { readJoint } from './clock.ts'
import {
  type Context,
  type DayValue,
  isMark,
  isWord,
  type Parsed,
  type Part,
  skipArticles,
  skipOf,
  tokenAt,
} from './context.ts'
import type { PartOfDay } from './lexicon.ts'
import { fullYear, readDayOfMonth, readYear } from './numbers.ts'

/** Dates that name their day and month: "za 14 mrt '26", "20, 21 en 22 mei", "May 3-5, 2026", "14-03-2026". */
export function readAbsoluteDay(c: Context, i: number): Parsed<DayValue> | null {
  const announced = tokenAt(c, i).means.which !== undefined
  const lead = readWeekdayLead(c, announced ? i + 1 : i)
  if (announced && lead === null) return null
  const j = lead?.next ?? i
  const found =
    readDayThenMonth(c, j) ?? readNumericDate(c, j, lead !== null) ?? readMonthThenDay(c, j)
  if (found === null) return null
  if (lead === null) return found
  const { a, b, certainty } = found.value
  const value: DayValue = { a: { ...a, wd: lead.wd }, b, certainty: Math.max(certainty, 0.85) }
  if (lead.part !== undefined) value.part = lead.part
  return { value, next: found.next }
}

interface WeekdayLead {
  wd: number
  next: number
  part?: PartOfDay
}

/** "za", "za.", "zaterdag,", "Saturday the". */
export function readWeekdayLead(c: Context, i: number): WeekdayLead | null {
  const { weekday, plural } = tokenAt(c, i).means
  if (weekday === undefined || plural === true) return null
  let j = i + 1
  const part = tokenAt(c, j).spaced ? undefined : tokenAt(c, j).means.part
  if (part !== undefined) j++
  if (isMark(c, j, '.')) j++
  if (isMark(c, j, ',|')) j++
  j = skipArticles(c, tokenAt(c, j).text === 'den' ? j + 1 : j)
  return part === undefined ? { wd: weekday, next: j } : { wd: weekday, next: j, part }
}

function readNumericDate(c: Context, i: number, afterWeekday: boolean): Parsed<DayValue> | null {
  const first = tokenAt(c, i)
  if (first.kind !== 'number' || first.text.startsWith("'")) return null
  if (first.text.length === 8) return readCompact(c, i)
  const mark = tokenAt(c, i + 1)
  if (mark.kind !== 'mark' || !'-/.'.includes(mark.text)) return null
  const second = tokenAt(c, i + 2)
  const month = second.means.month
  if (second.kind !== 'number' && month === undefined) return null
  const third = tokenAt(c, i + 4)
  const closed = tokenAt(c, i + 3).text === mark.text && third.kind === 'number'
  const spread = mark.spaced || second.spaced || tokenAt(c, i + 3).spaced || third.spaced
  if (first.text.length === 4) {
    if (!closed || spread || third.text.length > 2) return null
    return whole(first.value, month ?? second.value, third.value, i + 5)
  }
  if (first.text.length > 2 || second.text.length > 9) return null
  if (closed && third.text.length === 4 && spread === third.spaced) {
    return numericTriple(
      c,
      first.value,
      month ?? second.value,
      third.value,
      mark.text,
      i + 5,
      month !== undefined,
    )
  }
  if (closed && !spread && (third.text.length === 2 || third.text.startsWith("'"))) {
    const nextMark = tokenAt(c, i + 5)
    const dateAgain =
      nextMark.text === mark.text && !nextMark.spaced && tokenAt(c, i + 6).kind === 'number'
    if (!dateAgain)
      return numericTriple(
        c,
        first.value,
        month ?? second.value,
        fullYear(third.value, c),
        mark.text,
        i + 5,
        month !== undefined,
      )
  }
  if (mark.spaced || second.spaced) return null
  return readDayMonthPair(c, i, afterWeekday)
}

/** "14/3", "op 14-3", "7.6", "2/okt": weak on its own, the year is not said. */
function readDayMonthPair(c: Context, i: number, afterWeekday: boolean): Parsed<DayValue> | null {
  const first = tokenAt(c, i)
  const mark = tokenAt(c, i + 1).text
  const second = tokenAt(c, i + 2)
  let next = i + 3
  if (second.means.month !== undefined) {
    if (isMark(c, next, '.')) next++
    return isCivil(2000, second.means.month, first.value)
      ? { value: value({ m: second.means.month, d: first.value }, 0.8), next }
      : null
  }
  if (second.text.length > 2 || (first.value === 24 && second.value === 7)) return null
  if (mark === '.' && second.text.length === 2 && !isMark(c, next, '.') && !afterWeekday)
    return null
  if (mark === '-' && c.lang === 'en') return null
  const follower = tokenAt(c, next)
  if (
    follower.means.unit !== undefined ||
    follower.means.meridiem !== undefined ||
    follower.text === ':'
  )
    return null
  if (mark === '.' && follower.text === '.' && !follower.spaced) next++
  const order = monthDay(c, first.value, second.value, 2000)
  if (order === null) return null
  const year = isMark(c, next, ',') ? readYear(c, next + 1) : null
  if (year !== null && mark !== '.')
    return { value: value({ ...order, y: year.value }, 0.9), next: year.next }
  const said = i > 0 && tokenAt(c, i - 1).means.glue === true && tokenAt(c, i - 1).kind === 'word'
  return { value: value(order, said ? 0.6 : mark === '/' ? 0.35 : 0.2), next }
}

function numericTriple(
  c: Context,
  first: number,
  second: number,
  y: number,
  mark: string,
  next: number,
  named: boolean,
): Parsed<DayValue> | null {
  if (y < 1000 || y > 2999) return null
  const order = named || mark === '.' ? dayMonth(first, second, y) : monthDay(c, first, second, y)
  if (order === null) return null
  return { value: value({ y, ...order }, 1), next }
}

/** Month first in English, day first elsewhere; the other way around when only that is a date. */
function monthDay(
  c: Context,
  first: number,
  second: number,
  y: number,
): { m: number; d: number } | null {
  if (!c.monthFirst) return dayMonth(first, second, y)
  if (isCivil(y, first, second)) return { m: first, d: second }
  return isCivil(y, second, first) ? { m: second, d: first } : null
}

function dayMonth(first: number, second: number, y: number): { m: number; d: number } | null {
  if (isCivil(y, second, first)) return { m: second, d: first }
  return isCivil(y, first, second) ? { m: first, d: second } : null
}

function readCompact(c: Context, i: number): Parsed<DayValue> | null {
  const digits = tokenAt(c, i).text
  const y = Number(digits.slice(0, 4))
  if (y < 1900 || y > 2100) return null
  const found = whole(y, Number(digits.slice(4, 6)), Number(digits.slice(6)), i + 1)
  return found === null ? null : { value: { ...found.value, certainty: 0.35 }, next: found.next }
}

/** "14 maart 2026", "13 t/m 15 maart", "20, 21 en 22 mei", "4 to 22 of January, 1995". */
function readDayThenMonth(c: Context, i: number): Parsed<DayValue> | null {
  const first = readDayOfMonth(c, i)
  if (first === null) return null
  let last = first.value.value
  let next =
    isMark(c, first.next, '.') && !tokenAt(c, first.next).spaced ? first.next + 1 : first.next
  let lastWeekday: number | undefined
  let joints = 0
  let closed = true
  while (joints < 40) {
    const joint = readListJoint(c, next)
    if (joint === null) break
    const lead = readWeekdayLead(c, joint.next)
    const number = readDayOfMonth(c, skipArticles(c, lead?.next ?? joint.next))
    if (number === null || number.value.value <= last) break
    last = number.value.value
    lastWeekday = lead?.wd
    closed = joint.strong
    joints++
    next =
      isMark(c, number.next, '.') && !tokenAt(c, number.next).spaced ? number.next + 1 : number.next
  }
  const dashed = isMark(c, next, '-') && !tokenAt(c, next).spaced ? next + 1 : next
  const month = readMonth(c, skipOf(c, dashed))
  if (month === null || !closed || !isCivil(2000, month.value, first.value.value)) return null
  return withYear(
    c,
    month.next,
    month.value,
    first.value.value,
    joints === 0 ? null : last,
    lastWeekday,
  )
}

/** "March 14, 2026", "August 10 - 22, 2012", "Feb13", "September the twenty-first". */
function readMonthThenDay(c: Context, i: number): Parsed<DayValue> | null {
  const month = readMonth(c, i)
  if (month === null) return null
  const slash =
    isMark(c, month.next, '/') && !tokenAt(c, month.next).spaced ? month.next + 1 : month.next
  const first = readDayOfMonth(c, skipArticles(c, slash))
  if (
    first === null ||
    (first.value.spelled && readYear(c, slash) !== null) ||
    isClockAfter(c, first.next) ||
    !isCivil(2000, month.value, first.value.value)
  )
    return null
  let last = first.value.value
  let next = first.next
  let joints = 0
  while (joints < 40) {
    const joint = readListJoint(c, next)
    const number = joint === null ? null : readDayOfMonth(c, skipArticles(c, joint.next))
    if (joint === null || number === null || number.value.value <= last) break
    if (isClockAfter(c, number.next) || tokenAt(c, number.next).means.month !== undefined) break
    last = number.value.value
    next = number.next
    joints++
  }
  return withYear(c, next, month.value, first.value.value, joints === 0 ? null : last, undefined)
}

function isClockAfter(c: Context, i: number): boolean {
  const token = tokenAt(c, i)
  if (token.means.meridiem !== undefined || token.means.oclock === true) return true
  if (token.text === ':' && !token.spaced && tokenAt(c, i + 1).kind === 'number') return true
  return (
    (token.text === 'a' || token.text === 'p') && (isMark(c, i + 1, '.') || isWord(c, i + 1, 'm'))
  )
}

/** Between two day numbers: a range word, or "en", "&", ","; a comma alone does not close a list. */
function readListJoint(c: Context, i: number): { next: number; strong: boolean } | null {
  const range = readJoint(c, i, true)
  if (range !== -1) return { next: range, strong: true }
  if (isMark(c, i, '/') && !tokenAt(c, i).spaced) return { next: i + 1, strong: true }
  return isMark(c, i, ',') ? { next: i + 1, strong: false } : null
}

export function readMonth(c: Context, i: number): Parsed<number> | null {
  const { month } = tokenAt(c, i).means
  if (month === undefined) return null
  return { value: month, next: isMark(c, i + 1, '.') && !tokenAt(c, i + 1).spaced ? i + 2 : i + 1 }
}

function withYear(
  c: Context,
  i: number,
  m: number,
  d: number,
  last: number | null,
  lastWeekday: number | undefined,
): Parsed<DayValue> {
  const year = readTrailingYear(c, i)
  const a: Part = year === null ? { m, d } : { y: year.value, m, d }
  let b: Part | null = null
  if (last !== null) {
    b = { ...a, d: last }
    if (lastWeekday !== undefined) b.wd = lastWeekday
  }
  return { value: { a, b, certainty: year === null ? 0.8 : 1 }, next: year?.next ?? i }
}

/** The year after a month: "2026", ", 2026", "'26", "of 1995", "-2018", "jl. 2025". */
export function readTrailingYear(c: Context, i: number): Parsed<number> | null {
  let j = i
  if (isWord(c, j, 'jl', 'jongstleden')) j = isMark(c, j + 1, '.') ? j + 2 : j + 1
  if (isMark(c, j, ',')) j++
  else if (isMark(c, j, '-/') && !tokenAt(c, j).spaced && !tokenAt(c, j + 1).spaced) j++
  else if (tokenAt(c, j).means.of === true) j++
  const year = readYear(c, j)
  if (year === null) return null
  // "14 mei 2030 uur" is half past eight in the evening, "5 mei 2026:" is still a year.
  const unit = tokenAt(c, year.next).means
  return unit.oclock === true ? null : year
}

function whole(y: number, m: number, d: number, next: number): Parsed<DayValue> | null {
  return isCivil(y, m, d) ? { value: value({ y, m, d }, 1), next } : null
}

function value(a: Part, certainty: number): DayValue {
  return { a, b: null, certainty }
}
