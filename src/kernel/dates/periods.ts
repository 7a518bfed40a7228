import { addMonths, civilOf, isoWeekStart, mondayOf, weekdayOf } from './calendar.ts'
import {
  after,
  type Context,
  day,
  type DayValue,
  isMark,
  isWord,
  type Parsed,
  type Span,
  skipArticles,
  skipOf,
  spanOf,
  tokenAt,
} from './context.ts'
import { readAbsoluteDay, readMonth, readTrailingYear } from './day-absolute.ts'
import { isLong, readContainer, unitSpan } from './containers.ts'
import { readAmount, readDuration, readUnit, shiftBy } from './durations.ts'
import { readHoliday, weekendAround } from './holidays.ts'
import type { Unit } from './lexicon.ts'
import { readNumber } from './numbers.ts'
import { readDecade, readHalfOrQuarter } from './periods-named.ts'
import { monthSpan, resolvePart } from './resolve.ts'

type Rule = (c: Context, i: number) => Parsed<DayValue> | null

const RULES: Rule[] = [
  readWithin,
  readNthWeek,
  readManyUnits,
  readDaysInMonth,
  readWeekOf,
  readLaterOrRest,
  readEdge,
  readHalfOrQuarter,
  readDecade,
  readNumericMonth,
  readPlainContainer,
]

/** Stretches of time: "this weekend", "next 3 days", "mei 2026", "last week of July", "later this year". */
export function readPeriod(c: Context, i: number): Parsed<DayValue> | null {
  for (const rule of RULES) {
    const found = rule(c, i)
    if (found !== null) return found
  }
  return null
}

function readPlainContainer(c: Context, i: number): Parsed<DayValue> | null {
  const week = readWeekNumber(c, i)
  if (week !== null) return week
  const found = readContainer(c, i)
  if (found === null) return readYearAfterNext(c, i)
  const span = found.value
  const beyond = readYearAfterNext(c, i)
  if (beyond !== null) return beyond
  const which = tokenAt(c, skipArticles(c, i)).means.which !== undefined
  const token = tokenAt(c, skipArticles(c, i))
  const named = token.means.month !== undefined
  if (named && span.grain === 'month') {
    // "31 februari" is a mistake, not the month.
    const before = tokenAt(c, i - 1)
    if (before.kind === 'number' && before.value <= 31) return null
    const { y, m } = civilOf(span.from)
    const yearSaid = readTrailingYear(c, readMonth(c, skipArticles(c, i))?.next ?? i + 1) !== null
    const ambiguous = token.means.weak === true || token.text.length < 4
    const certainty = yearSaid ? 0.45 : ambiguous ? 0.1 : 0.25
    return { value: { a: yearSaid ? { y, m } : { m }, b: null, certainty }, next: found.next }
  }
  return { value: day(span, which ? 0.45 : 0.15), next: found.next }
}

/** "the year after next", "het jaar na het volgende". */
function readYearAfterNext(c: Context, i: number): Parsed<DayValue> | null {
  const j = skipArticles(c, i)
  const unit = readUnit(c, j)
  if (unit === null || !isLong(unit.value) || tokenAt(c, unit.next).means.shift !== 'after')
    return null
  const k = skipArticles(c, unit.next + 1)
  return tokenAt(c, k).means.which === 'next'
    ? { value: day(unitSpan(c, unit.value, 2), 0.4), next: k + 1 }
    : null
}

/** "week 12", "week 12 van 2026", "week 1, 2027". */
function readWeekNumber(c: Context, i: number): Parsed<DayValue> | null {
  const j = skipArticles(c, i)
  if (tokenAt(c, j).means.unit !== 'week') return null
  const number = readNumber(c, j + 1)
  if (number === null || number.value.spelled || number.value.value < 1 || number.value.value > 53)
    return null
  const year = readTrailingYear(c, number.next)
  const from = isoWeekStart(year?.value ?? civilOf(c.ref).y, number.value.value)
  return { value: day(spanOf(from, from + 6, 'week'), 0.35), next: year?.next ?? number.next }
}

/** "within 5 days", "binnen de komende 10 maanden": from now until then. */
function readWithin(c: Context, i: number): Parsed<DayValue> | null {
  if (tokenAt(c, i).means.within !== 'span') return null
  let j = skipArticles(c, i + 1)
  if (tokenAt(c, j).means.which !== undefined) j++
  const duration = readDuration(c, j)
  if (duration === null) return null
  const to = shiftBy({ day: c.ref, minute: c.refMinute }, duration.value, 1)
  const span = spanOf(c.ref, to.day, duration.value.grain)
  if (duration.value.minutes > 0)
    Object.assign(span, { fromMinute: c.refMinute, toMinute: to.minute })
  return { value: day(span, 0.4), next: duration.next }
}

/** "next 2 days", "de afgelopen 5 jaar", "2 aankomende dagen", "komende weken". */
function readManyUnits(c: Context, i: number): Parsed<DayValue> | null {
  const j = skipArticles(c, i)
  const leading = tokenAt(c, j).means.which
  const amount = leading === undefined ? readAmount(c, j) : readAmount(c, j + 1)
  const which = leading ?? (amount === null ? undefined : tokenAt(c, amount.next).means.which)
  if (which === undefined || which === 'this') return null
  const unitAt = amount === null ? j + 1 : leading === undefined ? amount.next + 1 : amount.next
  const unit = readUnit(c, unitAt)
  if (unit === null) return null
  const short = unit.value === 'hour' || unit.value === 'minute' || unit.value === 'second'
  if (amount === null && tokenAt(c, unitAt).means.plural !== true && !short) return null
  return { value: day(manyUnits(c, which, amount?.value ?? 1, unit.value), 0.45), next: unit.next }
}

function manyUnits(c: Context, which: string, amount: number, unit: Unit): Span {
  const back = which === 'last'
  if (unit === 'quarter' || unit === 'decade' || unit === 'weekend') {
    const near = unitSpan(c, unit, back ? -1 : 1)
    const far = unitSpan(c, unit, back ? -amount : amount)
    return back ? spanOf(far.from, near.to, unit) : spanOf(near.from, far.to, unit)
  }
  const months =
    unit === 'month'
      ? amount
      : unit === 'year'
        ? amount * 12
        : unit === 'century'
          ? amount * 1200
          : 0
  const days =
    unit === 'day'
      ? amount
      : unit === 'week' || unit === 'workweek'
        ? amount * 7
        : unit === 'fortnight'
          ? amount * 14
          : 0
  const minutes =
    unit === 'hour' ? amount * 60 : unit === 'minute' ? amount : unit === 'second' ? amount / 60 : 0
  const duration = {
    months,
    days,
    minutes,
    businessDays: unit === 'businessday' ? amount : 0,
    grain: unit,
  }
  const now = { day: c.ref, minute: c.refMinute }
  if (minutes > 0) {
    const other = shiftBy(now, duration, back ? -1 : 1)
    const [from, to] = back ? [other, now] : [now, other]
    return { from: from.day, to: to.day, grain: unit, fromMinute: from.minute, toMinute: to.minute }
  }
  if (unit === 'businessday') return spanOf(nextWorkday(c.ref), shiftBy(now, duration, 1).day, unit)
  if (back) return spanOf(shiftBy(now, duration, -1).day, c.ref - 1, unit)
  return spanOf(c.ref + 1, shiftBy({ day: c.ref + 1, minute: 0 }, duration, 1).day - 1, unit)
}

function nextWorkday(from: number): number {
  let next = from + 1
  while (weekdayOf(next) > 5) next++
  return next
}

/** "volgende maand 4 tot 23", "from 4-23 in next month", "deze maand tussen 4 en 22". */
function readDaysInMonth(c: Context, i: number): Parsed<DayValue> | null {
  const container = tokenAt(c, i).means.which === undefined ? null : readContainer(c, i)
  const j = container === null ? i : skipOpener(c, container.next)
  const first = readNumber(c, j)
  if (first === null || first.value.value > 31 || first.value.value < 1) return null
  const joint = tokenAt(c, first.next).means
  if (joint.range === undefined && joint.list !== true) return null
  const second = readNumber(c, first.next + 1)
  if (second === null || second.value.value > 31 || second.value.value <= first.value.value)
    return null
  const month =
    container ??
    (tokenAt(c, second.next).means.of === true ? readContainer(c, skipOf(c, second.next)) : null)
  if (month === null || month.value.grain !== 'month') return null
  const from = month.value.from - 1
  return {
    value: day(spanOf(from + first.value.value, from + second.value.value, 'day'), 0.6),
    next: container === null ? month.next : second.next,
  }
}

function skipOpener(c: Context, i: number): number {
  return tokenAt(c, i).means.opener === undefined ? i : i + 1
}

/** "first week of October", "the last 3 weeks of this year", "volgend jaar de derde week". Weeks belong where their Thursday is. */
function readNthWeek(c: Context, i: number): Parsed<DayValue> | null {
  const around = tokenAt(c, i).means.which === undefined ? null : readContainer(c, i)
  const lead = around?.value.grain === 'week' ? null : around
  const j = skipArticles(c, lead?.next ?? i)
  const last = isWord(c, j, 'last', 'laatste')
  const nth = last ? { value: { value: 1, ordinal: true }, next: j + 1 } : readNumber(c, j)
  if (nth === null || !nth.value.ordinal) return null
  const many = last ? readAmount(c, nth.next) : null
  const unit = readUnit(c, many?.next ?? nth.next)
  if (unit === null || (unit.value !== 'week' && unit.value !== 'weekend')) return null
  const container = lead ?? readContainer(c, skipOf(c, unit.next))
  if (container === null) return null
  const firstMonday = container.value.from + ((4 - weekdayOf(container.value.from) + 7) % 7) - 3
  const lastMonday = container.value.to - ((weekdayOf(container.value.to) - 4 + 7) % 7) - 3
  const monday = last
    ? lastMonday - ((many?.value ?? 1) - 1) * 7
    : firstMonday + (nth.value.value - 1) * 7
  const next = lead === null ? container.next : unit.next
  if (unit.value === 'weekend')
    return { value: day(spanOf(monday + 5, monday + 6, 'weekend'), 0.5), next }
  return { value: day(spanOf(monday, last ? lastMonday + 6 : monday + 6, 'week'), 0.5), next }
}

/** "week of May 4", "w/c feb 4", "de week die op 4 februari begint", "weekend of Halloween", "weekend van 4 mei". */
function readWeekOf(c: Context, i: number): Parsed<DayValue> | null {
  const j = skipArticles(c, i)
  const commencing = after(c, j, 'w / c')
  const unit = tokenAt(c, j).means.unit
  if (commencing === -1 && unit !== 'week' && unit !== 'weekend') return null
  let k = commencing === -1 ? j + 1 : commencing
  const filler = [
    'of',
    'van',
    'beginning',
    'commencing',
    'starting',
    'on',
    'op',
    'beginnend',
    'aanvangend',
    'die',
    'startend',
    'vanaf',
  ]
  for (let n = 0; n < 3 && isWord(c, k, ...filler); n++) k++
  if (k === j + 1 && commencing === -1) return null
  const found = readAbsoluteDay(c, skipArticles(c, k)) ?? readHoliday(c, k)
  const at = found === null ? null : resolvePart(found.value.a, c.ref)
  if (found === null || at === null) return null
  const next = isWord(c, found.next, 'begint', 'start') ? found.next + 1 : found.next
  if (unit === 'weekend') return { value: weekendAround(at.from), next }
  const monday = mondayOf(at.from)
  return { value: day(spanOf(monday, monday + 6, 'week'), 0.6), next }
}

/** "later this week", "eerder in het jaar", "rest of the month". */
function readLaterOrRest(c: Context, i: number): Parsed<DayValue> | null {
  let j = skipArticles(c, i)
  const word = tokenAt(c, j).text
  const later = word === 'later'
  const earlier = word === 'earlier' || word === 'eerder'
  const rest = word === 'rest'
  if (!later && !earlier && !rest) return null
  j = skipOf(c, j + 1)
  if (tokenAt(c, j).means.which === 'this') j++
  const today = tokenAt(c, j).means.offset === 0 || tokenAt(c, j).means.unit === 'day'
  if (today) {
    const span: Span = {
      from: c.ref,
      to: c.ref,
      grain: 'day',
      fromMinute: c.refMinute,
      toMinute: 1439,
    }
    return rest || later ? { value: day(span, 0.4), next: j + 1 } : null
  }
  const unit = readUnit(c, j)
  if (unit === null || !isLong(unit.value)) return null
  const whole = unitSpan(c, unit.value, 0)
  const middle = middleOf(whole)
  if (rest) return { value: day(spanOf(c.ref, whole.to, unit.value), 0.4), next: unit.next }
  if (later)
    return {
      value: day(spanOf(Math.max(c.ref, middle), whole.to, unit.value), 0.4),
      next: unit.next,
    }
  return {
    value: day(spanOf(whole.from, Math.max(whole.from, Math.min(c.ref, middle)), unit.value), 0.4),
    next: unit.next,
  }
}

/** "end of April", "begin volgende week", "half mei"; "end of the day" is its last minute. */
function readEdge(c: Context, i: number): Parsed<DayValue> | null {
  let j = i
  if (isWord(c, j, 'at', 'aan', 'by')) j++
  j = skipArticles(c, j)
  const { edge, half } = tokenAt(c, j).means
  const position = half === true && tokenAt(c, j + 1).means.month !== undefined ? 'middle' : edge
  if (position === undefined) return null
  let k = skipOf(c, isMark(c, j + 1, '-') ? j + 2 : j + 1)
  if (isWord(c, k, 'around')) k++
  if (position === 'end') {
    const which = tokenAt(c, k).means.which === undefined ? k : k + 1
    const { weekday, offset, unit, part } = tokenAt(c, which).means
    const partAfter = tokenAt(c, which + 1).spaced ? undefined : tokenAt(c, which + 1).means.part
    const ahead = weekday === undefined ? offset : (weekday - weekdayOf(c.ref) + 7) % 7
    const days = unit === 'day' ? 0 : ahead
    if (
      days !== undefined &&
      (part === undefined || offset === 1) &&
      partAfter === undefined &&
      isWord(c, j, 'end', 'eind', 'einde')
    ) {
      const at = c.ref + days
      return {
        value: day({ from: at, to: at, grain: 'minute', fromMinute: 1439 }, 0.4),
        next: which + 1,
      }
    }
  }
  const unit = readUnit(c, k)
  const bare =
    unit !== null && isLong(unit.value)
      ? { value: unitSpan(c, unit.value, 0), next: unit.next }
      : null
  const container = readContainer(c, k) ?? bare
  return container === null
    ? null
    : { value: day(edgeOf(container.value, position), 0.35), next: container.next }
}

function edgeOf(whole: Span, edge: 'begin' | 'middle' | 'end'): Span {
  if (edge === 'middle') {
    const middle = middleOf(whole)
    return {
      ...spanOf(
        whole.grain === 'month' ? whole.from + 10 : middle,
        whole.grain === 'month' ? whole.from + 19 : middle + 30,
        whole.grain,
      ),
      point: whole.grain === 'year' ? middle + 1 : middle,
    }
  }
  const size = whole.grain === 'week' ? 3 : whole.grain === 'month' ? 10 : 61
  if (edge === 'begin')
    return { ...spanOf(whole.from, whole.from + size - 1, whole.grain), point: whole.from }
  const from = whole.grain === 'month' ? whole.from + 20 : whole.to - size + 1
  return { ...spanOf(from, whole.to, whole.grain), point: whole.to + 1 }
}

function middleOf(whole: Span): number {
  if (whole.grain === 'week') return whole.from + 3
  if (whole.grain === 'month') return whole.from + 15
  return addMonths(whole.from, 6)
}

/** "04/2016", "11-2016", "2016-11". */
function readNumericMonth(c: Context, i: number): Parsed<DayValue> | null {
  const first = tokenAt(c, i)
  const second = tokenAt(c, i + 2)
  if (first.kind !== 'number' || second.kind !== 'number' || !isMark(c, i + 1, '-/')) return null
  if (isMark(c, i + 3, '-/.:') && !tokenAt(c, i + 3).spaced) return null
  const [year, month] = first.text.length === 4 ? [first, second] : [second, first]
  if (
    year.text.length !== 4 ||
    month.text.length > 2 ||
    month.value < 1 ||
    month.value > 12 ||
    year.value < 1900 ||
    year.value > 2100
  )
    return null
  return { value: day(monthSpan(year.value, month.value), 0.3), next: i + 3 }
}
