import {
  type ClockRange,
  isDateNext,
  ordered,
  readClockRange,
  readPart,
  withPart,
} from './clock.ts'
import { type Context, type DayValue, isMark, isWord, tokenAt } from './context.ts'
import { readAbsoluteDay } from './day-absolute.ts'
import { readLoneDay, readRelativeDay } from './day-relative.ts'
import { readHoliday } from './holidays.ts'
import { NOTHING, type PartOfDay } from './lexicon.ts'
import { readPeriod } from './periods.ts'

/** One moment as the text tells it: a day, a time and a part of the day, in any order. */
export interface When {
  day: DayValue | null
  time: ClockRange | null
  part: PartOfDay | null
  edge: 'begin' | 'end' | null
  /** Opened by "tussen" or "between", so "en" joins the other end. */
  between: boolean
  opened: boolean
  next: number
}

const MAX_GLUE = 6

export function readWhen(c: Context, i: number): When | null {
  const when: When = {
    day: null,
    time: null,
    part: null,
    edge: null,
    between: false,
    opened: false,
    next: i,
  }
  const state: State = { at: false, label: null, timeLabel: null }
  let pos = i
  let glue = 0
  for (;;) {
    const next = readComponent(c, pos, when, state)
    if (next !== -1) {
      pos = next
      when.next = next
      glue = 0
      state.at = false
      state.label = null
      continue
    }
    if (glue++ >= MAX_GLUE || !stepOver(c, pos, when, state)) break
    pos++
  }
  if (when.day === null && when.time === null) return null
  if (when.day === null && when.time?.from.bare === true && when.part === null) return null
  return settleParts(when)
}

type Label = 'start' | 'doors' | 'end'

interface State {
  at: boolean
  label: Label | null
  timeLabel: Label | null
}

/** Reads one more piece into `when`; the position after it, or -1. */
function readComponent(c: Context, i: number, when: When, state: State): number {
  if (when.day === null) {
    const hour = readHourBeforeDay(c, i, when)
    if (hour !== -1) return hour
    const day = readDay(c, i)
    if (day !== null) {
      when.day = day.value
      if (day.value.part !== undefined) when.part = day.value.part
      return day.next
    }
  } else {
    const filled = fillWeekday(c, i, when.day)
    if (filled !== -1) return filled
  }
  const time = readTimeInto(c, i, when, state)
  if (time !== -1) return time
  if (when.part === null) {
    const part = readPart(c, i)
    if (part !== null) {
      when.part = part.value
      return part.next
    }
  }
  if (when.day !== null) return -1
  const lone = readLoneDay(c, i)
  if (lone === null) return -1
  when.day = lone.value
  return lone.next
}

function readDay(c: Context, i: number): ReturnType<typeof readAbsoluteDay> {
  const token = tokenAt(c, i)
  if (token.kind === 'mark' || (token.kind === 'word' && token.means === NOTHING)) return null
  return readAbsoluteDay(c, i) ?? readHoliday(c, i) ?? readRelativeDay(c, i) ?? readPeriod(c, i)
}

/** "22 mei (dins)": the weekday may follow. */
function fillWeekday(c: Context, i: number, day: DayValue): number {
  const { weekday, plural } = tokenAt(c, i).means
  if (
    weekday === undefined ||
    plural === true ||
    day.a.d === undefined ||
    day.a.wd !== undefined ||
    day.b !== null
  )
    return -1
  if (!isMark(c, i - 1, '(,') || tokenAt(c, i + 1).kind === 'number') return -1
  day.a.wd = weekday
  return i + 1
}

/** "9 tomorrow", "7, this morning". */
function readHourBeforeDay(c: Context, i: number, when: When): number {
  if (when.time !== null || tokenAt(c, i).kind !== 'number') return -1
  const follower = tokenAt(c, isMark(c, i + 1, ',') ? i + 2 : i + 1).means
  if (
    follower.offset === undefined &&
    (follower.which === undefined || tokenAt(c, i + 3).means.part === undefined)
  )
    return -1
  const time = readClockRange(c, i, true, false)
  if (time === null || time.value.to !== null) return -1
  when.time = time.value
  return time.next
}

function readTimeInto(c: Context, i: number, when: When, state: State): number {
  const second = when.time !== null
  if (second && state.label === null) return -1
  const bare = state.at || when.part !== null
  const time = readClockRange(c, i, bare, when.between)
  if (time === null || (time.value.to === null && isDateNext(c, time.value.from, time.next)))
    return -1
  if (
    time.value.to !== null &&
    time.value.from.bare &&
    time.value.to.bare &&
    !isPlausibleHours(c, i, time.next, when)
  )
    return -1
  if (!second) {
    when.time = time.value
    state.timeLabel = state.label
    return time.next
  }
  if (state.label === 'end' && when.time !== null) {
    if (when.time.to === null) when.time = ordered(when.time.from, time.value.from)
    return time.next
  }
  // The start of the event beats the opening of the doors, whichever is named first.
  if (state.timeLabel !== 'start' && state.label === 'start') {
    when.time = time.value
    state.timeLabel = 'start'
  }
  return time.next
}

/** Two bare numbers are hours when the text opens a range or has a day next to them, not "3 - 5 jaar". */
function isPlausibleHours(c: Context, i: number, next: number, when: When): boolean {
  const follower = tokenAt(c, next)
  if (follower.kind === 'number' || isMark(c, next, '/.:€%')) return false
  const silent = follower.kind === 'word' && Object.keys(follower.means).length === 0
  if (silent || (follower.means.unit !== undefined && follower.means.oclock !== true)) return false
  if (when.opened || when.day !== null) return true
  return i === 0 || tokenAt(c, i - 1).means.at === true || follower.text !== ''
}

/** Steps over a word or mark that may stand inside one date. */
function stepOver(c: Context, i: number, when: When, state: State): boolean {
  const { means, text } = tokenAt(c, i)
  if (means.opener === 'between') {
    if (when.between) return false
    when.between = true
    when.opened = true
    return true
  }
  if (means.opener !== undefined) {
    when.opened = true
    return true
  }
  if (means.edge === 'begin' || means.edge === 'end') when.edge = means.edge
  if (means.label !== undefined) state.label = means.label
  if (means.at === true || isWord(c, i, 'rond', 'around', 'omstreeks', 'about')) {
    state.at = true
    return true
  }
  if (text === '-' || text === '/')
    return (when.day === null) !== (when.time === null) && isTimeOrDayAfterDash(c, i, when)
  if (text === 't' && !tokenAt(c, i).spaced && when.day !== null) return true
  return means.glue === true || means.edge !== undefined
}

function isTimeOrDayAfterDash(c: Context, i: number, when: When): boolean {
  if (when.day === null) return readAbsoluteDay(c, i + 1) !== null
  const labelled = tokenAt(c, i + 1).means.at === true
  const time = readClockRange(c, labelled ? i + 2 : i + 1, labelled, false)
  return time !== null && when.time === null && readAbsoluteDay(c, i + 1) === null
}

/** "8 uur 's avonds": the part of the day decides between morning and evening hours. */
function settleParts(when: When): When {
  if (when.part === null || when.time === null) return when
  const { from, to } = when.time
  const start = withPart(from, when.part)
  if (to === null) return { ...when, time: { from: start, to: null } }
  const end =
    to.meridiem === null &&
    to.twelveHour &&
    to.minute < 720 &&
    withPart(to, when.part).minute > start.minute
      ? withPart(to, when.part)
      : to
  return {
    ...when,
    time: { from: start.minute < end.minute || end === to ? start : from, to: end },
  }
}
