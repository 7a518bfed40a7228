import { addMonths, weekdayOf } from './calendar.ts'
import { type Context, isMark, isWord, type Parsed, tokenAt } from './context.ts'
import type { Unit } from './lexicon.ts'
import { readNumber } from './numbers.ts'

export interface Duration {
  months: number
  days: number
  businessDays: number
  minutes: number
  /** The smallest unit named. */
  grain: Unit
}

export interface Instant {
  day: number
  minute: number
}

const DAYS: Partial<Record<Unit, number>> = { day: 1, week: 7, fortnight: 14, weekend: 7 }
const MONTHS: Partial<Record<Unit, number>> = {
  month: 1,
  quarter: 3,
  year: 12,
  decade: 120,
  century: 1200,
}
const MINUTES: Partial<Record<Unit, number>> = { second: 1 / 60, minute: 1, hour: 60 }

/** "3 days", "een paar uur", "2 jaar, 1 maand en 21 dagen". */
export function readDuration(c: Context, i: number): Parsed<Duration> | null {
  const total: Duration = { months: 0, days: 0, businessDays: 0, minutes: 0, grain: 'day' }
  let next = i
  for (let pieces = 0; pieces < 8; pieces++) {
    const joint = pieces === 0 ? next : skipAnd(c, next)
    const piece = readPiece(c, joint)
    if (piece === null) {
      if (pieces === 0) return null
      break
    }
    addPiece(total, piece.value.amount, piece.value.unit)
    next = piece.next
  }
  return { value: total, next }
}

export function shiftBy(from: Instant, duration: Duration, sign: 1 | -1): Instant {
  let day = addMonths(from.day, sign * duration.months) + sign * duration.days
  for (let left = duration.businessDays; left > 0;) {
    day += sign
    if (weekdayOf(day) <= 5) left--
  }
  const minute = Math.floor(from.minute + sign * duration.minutes)
  return { day: day + Math.floor(minute / 1440), minute: ((minute % 1440) + 1440) % 1440 }
}

export function readAmount(c: Context, i: number): Parsed<number> | null {
  if (isWord(c, i, 'a', 'an', 'een')) {
    const few = readFew(c, i + 1)
    return few ?? { value: 1, next: i + 1 }
  }
  const few = readFew(c, i)
  if (few !== null) return few
  const number = readNumber(c, i)
  if (number === null || number.value.ordinal || number.value.value > 9999) return null
  return { value: number.value.value, next: number.next }
}

function readFew(c: Context, i: number): Parsed<number> | null {
  if (isWord(c, i, 'few', 'several', 'enkele')) return { value: 3, next: i + 1 }
  if (isWord(c, i, 'paar')) return { value: 2, next: i + 1 }
  if (isWord(c, i, 'couple')) return { value: 2, next: isWord(c, i + 1, 'of') ? i + 2 : i + 1 }
  return null
}

export function readUnit(c: Context, i: number): Parsed<Unit> | null {
  if (isWord(c, i, 'business', 'working', 'work') && tokenAt(c, i + 1).means.unit === 'day') {
    return { value: 'businessday', next: i + 2 }
  }
  const j = isWord(c, i, 'calendar') ? i + 1 : i
  const unit = tokenAt(c, j).means.unit
  return unit === undefined ? null : { value: unit, next: j + 1 }
}

function readPiece(c: Context, i: number): Parsed<{ amount: number; unit: Unit }> | null {
  if (
    isWord(c, i, 'half') &&
    isWord(c, i + 1, 'an', 'a') &&
    tokenAt(c, i + 2).means.unit === 'hour'
  ) {
    return { value: { amount: 30, unit: 'minute' }, next: i + 3 }
  }
  const amount = readAmount(c, i)
  if (amount === null) return null
  const unit = readUnit(c, amount.next)
  return unit === null
    ? null
    : { value: { amount: amount.value, unit: unit.value }, next: unit.next }
}

function addPiece(total: Duration, amount: number, unit: Unit): void {
  total.grain = unit
  total.months += amount * (MONTHS[unit] ?? 0)
  total.days += amount * (DAYS[unit] ?? 0)
  total.minutes += amount * (MINUTES[unit] ?? 0)
  if (unit === 'businessday') total.businessDays += amount
}

function skipAnd(c: Context, i: number): number {
  const comma = isMark(c, i, ',') ? i + 1 : i
  return tokenAt(c, comma).means.list === true ? comma + 1 : comma
}
