import { civilOf, mondayOf, nthWeekday, weekdayOf } from './calendar.ts'
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
import { readAbsoluteDay, readWeekdayLead } from './day-absolute.ts'
import { type Duration, readAmount, readDuration, shiftBy } from './durations.ts'
import { readHoliday } from './holidays.ts'
import { readDayOfMonth, readNumber } from './numbers.ts'
import { offsetOf, readContainer } from './containers.ts'
import { resolvePart } from './resolve.ts'

type Rule = (c: Context, i: number) => Parsed<DayValue> | null

const RULES: Rule[] = [
  readNow,
  readNeighbourDay,
  readShiftedDay,
  readNthWeekday,
  readWeekdayOfWeek,
  readWeekdayWithNumber,
  readWeekday,
  readOffset,
  readWhichPart,
  readDayInContainer,
]

/** Days told from today or from another day: "overmorgen", "next Friday", "3 days after Easter", "first Monday of June". */
export function readRelativeDay(c: Context, i: number): Parsed<DayValue> | null {
  for (const rule of RULES) {
    const found = rule(c, i)
    if (found !== null) return found
  }
  return null
}

function readOffset(c: Context, i: number): Parsed<DayValue> | null {
  const { offset, part } = tokenAt(c, i).means
  if (offset === undefined) return null
  const value = single(c.ref + offset, 0.7)
  // Dutch "morgen" is tomorrow, and "morning" only after a day or an article.
  if (part !== undefined && tokenAt(c, i).text !== 'morgen') value.part = part
  return { value, next: i + 1 }
}

/** "now", "right now", "asap", "zo snel mogelijk". */
function readNow(c: Context, i: number): Parsed<DayValue> | null {
  const phrases = [
    'right now',
    'at the moment',
    'at present',
    'as soon as possible',
    'zo snel mogelijk',
    'op dit moment',
    'asap',
    'now',
    'nu',
    'date',
    'heden',
  ]
  for (const phrase of phrases) {
    const next = after(c, i, phrase)
    if (next === -1) continue
    if (
      (phrase === 'date' || phrase === 'heden') &&
      (i === 0 ||
        (tokenAt(c, i - 1).means.range === undefined && !isWord(c, i - 1, 'm', 'met', 'op')))
    )
      continue
    const span: Span = { from: c.ref, to: c.ref, grain: 'minute', fromMinute: c.refMinute }
    return { value: day(span, 0.3), next }
  }
  return null
}

/** "the day after tomorrow", "de dag ervoor", "volgende dag". */
function readNeighbourDay(c: Context, i: number): Parsed<DayValue> | null {
  const j = skipArticles(c, i)
  const which = tokenAt(c, j).means.which
  if (
    which !== undefined &&
    tokenAt(c, j + 1).means.unit === 'day' &&
    tokenAt(c, j + 1).means.plural !== true
  ) {
    const offset = which === 'this' ? 0 : which === 'last' ? -1 : 1
    return { value: single(c.ref + offset, 0.5), next: j + 2 }
  }
  if (
    tokenAt(c, j).means.unit !== 'day' ||
    tokenAt(c, j).means.plural === true ||
    readAmount(c, j) !== null
  )
    return null
  const shift = tokenAt(c, j + 1).means.shift
  if (shift === undefined) return j > i ? { value: single(c.ref, 0.15), next: j + 1 } : null
  const sign = shift === 'after' ? 1 : -1
  const base = tokenAt(c, j + 2).means.offset
  if (base !== undefined) return { value: single(c.ref + base + sign, 0.7), next: j + 3 }
  return { value: single(c.ref + sign, 0.3), next: j + 2 }
}

/** "3 days ago", "over twee weken", "two weeks from tomorrow", "5 dagen voor kerst". */
function readShiftedDay(c: Context, i: number): Parsed<DayValue> | null {
  const { within } = tokenAt(c, i).means
  if (within === 'in') {
    const duration = readDuration(c, skipArticles(c, i + 1))
    if (duration === null) return null
    return { value: shifted(c.ref, c.refMinute, duration.value, 1), next: duration.next }
  }
  const sundays = readCountedWeekdays(c, i)
  if (sundays !== null) return sundays
  const lead = readWeekdayLead(c, i)
  const duration = readDuration(c, lead?.next ?? i)
  if (duration === null) return null
  const from = readAnchor(c, duration.next)
  if (from === null) return null
  const value = shifted(from.value.day, from.value.minute, duration.value, from.value.sign)
  if (lead === null) return { value, next: from.next }
  const monday = mondayOf(value.a.span?.from ?? c.ref)
  return { value: single(monday + lead.wd - 1, 0.6), next: from.next }
}

/** "ago", "later", "from now", "vanaf dinsdag", "after May 3". */
function readAnchor(
  c: Context,
  i: number,
): Parsed<{ day: number; minute: number; sign: 1 | -1 }> | null {
  let j = isWord(c, i, 'gerekend') ? i + 1 : i
  const { shift, opener } = tokenAt(c, j).means
  const sign: 1 | -1 = shift === 'before' ? -1 : 1
  if (shift === undefined && opener !== 'from' && opener !== 'since') return null
  j++
  const alone = isWord(c, i, 'ago', 'geleden', 'later', 'hence', 'daarna')
  const base = alone ? null : readBase(c, skipArticles(c, j))
  if (base !== null)
    return { value: { day: base.value, minute: c.refMinute, sign }, next: base.next }
  if (shift === undefined || (!alone && isWord(c, i, 'voor', 'na', 'before', 'after'))) return null
  return { value: { day: c.ref, minute: c.refMinute, sign }, next: j }
}

function readBase(c: Context, i: number): Parsed<number> | null {
  if (isWord(c, i, 'now', 'nu')) return { value: c.ref, next: i + 1 }
  const found = readAbsoluteDay(c, i) ?? readHoliday(c, i) ?? readWeekday(c, i) ?? readOffset(c, i)
  const span = found === null ? null : resolvePart(found.value.a, c.ref)
  return found === null || span === null ? null : { value: span.from, next: found.next }
}

/** "two sundays from now", "derde dinsdag na kerst 2014". */
function readCountedWeekdays(c: Context, i: number): Parsed<DayValue> | null {
  const count = readNumber(c, i)
  if (count === null || count.value.value > 60) return null
  const { weekday } = tokenAt(c, count.next).means
  if (weekday === undefined) return null
  const anchor = readAnchor(c, count.next + 1)
  if (anchor === null) return null
  const { sign } = anchor.value
  const first = anchor.value.day + sign
  const gap =
    sign === 1 ? (weekday - weekdayOf(first) + 7) % 7 : (weekdayOf(first) - weekday + 7) % 7
  return {
    value: single(first + sign * (gap + (count.value.value - 1) * 7), 0.6),
    next: anchor.next,
  }
}

function shifted(from: number, minute: number, duration: Duration, sign: 1 | -1): DayValue {
  const to = shiftBy({ day: from, minute }, duration, sign)
  const span = spanOf(to.day, to.day, duration.grain)
  if (duration.minutes > 0) span.fromMinute = to.minute
  return day(span, duration.minutes > 0 ? 0.35 : 0.55)
}

/** "first Friday of next month", "derde woensdag in oktober 2014", "last Monday"; this month when none is said. */
function readNthWeekday(c: Context, i: number): Parsed<DayValue> | null {
  const j = skipArticles(c, i)
  const last = isWord(c, j, 'last', 'laatste')
  const nth = last ? { value: { value: -1, ordinal: true }, next: j + 1 } : readNumber(c, j)
  if (nth === null || !nth.value.ordinal || nth.value.value > 5) return null
  const { weekday } = tokenAt(c, nth.next).means
  if (weekday === undefined) return null
  const container = readContainer(c, skipOf(c, nth.next + 1))
  if (container === null && last) return null
  const { y, m } = civilOf(container?.value.from ?? c.ref)
  const found = nthWeekday(y, m, weekday, nth.value.value)
  return found === null
    ? null
    : { value: single(found, 0.7), next: container?.next ?? nth.next + 1 }
}

/** "next week on Tuesday", "dinsdag van vorige week", "previous week - monday". */
function readWeekdayOfWeek(c: Context, i: number): Parsed<DayValue> | null {
  const week = readWhichWeek(c, i)
  if (week !== null) {
    let j = week.next
    if (isMark(c, j, ',-')) j++
    if (isWord(c, j, 'on', 'op')) j++
    const { weekday } = tokenAt(c, j).means
    return weekday === undefined
      ? null
      : { value: single(week.value + weekday - 1, 0.7), next: j + 1 }
  }
  const { weekday } = tokenAt(c, i).means
  if (weekday === undefined) return null
  const later = readWhichWeek(c, skipOf(c, i + 1))
  return later === null ? null : { value: single(later.value + weekday - 1, 0.7), next: later.next }
}

function readWhichWeek(c: Context, i: number): Parsed<number> | null {
  const { which } = tokenAt(c, i).means
  if (which === undefined || tokenAt(c, i + 1).means.unit !== 'week') return null
  const offset = which === 'this' ? 0 : which === 'last' ? -7 : 7
  return { value: mondayOf(c.ref) + offset, next: i + 2 }
}

/** "vrijdag de 22e", "Fri 14th": this month when it fits, else the next month where it does. */
function readWeekdayWithNumber(c: Context, i: number): Parsed<DayValue> | null {
  const lead = readWeekdayLead(c, i)
  if (lead === null) return null
  const number = readDayOfMonth(c, lead.next)
  if (number === null) return null
  const said = number.value.ordinal || tokenAt(c, lead.next - 1).means.article === true
  if (!said && (number.value.spelled || isClockOrUnit(c, number.next))) return null
  const value: DayValue = {
    a: { d: number.value.value, wd: lead.wd },
    b: null,
    certainty: said ? 0.5 : 0.35,
  }
  if (lead.part !== undefined) value.part = lead.part
  return { value, next: number.next }
}

function isClockOrUnit(c: Context, i: number): boolean {
  const { text, means, spaced } = tokenAt(c, i)
  if (means.meridiem !== undefined || means.unit !== undefined || means.oclock === true) return true
  if (
    (text === ':' ||
      text === '.' ||
      text === '-' ||
      text === '/' ||
      text === 'u' ||
      text === 'h') &&
    !spaced
  )
    return true
  return (
    ((text === 'a' || text === 'p') && (isMark(c, i + 1, '.') || isWord(c, i + 1, 'm'))) ||
    ((means.to === true || means.past === true) && tokenAt(c, i + 1).means.month === undefined)
  )
}

/** "zaterdag", "next Friday", "vrijdag aanstaande". */
function readWeekday(c: Context, i: number): Parsed<DayValue> | null {
  const lead = tokenAt(c, i).means.which
  const j = lead === undefined ? i : i + 1
  const { weekday, weak, plural } = tokenAt(c, j).means
  if (weekday === undefined || plural === true) return null
  const part = tokenAt(c, j + 1).spaced ? undefined : tokenAt(c, j + 1).means.part
  let next = part === undefined ? j + 1 : j + 2
  if (isMark(c, next, '.') && weak === true && !tokenAt(c, next).spaced) next++
  const trailing =
    lead === undefined && tokenAt(c, next).means.which === 'coming' ? 'coming' : undefined
  if (trailing !== undefined) next++
  const which = lead ?? trailing
  const certainty = weak === true && which === undefined ? 0.2 : 0.6
  const value: DayValue =
    which === undefined
      ? { a: { wd: weekday }, b: null, certainty }
      : single(weekdayFrom(c, weekday, which), certainty)
  if (part !== undefined) value.part = part
  return { value, next }
}

/** "next" is in the coming calendar week, "last" in the one before, "coming" after today. */
function weekdayFrom(c: Context, weekday: number, which: string): number {
  const monday = mondayOf(c.ref)
  if (which === 'this') return monday + weekday - 1
  if (which === 'next') return monday + 7 + weekday - 1
  if (which === 'last') return monday - 7 + weekday - 1
  const from = c.ref + 1
  return from + ((weekday - weekdayOf(from) + 7) % 7)
}

/** "20th of next month", "third day of October", "de 20e van volgende maand". */
function readDayInContainer(c: Context, i: number): Parsed<DayValue> | null {
  const number = readDayOfMonth(c, skipArticles(c, i))
  if (number === null) return null
  const j =
    tokenAt(c, number.next).means.unit === 'day' && number.value.ordinal
      ? number.next + 1
      : number.next
  if (tokenAt(c, j).means.of !== true) return null
  const container = readContainer(c, skipOf(c, j))
  if (container === null || container.value.grain !== 'month') return null
  const found = container.value.from + number.value.value - 1
  return found > container.value.to ? null : { value: single(found, 0.7), next: container.next }
}

/** "this morning", "last night", "komende avond". */
function readWhichPart(c: Context, i: number): Parsed<DayValue> | null {
  const { which } = tokenAt(c, i).means
  const { part } = tokenAt(c, i + 1).means
  if (which === undefined || part === undefined) return null
  return { value: { ...single(c.ref + offsetOf(which), 0.5), part }, next: i + 2 }
}

/** "de 15e", "the 27", "5th": the first such day from today. */
export function readLoneDay(c: Context, i: number): Parsed<DayValue> | null {
  const j = skipArticles(c, i)
  const number = readDayOfMonth(c, j)
  if (number === null || isClockOrUnit(c, number.next)) return null
  if (tokenAt(c, skipOf(c, number.next)).means.month !== undefined) return null
  if (j === i && number.value.spelled) return null
  return {
    value: { a: { d: number.value.value }, b: null, certainty: number.value.ordinal ? 0.2 : 0.1 },
    next: number.next,
  }
}

function single(value: number, certainty: number): DayValue {
  return day(spanOf(value, value, 'day'), certainty)
}
