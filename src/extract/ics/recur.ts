import { civilOf, dayNumber, daysInMonth, weekdayOf } from '../../kernel/dates/calendar.ts'
import type { IcsRule } from './types.ts'

export interface Wall {
  day: number
  second: number
}

const DAY = 86_400
const LAST_DAY = dayNumber(2200, 1, 1)

/**
 * The dates of a rule on the wall clock, in order, from the start on. `from` lets a rule without COUNT
 * skip years of history; `maxSteps` and `lastDay` end rules that never match ("30 February").
 */
export function* recur(
  rule: IcsRule,
  start: Wall,
  from: Wall,
  maxSteps: number,
  lastDay: number = LAST_DAY,
): Generator<Wall> {
  const skipped = rule.count === null ? from : start
  const times = timesOfDay(rule, start.second)
  let produced = 0
  let steps = 0
  for (const period of periods(rule, start, skipped)) {
    if (++steps > maxSteps || period.anchor > Math.min(lastDay, LAST_DAY)) return
    for (const at of pick(rule, period, times)) {
      if (at.day < start.day || (at.day === start.day && at.second < start.second)) continue
      yield at
      if (++produced === rule.count) return
    }
  }
}

interface Period {
  anchor: number
  days: number[]
  /** Set for frequencies below a day, where the clock itself steps. */
  second: number | null
}

function* periods(rule: IcsRule, start: Wall, from: Wall): Generator<Period> {
  if (rule.freq === 'HOURLY' || rule.freq === 'MINUTELY' || rule.freq === 'SECONDLY') {
    yield* shortPeriods(rule, start, from)
    return
  }
  const { y, m } = civilOf(start.day)
  const target = civilOf(Math.max(start.day, from.day))
  const { interval } = rule
  if (rule.freq === 'YEARLY') {
    for (let year = y + aligned(target.y - y - 1, interval); ; year += interval) {
      yield { anchor: dayNumber(year, 1, 1), days: yearDays(rule, year, start), second: null }
    }
  }
  if (rule.freq === 'MONTHLY') {
    const first = y * 12 + m - 1
    for (
      let index = first + aligned(target.y * 12 + target.m - 1 - first - 1, interval);
      ;
      index += interval
    ) {
      const year = Math.floor(index / 12)
      const month = (index % 12) + 1
      const days = inMonths(rule, month) ? monthDays(rule, year, month, start) : []
      yield { anchor: dayNumber(year, month, 1), days, second: null }
    }
  }
  const size = rule.freq === 'WEEKLY' ? 7 : 1
  const base =
    size === 7 ? start.day - ((weekdayOf(start.day) - rule.weekStart + 7) % 7) : start.day
  const skip = aligned(Math.floor((from.day - base) / size) - 1, interval)
  for (let day = base + skip * size; ; day += interval * size) {
    const days = size === 7 ? weekDays(rule, day, start) : [day]
    yield { anchor: day, days: days.filter((one) => passesDay(rule, one)), second: null }
  }
}

/** Whole intervals that fit into a distance that may be skipped. */
function aligned(distance: number, interval: number): number {
  return distance <= 0 ? 0 : Math.floor(distance / interval) * interval
}

function* shortPeriods(rule: IcsRule, start: Wall, from: Wall): Generator<Period> {
  const unit = rule.freq === 'HOURLY' ? 3600 : rule.freq === 'MINUTELY' ? 60 : 1
  const step = rule.interval * unit
  const first = start.day * DAY + start.second
  const distance = from.day * DAY + from.second - first
  let at = first + aligned(Math.floor(distance / unit) - 1, rule.interval) * unit
  for (;;) {
    const day = Math.floor(at / DAY)
    if (!passesDay(rule, day)) {
      // Nothing on this day: go to the first step of the next one.
      const gap = (day + 1) * DAY - at
      at += Math.ceil(gap / step) * step
      yield { anchor: day, days: [], second: 0 }
      continue
    }
    yield { anchor: day, days: [day], second: at - day * DAY }
    at += step
  }
}

function pick(rule: IcsRule, period: Period, times: number[]): Wall[] {
  const all: Wall[] = []
  for (const day of period.days) {
    const seconds = period.second === null ? times : shortTimes(rule, period.second)
    for (const second of seconds) all.push({ day, second })
  }
  if (rule.bySetPos.length === 0) return all
  const positions = rule.bySetPos.map((position) =>
    position > 0 ? position - 1 : all.length + position,
  )
  return all.filter((_, index) => positions.includes(index))
}

function timesOfDay(rule: IcsRule, second: number): number[] {
  const hours = sorted(rule.byHour, Math.floor(second / 3600))
  const minutes = sorted(rule.byMinute, Math.floor(second / 60) % 60)
  const seconds = sorted(rule.bySecond, second % 60)
  return hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * 3600 + m * 60 + s)))
}

function shortTimes(rule: IcsRule, at: number): number[] {
  const hour = Math.floor(at / 3600)
  const minute = Math.floor(at / 60) % 60
  if (rule.byHour.length > 0 && !rule.byHour.includes(hour)) return []
  if (rule.freq === 'HOURLY') return timesOfDay({ ...rule, byHour: [] }, at)
  if (rule.byMinute.length > 0 && !rule.byMinute.includes(minute)) return []
  if (rule.freq === 'MINUTELY') return timesOfDay({ ...rule, byHour: [], byMinute: [] }, at)
  return rule.bySecond.length > 0 && !rule.bySecond.includes(at % 60) ? [] : [at]
}

function yearDays(rule: IcsRule, year: number, start: Wall): number[] {
  const { byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule
  const first = dayNumber(year, 1, 1)
  const last = dayNumber(year, 12, 31)
  if (byYearDay.length > 0) {
    const days = byYearDay.map((n) => (n > 0 ? first + n - 1 : last + n + 1))
    return unique(
      days.filter(
        (day) => day >= first && day <= last && passesDay({ ...rule, byYearDay: [] }, day),
      ),
    )
  }
  if (byWeekNo.length > 0) return weekNumberDays(rule, year, start)
  if (byMonth.length === 0 && byMonthDay.length === 0) {
    if (byDay.length > 0)
      return unique(byDay.flatMap((entry) => weekdaysBetween(entry, first, last)))
    const { m, d } = civilOf(start.day)
    return d <= daysInMonth(year, m) ? [dayNumber(year, m, d)] : []
  }
  const months =
    byMonth.length > 0
      ? byMonth
      : byMonthDay.length > 0
        ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
        : []
  return unique(months.flatMap((month) => monthDays(rule, year, month, start)))
}

function weekNumberDays(rule: IcsRule, year: number, start: Wall): number[] {
  const jan4 = dayNumber(year, 1, 4)
  const weekOne = jan4 - ((weekdayOf(jan4) - rule.weekStart + 7) % 7)
  const nextJan4 = dayNumber(year + 1, 1, 4)
  const weeks = Math.round(
    (nextJan4 - ((weekdayOf(nextJan4) - rule.weekStart + 7) % 7) - weekOne) / 7,
  )
  const days = rule.byWeekNo
    .map((n) => (n > 0 ? n : weeks + n + 1))
    .filter((n) => n >= 1 && n <= weeks)
    .flatMap((n) => weekDays(rule, weekOne + (n - 1) * 7, start))
  return unique(days.filter((day) => inMonths(rule, civilOf(day).m)))
}

/** Days of a month by BYMONTHDAY and BYDAY together, or the start's own day of the month. */
function monthDays(rule: IcsRule, year: number, month: number, start: Wall): number[] {
  const first = dayNumber(year, month, 1)
  const length = daysInMonth(year, month)
  const { byMonthDay, byDay } = rule
  if (byMonthDay.length === 0 && byDay.length === 0) {
    const { d } = civilOf(start.day)
    return d <= length ? [first + d - 1] : []
  }
  const byDate = byMonthDay
    .map((n) => first + (n > 0 ? n - 1 : length + n))
    .filter((day) => day >= first && day < first + length)
  if (byDay.length === 0) return unique(byDate)
  const byName = new Set(
    byDay.flatMap((entry) => weekdaysBetween(entry, first, first + length - 1)),
  )
  return byMonthDay.length === 0
    ? unique([...byName])
    : unique(byDate.filter((day) => byName.has(day)))
}

function weekDays(rule: IcsRule, weekStart: number, start: Wall): number[] {
  if (rule.byDay.length === 0)
    return [weekStart + ((weekdayOf(start.day) - rule.weekStart + 7) % 7)]
  return unique(rule.byDay.map(({ weekday }) => weekStart + ((weekday - rule.weekStart + 7) % 7)))
}

/** Every such weekday between two days, or only the nth, counted from the end when negative. */
function weekdaysBetween(
  entry: { weekday: number; nth: number },
  first: number,
  last: number,
): number[] {
  if (entry.nth < 0) {
    const day = last - ((weekdayOf(last) - entry.weekday + 7) % 7) + (entry.nth + 1) * 7
    return day >= first ? [day] : []
  }
  const earliest = first + ((entry.weekday - weekdayOf(first) + 7) % 7)
  if (entry.nth > 0) {
    const day = earliest + (entry.nth - 1) * 7
    return day <= last ? [day] : []
  }
  const days: number[] = []
  for (let day = earliest; day <= last; day += 7) days.push(day)
  return days
}

/** The BY parts as filters, for days that the frequency itself produced. */
function passesDay(rule: IcsRule, day: number): boolean {
  const { y, m, d } = civilOf(day)
  if (!inMonths(rule, m)) return false
  const fromEnd = d - daysInMonth(y, m) - 1
  if (
    rule.freq !== 'WEEKLY' &&
    rule.byMonthDay.length > 0 &&
    !rule.byMonthDay.includes(d) &&
    !rule.byMonthDay.includes(fromEnd)
  )
    return false
  if (rule.byDay.length > 0 && !rule.byDay.some(({ weekday }) => weekday === weekdayOf(day)))
    return false
  if (rule.byYearDay.length === 0 || rule.freq === 'WEEKLY') return true
  const ofYear = day - dayNumber(y, 1, 1) + 1
  const ofYearFromEnd = day - dayNumber(y, 12, 31) - 1
  return rule.byYearDay.includes(ofYear) || rule.byYearDay.includes(ofYearFromEnd)
}

function inMonths(rule: IcsRule, month: number): boolean {
  return rule.byMonth.length === 0 || rule.byMonth.includes(month)
}

function sorted(values: number[], fallback: number): number[] {
  return values.length === 0 ? [fallback] : unique(values)
}

function unique(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
