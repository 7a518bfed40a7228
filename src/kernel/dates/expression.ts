import { addMonths, civilOf } from './calendar.ts'
import { readInclusive, readJoint } from './clock.ts'
import { type Context, isMark, isWord, type Part, tokenAt } from './context.ts'
import { type Duration, readDuration, shiftBy } from './durations.ts'
import type { PartOfDay } from './lexicon.ts'
import { resolvePart, runningYear, yearOfMonth } from './resolve.ts'
import { readWhen, type When } from './when.ts'

export interface Moment {
  day: number
  /** Null when only the day is known. */
  minute: number | null
}

export interface Found {
  start: Moment
  end: Moment | null
  certainty: number
  next: number
  /** "Z" or "+02:00" when the text states one. */
  offset?: string
}

const HOURS: Record<PartOfDay, [from: number, to: number]> = {
  morning: [480, 720],
  lunch: [720, 780],
  afternoon: [720, 960],
  evening: [960, 1200],
  night: [1200, 1439],
}

/** The whole date expression that begins here: one moment, a range, or a moment with a length. */
export function readExpression(c: Context, i: number, vagueHours: boolean): Found | null {
  return (
    readLengthFirst(c, i, vagueHours) ??
    readOpenStart(c, i, vagueHours) ??
    readMomentOrRange(c, i, vagueHours)
  )
}

function readMomentOrRange(c: Context, i: number, vagueHours: boolean): Found | null {
  const first = readWhen(c, i)
  if (first === null) return null
  const joint = readJoint(c, first.next, first.between)
  if (joint !== -1) {
    const inclusive = isInclusive(c, first.next)
    const second = readWhen(c, joint)
    const range = second === null ? null : joinRange(c, first, second, inclusive, vagueHours)
    if (range !== null) return range
  }
  const row = readDaysInARow(c, first, vagueHours)
  if (row !== null) return row
  const single = settle(c, first, vagueHours)
  if (single === null) return null
  const offset = first.time?.from.offset
  return withLength(c, offset === undefined ? single : { ...single, offset })
}

/** "15 mei, 16 mei en 17 mei 2026": days in a row are one stretch; others stay dates of their own. */
function readDaysInARow(c: Context, first: When, vagueHours: boolean): Found | null {
  let last = first
  for (let count = 0; count < 31; count++) {
    const joined = isMark(c, last.next, ',') || tokenAt(c, last.next).means.list === true
    if (!joined || last.day?.a.d === undefined || last.day.b !== null || last.time !== null) break
    const next = readWhen(c, last.next + 1)
    if (next?.day?.a.d === undefined || next.day.b !== null) break
    const step = joinRange(c, last, next, true, vagueHours)
    if (step?.end?.day !== (step?.start.day ?? 0) + 1) break
    last = next
  }
  return last === first ? null : joinRange(c, first, last, true, vagueHours)
}

/** "t/m 31 mei": it runs already. */
function readOpenStart(c: Context, i: number, vagueHours: boolean): Found | null {
  const joint = isMark(c, i, '-~') ? -1 : readJoint(c, i, false)
  if (joint === -1 || isWord(c, i, 'to')) return null
  const until = readWhen(c, joint)
  if (until?.day === null || until === null || until.day.certainty < 0.5) return null
  const end = settle(c, until, vagueHours)
  if (end === null || end.start.day < c.ref) return null
  return {
    start: { day: c.ref, minute: null },
    end: end.end ?? end.start,
    certainty: end.certainty * 0.6,
    next: end.next,
  }
}

/** "for 10 days from 18 Dec", "3 days starting next Monday". */
function readLengthFirst(c: Context, i: number, vagueHours: boolean): Found | null {
  const said = isWord(c, i, 'for', 'gedurende')
  const duration = readDuration(c, said ? i + 1 : i)
  if (duration === null) return null
  const j = isMark(c, duration.next, ',') ? duration.next + 1 : duration.next
  if (
    !isWord(c, j, 'starting', 'beginning', 'commencing') &&
    !(said && tokenAt(c, j).means.opener === 'from')
  )
    return null
  const when = readWhen(c, j)
  const found = when === null ? null : settle(c, when, vagueHours)
  return found === null ? null : lasting(found, duration.value, found.next)
}

/** "14 Feb from 9:30 am for 7 hours". */
function withLength(c: Context, found: Found): Found {
  if (!isWord(c, found.next, 'for', 'gedurende')) return found
  const duration = readDuration(c, found.next + 1)
  return duration === null ? found : lasting(found, duration.value, duration.next)
}

function lasting(found: Found, duration: Duration, next: number): Found {
  const end = shiftBy({ day: found.start.day, minute: found.start.minute ?? 0 }, duration, 1)
  const timed = found.start.minute !== null || duration.minutes > 0
  return { ...found, end: { day: end.day, minute: timed ? end.minute : null }, next }
}

function isInclusive(c: Context, i: number): boolean {
  const j = isMark(c, i, ',') ? i + 1 : i
  return tokenAt(c, j).means.range === 'incl' || readInclusive(c, j) !== -1
}

/** What each end leaves out comes from the other: the month and year of the last, the day of the first. */
function joinRange(
  c: Context,
  first: When,
  second: When,
  inclusive: boolean,
  vagueHours: boolean,
): Found | null {
  if (first.day === null) return null
  if (second.day === null) return joinTime(c, first, second, vagueHours)
  if (first.day.b !== null) return null
  const left = running(borrow(first.day.a, second.day.a, c), second.day.a, c)
  const start = settle(c, { ...first, day: { ...first.day, a: left } }, vagueHours)
  if (start === null) return null
  const right = borrowBack(second.day.a, left, start.start.day)
  const span = resolvePart(right, start.start.day)
  if (span === null) return null
  const day =
    span.point ??
    (inclusive || span.to === span.from || span.from <= start.start.day ? span.to : span.from)
  if (second.day.b !== null) return null
  const end: Moment = { day, minute: second.time?.from.minute ?? span.fromMinute ?? null }
  const begin = startOf(left, start.start, end)
  const from = resolvePart(left, c.ref)?.point
  if (from !== undefined) begin.day = from
  if (end.day < begin.day) return null
  shareTimes(begin, end, first, second, inclusive)
  // "maandag t/m vrijdag" mostly tells opening hours.
  const weekdays = isWeekdayOnly(first.day.a) && isWeekdayOnly(second.day.a)
  const certainty = weekdays
    ? 0.3
    : Math.min(1, Math.max(first.day.certainty, second.day.certainty * 0.9) + 0.05)
  return { start: begin, end, certainty, next: second.next }
}

function isWeekdayOnly({ m, d, wd, span }: Part): boolean {
  return wd !== undefined && m === undefined && d === undefined && span === undefined
}

/** Hours said once, at either end, hold for every day: "4 t/m 6 april, 10.00 - 17.00 uur". */
function shareTimes(
  begin: Moment,
  end: Moment,
  first: When,
  second: When,
  inclusive: boolean,
): void {
  const hours = second.time === null ? first.time : second.time
  const saidTwice = first.time !== null && second.time !== null
  if (hours === null || saidTwice) return
  if (hours.to !== null) {
    begin.minute = hours.from.minute
    end.minute = hours.to.minute
  } else if (second.time !== null && inclusive) {
    begin.minute = hours.from.minute
    end.minute = null
  }
}

/** A start that lands after its end is a year too late ("from March to date"). */
function startOf(left: Part, start: Moment, end: Moment): Moment {
  if (end.day >= start.day || left.m === undefined || left.y !== undefined) return start
  return { ...start, day: addMonths(start.day, -12) }
}

/** "between 2:00 tomorrow and 4:00". */
function joinTime(c: Context, first: When, second: When, vagueHours: boolean): Found | null {
  if (first.time === null || second.time === null || first.time.to !== null) return null
  return settle(
    c,
    { ...first, time: { from: first.time.from, to: second.time.from }, next: second.next },
    vagueHours,
  )
}

function borrow(left: Part, right: Part, c: Context): Part {
  const end =
    right.span === undefined ? right : right.span.grain === 'day' ? dayParts(right.span.from) : {}
  if (left.span !== undefined || left.y !== undefined) return left
  if (left.m === undefined) {
    if (left.d === undefined || right.span !== undefined || right.m === undefined) return left
    const sooner = right.d !== undefined && left.d > right.d
    const borrowed: Part = { ...left, m: sooner ? ((right.m + 10) % 12) + 1 : right.m }
    if (right.y !== undefined) borrowed.y = sooner && right.m === 1 ? right.y - 1 : right.y
    return borrowed
  }
  if (right.span !== undefined) return left
  if (end.y === undefined) {
    if (left.d !== undefined || end.m === undefined || end.d !== undefined) return left
    const year = yearOfMonth(end.m, c.ref)
    return { ...left, y: left.m <= end.m ? year : year - 1 }
  }
  const later =
    end.m !== undefined && (left.m > end.m || (left.m === end.m && (left.d ?? 1) > (end.d ?? 31)))
  return { ...left, y: later ? end.y - 1 : end.y }
}

function borrowBack(right: Part, left: Part, start: number): Part {
  if (right.span !== undefined || right.m !== undefined || right.d === undefined) return right
  if (right.wd !== undefined && left.wd !== undefined && left.m === undefined) return right
  const begin = civilOf(start)
  const month = right.d >= begin.d ? begin : civilOf(addMonths(start - begin.d + 1, 1))
  return { ...right, y: month.y, m: month.m }
}

function running(left: Part, right: Part, c: Context): Part {
  const y = runningYear(left, right, c.ref)
  return y === undefined ? left : { ...left, y }
}

function dayParts(day: number): Part {
  const { y, m, d } = civilOf(day)
  return { y, m, d }
}

/** One moment with everything filled in. */
function settle(c: Context, when: When, vagueHours: boolean): Found | null {
  const { day, time } = when
  if (day === null) {
    if (time === null) return null
    return timed(c.ref, c.ref, when, 0.2)
  }
  const span = resolvePart(day.b === null ? day.a : running(day.a, day.b, c), c.ref)
  if (span === null) return null
  const last = day.b === null ? span : resolvePart(day.b, span.from)
  if (last === null) return null
  const certainty =
    time === null || day.certainty >= 0.5 ? day.certainty : Math.min(0.7, day.certainty + 0.25)
  if (time !== null && span.fromMinute === undefined)
    return timed(span.from, last.to, when, certainty)
  const start: Moment = { day: span.from, minute: span.fromMinute ?? null }
  if (when.part !== null && vagueHours && start.minute === null)
    return vague(span.from, when.part, when, certainty)
  const end =
    last.to > span.from || span.toMinute !== undefined
      ? { day: last.to, minute: span.toMinute ?? null }
      : null
  return { start, end, certainty, next: when.next }
}

function timed(from: number, to: number, when: When, certainty: number): Found | null {
  if (when.time === null) return null
  const start = when.time.from.minute
  const begin: Moment = { day: from, minute: start }
  const closing = when.time.to
  if (closing === null)
    return {
      start: begin,
      end: to > from ? { day: to, minute: null } : null,
      certainty,
      next: when.next,
    }
  const overnight = to === from && closing.minute <= start
  return {
    start: begin,
    end: { day: overnight ? to + 1 : to, minute: closing.minute },
    certainty,
    next: when.next,
  }
}

function vague(day: number, part: PartOfDay, when: When, certainty: number): Found {
  let [from, to] = HOURS[part]
  if (when.edge === 'begin') to = from + 120
  if (when.edge === 'end') from = to === 1439 ? 1320 : to - 120
  return { start: { day, minute: from }, end: { day, minute: to }, certainty, next: when.next }
}
