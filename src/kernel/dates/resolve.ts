import { civilOf, dayNumber, daysInMonth, isCivil, weekdayOf } from './calendar.ts'
import { type Part, type Span, spanOf } from './context.ts'

/** Fills in what the text left out: the first such day from `notBefore` on. */
export function resolvePart(part: Part, notBefore: number): Span | null {
  const { y, m, d, wd, span } = part
  if (span !== undefined) return span
  if (m !== undefined && d !== undefined) {
    const found =
      y === undefined
        ? nextMonthDay(m, d, wd, notBefore)
        : isCivil(y, m, d)
          ? dayNumber(y, m, d)
          : null
    return found === null ? null : spanOf(found, found, 'day')
  }
  if (m !== undefined) return monthSpan(y ?? yearOfMonth(m, notBefore), m)
  if (y !== undefined) return spanOf(dayNumber(y, 1, 1), dayNumber(y, 12, 31), 'year')
  if (d === undefined && wd !== undefined) {
    const first = notBefore + ((wd - weekdayOf(notBefore) + 7) % 7)
    return spanOf(first, first, 'day')
  }
  const found = d === undefined ? null : nextDayOfMonth(d, wd, notBefore)
  return found === null ? null : spanOf(found, found, 'day')
}

export function monthSpan(y: number, m: number): Span {
  return spanOf(dayNumber(y, m, 1), dayNumber(y, m, daysInMonth(y, m)), 'month')
}

/** The year of a range without one that is under way on `ref`: what runs now is not a year off. */
export function runningYear(a: Part, b: Part, ref: number): number | undefined {
  if (a.y !== undefined || b.y !== undefined) return undefined
  if (a.m === undefined || a.d === undefined || b.m === undefined || b.d === undefined)
    return undefined
  const overNewYear = b.m < a.m || (b.m === a.m && b.d < a.d) ? 1 : 0
  const now = civilOf(ref).y
  for (const y of [now - 1, now]) {
    if (!isCivil(y, a.m, a.d) || !isCivil(y + overNewYear, b.m, b.d)) continue
    const from = dayNumber(y, a.m, a.d)
    const fits = a.wd === undefined || weekdayOf(from) === a.wd
    if (fits && from < ref && dayNumber(y + overNewYear, b.m, b.d) > ref) return y
  }
  return undefined
}

/** The first year in which this month is not over yet. */
export function yearOfMonth(m: number, notBefore: number): number {
  const now = civilOf(notBefore)
  return m >= now.m ? now.y : now.y + 1
}

/** A weekday that does not fit moves the date on, at most into the next calendar year: people rarely plan further. */
function nextMonthDay(
  m: number,
  d: number,
  wd: number | undefined,
  notBefore: number,
): number | null {
  const start = civilOf(notBefore).y
  let first: number | null = null
  for (let y = start; y <= start + 8 && first === null; y++) {
    if (isCivil(y, m, d) && dayNumber(y, m, d) >= notBefore) first = dayNumber(y, m, d)
  }
  if (first === null || wd === undefined || weekdayOf(first) === wd) return first
  const { y } = civilOf(first)
  if (y > start || !isCivil(y + 1, m, d)) return first
  const later = dayNumber(y + 1, m, d)
  return weekdayOf(later) === wd ? later : first
}

/** With a weekday, a fitting day of the running month may be past; without one it is ahead. */
function nextDayOfMonth(d: number, wd: number | undefined, notBefore: number): number | null {
  const { y, m } = civilOf(notBefore)
  for (let index = y * 12 + m - 1, tries = 0; tries < 48; index++, tries++) {
    const year = Math.floor(index / 12)
    const month = (index % 12) + 1
    if (!isCivil(year, month, d)) continue
    const candidate = dayNumber(year, month, d)
    if (wd === undefined ? candidate >= notBefore : weekdayOf(candidate) === wd) return candidate
  }
  return null
}
