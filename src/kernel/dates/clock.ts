import { after, type Context, isMark, isWord, type Parsed, tokenAt } from './context.ts'
import { readNumber } from './numbers.ts'
import type { PartOfDay } from './lexicon.ts'

export interface ClockTime {
  /** Minute of the day. */
  minute: number
  /** Could be twelve hours later: "8", "7:30", but not "08:00" or "8 am". */
  twelveHour: boolean
  meridiem: 'am' | 'pm' | null
  /** Only a number: needs a word or a neighbour that makes it a time. */
  bare: boolean
  /** "Z" or "+02:00", of an ISO time. */
  offset?: string
}

export interface ClockRange {
  from: ClockTime
  to: ClockTime | null
}

const ZONES = new Set([
  'cet',
  'cest',
  'gmt',
  'utc',
  'bst',
  'est',
  'edt',
  'cst',
  'cdt',
  'mst',
  'mdt',
  'pst',
  'pdt',
  'met',
])

/** One time of day, or two joined by "-", "tot", "to" (or "en" after "tussen"). */
export function readClockRange(
  c: Context,
  i: number,
  bare: boolean,
  between: boolean,
): Parsed<ClockRange> | null {
  const from = readClock(c, i, true)
  if (from === null) return null
  const partOfFrom = readPart(c, from.next)
  const start = partOfFrom === null ? from.value : withPart(from.value, partOfFrom.value)
  const joint = partOfFrom?.next ?? from.next
  const conn = readJoint(c, joint, between)
  if (conn !== -1) {
    const to = readClock(c, conn, true)
    if (to !== null && !isDateNext(c, to.value, to.next)) {
      return { value: ordered(start, to.value), next: to.next }
    }
  }
  if (from.value.bare && !bare) return null
  return { value: { from: from.value, to: null }, next: from.next }
}

/** A number that begins a date ("- 12 mei", "- 3/4") is not the second time. */
export function isDateNext(c: Context, time: ClockTime, next: number): boolean {
  if (!time.bare) return false
  if (tokenAt(c, next).means.month !== undefined) return true
  return (
    isMark(c, next, '/-.') && !tokenAt(c, next).spaced && tokenAt(c, next + 1).kind === 'number'
  )
}

/** Takes "7 to 8 pm" as 19-20, "10:30 to 3" as 10:30-15:00, and leaves "21:00-04:00" to the next day. */
export function ordered(from: ClockTime, to: ClockTime): ClockRange {
  let start = from
  let end = to
  if (to.meridiem === 'pm' && from.meridiem === null && from.twelveHour && from.minute < 720) {
    const later = from.minute + 720
    if (later < end.minute) start = { ...from, minute: later, meridiem: 'pm' }
  }
  if (
    end.minute <= start.minute &&
    end.twelveHour &&
    end.minute + 720 > start.minute &&
    end.minute < 720
  ) {
    end = { ...end, minute: end.minute + 720 }
  }
  return { from: start, to: end }
}

function readClock(c: Context, i: number, bare: boolean): Parsed<ClockTime> | null {
  const found = readClockCore(c, i, bare)
  if (found === null) return null
  const iso = tokenAt(c, i - 1).text === 't' ? readOffset(c, found.next) : null
  if (iso !== null) return { value: { ...found.value, offset: iso.value }, next: iso.next }
  let next = found.next
  if (ZONES.has(tokenAt(c, next).text)) next++
  else if (isMark(c, next, '(') && ZONES.has(tokenAt(c, next + 1).text) && isMark(c, next + 2, ')'))
    next += 3
  return { value: found.value, next }
}

/** The end of an ISO time: "Z", "+02:00", "-0500". */
function readOffset(c: Context, i: number): Parsed<string> | null {
  if (isWord(c, i, 'z') && !tokenAt(c, i).spaced) return { value: 'Z', next: i + 1 }
  const hours = tokenAt(c, i + 1)
  if (!isMark(c, i, '+-') || tokenAt(c, i).spaced || hours.kind !== 'number' || hours.spaced)
    return null
  const sign = tokenAt(c, i).text
  if (hours.text.length === 4)
    return { value: `${sign}${hours.text.slice(0, 2)}:${hours.text.slice(2)}`, next: i + 2 }
  if (hours.text.length !== 2) return null
  const minutes = isMark(c, i + 2, ':') ? tokenAt(c, i + 3).text : '00'
  return { value: `${sign}${hours.text}:${minutes}`, next: isMark(c, i + 2, ':') ? i + 4 : i + 2 }
}

function readClockCore(c: Context, i: number, bare: boolean): Parsed<ClockTime> | null {
  const token = tokenAt(c, i)
  const noon = token.means.clock
  if (noon !== undefined) return time(noon, false, null, i + 1)
  return (
    readSpokenDutch(c, i) ??
    readSpokenEnglish(c, i) ??
    (token.kind === 'number' ? readDigits(c, i) : null) ??
    readHourOnly(c, i, bare)
  )
}

/** "20:30", "20.30", "20u30", "19h00", "13:11:23.678". */
function readDigits(c: Context, i: number): Parsed<ClockTime> | null {
  const hour = tokenAt(c, i)
  const mark = tokenAt(c, i + 1)
  const minute = tokenAt(c, i + 2)
  if (hour.text.length > 2) return readCompactDigits(c, i)
  if (hour.value > 24) return null
  const joined =
    !mark.spaced && !minute.spaced && minute.kind === 'number' && minute.text.length === 2
  if (!joined || minute.value > 59) return null
  if (mark.text === '.' && isDottedOther(c, i)) return null
  if (!(mark.text === ':' || mark.text === '.' || mark.text === 'u' || mark.text === 'h'))
    return null
  let next = i + 3
  if (mark.text === ':' && isMark(c, next, ':') && tokenAt(c, next + 1).text.length === 2) {
    next += 2
    if (
      isMark(c, next, '.,') &&
      !tokenAt(c, next + 1).spaced &&
      tokenAt(c, next + 1).kind === 'number'
    )
      next += 2
  }
  const meridiem = readMeridiem(c, next)
  if (meridiem !== null) {
    return time(
      twelve(hour.value, meridiem.value) * 60 + minute.value,
      false,
      meridiem.value,
      meridiem.next,
    )
  }
  if (tokenAt(c, next).means.oclock === true) next++
  else if (mark.text !== 'h' && isWord(c, next, 'h')) next++
  const ambiguous = hour.value >= 1 && hour.value <= 12 && !hour.text.startsWith('0')
  return time((hour.value % 24) * 60 + minute.value, ambiguous, null, next)
}

/** "20260520T203000": only right after the T. */
function readCompactDigits(c: Context, i: number): Parsed<ClockTime> | null {
  const { text, spaced } = tokenAt(c, i)
  if (spaced || tokenAt(c, i - 1).text !== 't' || (text.length !== 4 && text.length !== 6))
    return null
  const [hour, minute] = [Number(text.slice(0, 2)), Number(text.slice(2, 4))]
  return hour > 23 || minute > 59 ? null : time(hour * 60 + minute, false, null, i + 1)
}

/** Prices, versions and dates such as "29.02.2020" share the dotted shape. */
function isDottedOther(c: Context, i: number): boolean {
  const dot = tokenAt(c, i + 3)
  if (
    dot.text === '.' &&
    !dot.spaced &&
    tokenAt(c, i + 4).kind === 'number' &&
    !tokenAt(c, i + 4).spaced
  )
    return true
  const before = tokenAt(c, i - 1)
  if (i > 0 && (before.text === '€' || before.text === '$' || before.text === '£')) return true
  if (i > 1 && before.text === '.' && !before.spaced && tokenAt(c, i - 2).kind === 'number')
    return true
  return ['€', '%', 'euro', 'km', 'm', 'kg', 'eur'].includes(tokenAt(c, i + 3).text)
}

/** "8 pm", "8 uur", "3 uur 20", "nine o'clock", "nine thirty", and a bare "8" where that is allowed. */
function readHourOnly(c: Context, i: number, bare: boolean): Parsed<ClockTime> | null {
  const number = readNumber(c, i)
  if (number === null || number.value.ordinal || number.value.value > 24) return null
  const hour = number.value.value
  if (tokenAt(c, i).kind === 'number' && tokenAt(c, i).text.length > 2) return null
  const meridiem = readMeridiem(c, number.next)
  if (meridiem !== null && hour <= 12)
    return time(twelve(hour, meridiem.value) * 60, false, meridiem.value, meridiem.next)
  const unit = tokenAt(c, number.next)
  if (hour === 12 && unit.means.clock !== undefined) {
    return time(unit.means.clock, false, null, number.next + 1)
  }
  const hourMark = unit.means.oclock === true || (unit.text === 'h' && !unit.spaced)
  if (hourMark) {
    const minutes = readNumber(c, number.next + 1)
    const after60 =
      minutes !== null &&
      !minutes.value.ordinal &&
      minutes.value.value >= 5 &&
      minutes.value.value < 60
    if (unit.text === 'uur' && after60 && tokenAt(c, minutes.next).means.month === undefined) {
      return time((hour % 24) * 60 + minutes.value.value, hour <= 12, null, minutes.next)
    }
    return time((hour % 24) * 60, hour >= 1 && hour <= 12, null, number.next + 1)
  }
  const clock = after(c, number.next, "o ' clock")
  if (clock !== -1) return time((hour % 24) * 60, hour <= 12, null, clock)
  if (number.value.spelled && hour >= 1 && hour <= 12 && c.lang === 'en') {
    const dashed = isMark(c, number.next, '-') ? number.next + 1 : number.next
    const minutes = readNumber(c, dashed)
    if (
      minutes !== null &&
      minutes.value.spelled &&
      !minutes.value.ordinal &&
      minutes.value.value >= 10 &&
      minutes.value.value < 60
    ) {
      const half = readMeridiem(c, minutes.next)
      const h = half === null ? hour : twelve(hour, half.value)
      return time(
        h * 60 + minutes.value.value,
        half === null,
        half?.value ?? null,
        half?.next ?? minutes.next,
      )
    }
  }
  if (!bare) return null
  const zeroLed = tokenAt(c, i).text.startsWith('0')
  return {
    value: {
      minute: (hour % 24) * 60,
      twelveHour: hour >= 1 && hour <= 12 && !zeroLed,
      meridiem: null,
      bare: true,
    },
    next: number.next,
  }
}

/** "half negen", "kwart over acht", "tien voor half zes". */
function readSpokenDutch(c: Context, i: number): Parsed<ClockTime> | null {
  if (c.lang === 'en') return null
  const token = tokenAt(c, i)
  if (token.means.half === true) return spokenHour(c, i + 1, -30)
  const quarter = token.means.quarterHour === true
  const minutes = quarter ? { value: { value: 15 }, next: i + 1 } : readNumber(c, i)
  if (minutes === null || minutes.value.value > 29 || minutes.value.value < 1) return null
  const j = tokenAt(c, minutes.next).means.unit === 'minute' ? minutes.next + 1 : minutes.next
  const means = tokenAt(c, j).means
  if (means.past !== true && means.to !== true) return null
  const sign = means.past === true ? 1 : -1
  if (tokenAt(c, j + 1).means.half === true)
    return spokenHour(c, j + 2, -30 + sign * minutes.value.value)
  return spokenHour(c, j + 1, sign * minutes.value.value)
}

/** "half past eight", "quarter to nine", "twenty minutes past five". */
function readSpokenEnglish(c: Context, i: number): Parsed<ClockTime> | null {
  if (c.lang !== 'en') return null
  const j = isWord(c, i, 'a') ? i + 1 : i
  const means = tokenAt(c, j).means
  const fixed = means.half === true ? 30 : means.quarterHour === true ? 15 : null
  const number = fixed === null ? readNumber(c, j) : { value: { value: fixed }, next: j + 1 }
  if (number === null || number.value.value > 59) return null
  const unit = tokenAt(c, number.next).means.unit === 'minute'
  if (fixed === null && !unit && tokenAt(c, i).kind === 'number' && number.value.value % 5 !== 0)
    return null
  const k = unit ? number.next + 1 : number.next
  const side = tokenAt(c, k)
  if (side.means.past === true) return spokenHour(c, k + 1, number.value.value)
  if (side.text === 'to' && (fixed !== null || unit))
    return spokenHour(c, k + 1, -number.value.value)
  return null
}

function spokenHour(c: Context, i: number, shift: number): Parsed<ClockTime> | null {
  const clock = tokenAt(c, i).means.clock
  const hour =
    clock === undefined
      ? readNumber(c, i)
      : { value: { value: clock / 60, ordinal: false }, next: i + 1 }
  if (hour === null || hour.value.ordinal || hour.value.value > 24) return null
  if (isMark(c, hour.next, ':') || tokenAt(c, hour.next).means.month !== undefined) return null
  const minute = (hour.value.value * 60 + shift + 1440) % 1440
  const meridiem = readMeridiem(c, hour.next)
  if (meridiem !== null) {
    return time(
      (minute % 720) + (meridiem.value === 'pm' ? 720 : 0),
      false,
      meridiem.value,
      meridiem.next,
    )
  }
  const next = tokenAt(c, hour.next).means.oclock === true ? hour.next + 1 : hour.next
  return time(minute, clock === undefined && hour.value.value <= 12, null, next)
}

/** "pm", "p.m.", "p m". */
function readMeridiem(c: Context, i: number): Parsed<'am' | 'pm'> | null {
  const token = tokenAt(c, i)
  if (token.means.meridiem !== undefined) return { value: token.means.meridiem, next: i + 1 }
  if (token.text !== 'a' && token.text !== 'p') return null
  const dotted = isMark(c, i + 1, '.') ? i + 2 : i + 1
  if (tokenAt(c, dotted).text !== 'm') {
    const short = c.lang === 'en' && !token.spaced
    return short ? { value: token.text === 'a' ? 'am' : 'pm', next: i + 1 } : null
  }
  const next = isMark(c, dotted + 1, '.') && dotted === i + 2 ? dotted + 2 : dotted + 1
  return { value: token.text === 'a' ? 'am' : 'pm', next }
}

/** "in the evening", "'s avonds", "in de ochtend". */
export function readPart(c: Context, i: number): Parsed<PartOfDay> | null {
  let j = i
  if (isMark(c, j, ',')) j++
  if (tokenAt(c, j).means.within === 'in' || isWord(c, j, 'at')) j++
  if (
    tokenAt(c, j).means.article === true ||
    tokenAt(c, j).text === "'s" ||
    tokenAt(c, j).text === 's'
  )
    j++
  else if (isMark(c, j, "'") && isWord(c, j + 1, 's')) j += 2
  const { part, offset } = tokenAt(c, j).means
  if (part === undefined || (offset !== undefined && j === i)) return null
  return { value: part, next: j + 1 }
}

/** Moves "8" to the evening when the text says so. */
export function withPart(clock: ClockTime, part: PartOfDay): ClockTime {
  if (clock.meridiem !== null || !clock.twelveHour) return { ...clock, bare: false }
  const hour = Math.floor(clock.minute / 60)
  const known: ClockTime = { ...clock, twelveHour: false, bare: false }
  if (part === 'morning') return hour === 12 ? { ...known, minute: clock.minute - 720 } : known
  if (part === 'evening' && hour < 4) return known
  if (part === 'night' && (hour === 12 || hour < 5)) return { ...known, minute: clock.minute % 720 }
  return hour < 12 ? { ...known, minute: clock.minute + 720 } : known
}

/** The position after a word or mark that joins two times, else -1. */
export function readJoint(c: Context, i: number, between: boolean): number {
  const comma = isMark(c, i, ',') ? i + 1 : i
  const inclusive = readInclusive(c, comma)
  if (inclusive !== -1) return inclusive
  const means = tokenAt(c, comma).means
  if (means.range !== undefined) return comma + 1
  return between && means.list === true ? comma + 1 : -1
}

const INCLUSIVE = ['t / m', 'tot en met', 'tot & met', 't . e . m .', 't . e . m', 't . m .', 'tem']

/** The position after "t/m" and its spellings, else -1. */
export function readInclusive(c: Context, i: number): number {
  if (!tokenAt(c, i).text.startsWith('t')) return -1
  for (const phrase of INCLUSIVE) {
    const next = after(c, i, phrase)
    if (next !== -1) return next
  }
  return -1
}

function twelve(hour: number, meridiem: 'am' | 'pm'): number {
  if (hour > 12) return hour % 24
  return (hour % 12) + (meridiem === 'pm' ? 12 : 0)
}

function time(
  minute: number,
  twelveHour: boolean,
  meridiem: 'am' | 'pm' | null,
  next: number,
): Parsed<ClockTime> {
  return { value: { minute, twelveHour, meridiem, bare: false }, next }
}
