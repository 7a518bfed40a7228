import { addMonths, civilOf, dayNumber, mondayOf } from './calendar.ts'
import {
  type Context,
  isMark,
  type Parsed,
  type Span,
  skipArticles,
  spanOf,
  tokenAt,
} from './context.ts'
import { readMonth, readTrailingYear } from './day-absolute.ts'
import { readUnit } from './durations.ts'
import type { Unit } from './lexicon.ts'
import { readYear } from './numbers.ts'
import { monthSpan, yearOfMonth } from './resolve.ts'

/** A month, year or named unit that other phrases can be part of. */
export function readContainer(c: Context, i: number): Parsed<Span> | null {
  const j = skipArticles(c, i)
  const which = tokenAt(c, j).means.which
  if (which !== undefined) {
    const unit = readUnit(c, j + 1)
    if (unit?.value === 'weekend' && which === 'coming') {
      return { value: unitSpan(c, 'weekend', 0), next: unit.next }
    }
    if (unit !== null && isLong(unit.value))
      return { value: unitSpan(c, unit.value, offsetOf(which)), next: unit.next }
    const month = readMonth(c, j + 1)
    if (month === null) return null
    const { y } = civilOf(c.ref)
    const year = which === 'coming' ? yearOfMonth(month.value, c.ref) : y + offsetOf(which)
    return { value: monthSpan(year, month.value), next: month.next }
  }
  const month = readMonth(c, j)
  if (month !== null) {
    const year = readTrailingYear(c, month.next)
    return {
      value: monthSpan(year?.value ?? yearOfMonth(month.value, c.ref), month.value),
      next: year?.next ?? month.next,
    }
  }
  const year = readYear(c, j)
  if (year !== null) {
    const named = readMonth(c, isMark(c, year.next, '-') ? year.next + 1 : year.next)
    if (named !== null && tokenAt(c, named.next).kind !== 'number')
      return { value: monthSpan(year.value, named.value), next: named.next }
    return {
      value: spanOf(dayNumber(year.value, 1, 1), dayNumber(year.value, 12, 31), 'year'),
      next: year.next,
    }
  }
  const unit = readUnit(c, j)
  if (unit === null || !isLong(unit.value) || tokenAt(c, j).means.plural === true) return null
  if (unit.value === 'year') {
    const numbered = readYear(c, unit.next)
    if (numbered !== null) return readContainer(c, unit.next)
  }
  if (j === i && unit.value !== 'weekend') return null
  return { value: unitSpan(c, unit.value, 0), next: unit.next }
}

export function unitSpan(c: Context, unit: Unit, offset: number): Span {
  const { y, m } = civilOf(c.ref)
  const monday = mondayOf(c.ref) + 7 * offset
  if (unit === 'week') return spanOf(monday, monday + 6, unit)
  if (unit === 'workweek') return spanOf(monday, monday + 4, unit)
  if (unit === 'weekend') return spanOf(monday + 5, monday + 6, unit)
  if (unit === 'month') {
    const from = addMonths(dayNumber(y, m, 1), offset)
    return spanOf(from, addMonths(from, 1) - 1, unit)
  }
  if (unit === 'quarter') {
    const from = addMonths(dayNumber(y, m - ((m - 1) % 3), 1), 3 * offset)
    return spanOf(from, addMonths(from, 3) - 1, unit)
  }
  const size = unit === 'decade' ? 10 : unit === 'century' ? 100 : 1
  const start = (Math.floor(y / size) + offset) * size
  return spanOf(dayNumber(start, 1, 1), dayNumber(start + size - 1, 12, 31), unit)
}

export function offsetOf(which: string): number {
  return which === 'this' ? 0 : which === 'last' ? -1 : 1
}

export function isLong(unit: Unit): boolean {
  return ['week', 'workweek', 'weekend', 'month', 'quarter', 'year', 'decade', 'century'].includes(
    unit,
  )
}
