// Civil calendar arithmetic on day numbers (days since 1970-01-01), free of zones and of Date objects.

export interface Civil {
  y: number
  m: number
  d: number
}

export function dayNumber(y: number, m: number, d: number): number {
  const year = m <= 2 ? y - 1 : y
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + d - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146097 + dayOfEra - 719468
}

export function civilOf(day: number): Civil {
  const shifted = day + 719468
  const era = Math.floor(shifted / 146097)
  const dayOfEra = shifted - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153)
  const d = dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1
  const m = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
  return { y: yearOfEra + era * 400 + (m <= 2 ? 1 : 0), m, d }
}

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

export function daysInMonth(y: number, m: number): number {
  if (m === 2) return (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0 ? 29 : 28
  return m === 4 || m === 6 || m === 9 || m === 11 ? 30 : 31
}

export function isCivil(y: number, m: number, d: number): boolean {
  return m >= 1 && m <= 12 && d >= 1 && d <= daysInMonth(y, m)
}

/** A month later has the same day of the month, or the month's last day when it is shorter. */
export function addMonths(day: number, months: number): number {
  const { y, m, d } = civilOf(day)
  const index = y * 12 + (m - 1) + months
  const year = Math.floor(index / 12)
  const month = index - year * 12 + 1
  return dayNumber(year, month, Math.min(d, daysInMonth(year, month)))
}

export function mondayOf(day: number): number {
  return day - weekdayOf(day) + 1
}

/** The Monday of an ISO week. */
export function isoWeekStart(year: number, week: number): number {
  return mondayOf(dayNumber(year, 1, 4)) + (week - 1) * 7
}

/** The nth weekday of a month; negative counts from the end. Null when the month has none. */
export function nthWeekday(y: number, m: number, weekday: number, nth: number): number | null {
  const first = dayNumber(y, m, 1)
  const last = first + daysInMonth(y, m) - 1
  const day =
    nth > 0
      ? first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7
      : last - ((weekdayOf(last) - weekday + 7) % 7) + (nth + 1) * 7
  return day >= first && day <= last ? day : null
}

/** Easter Sunday by the Gregorian computus. */
export function easterSunday(y: number): number {
  const golden = y % 19
  const century = Math.floor(y / 100)
  const skippedLeaps = century - Math.floor(century / 4)
  const moonShift = Math.floor((8 * century + 13) / 25)
  const epact = (((skippedLeaps - moonShift + 19 * golden + 15) % 30) + 30) % 30
  const fullMoon =
    epact -
    Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11))
  const weekdayShift = (y + Math.floor(y / 4) + fullMoon + 2 - skippedLeaps) % 7
  const offset = fullMoon - weekdayShift
  const month = 3 + Math.floor((offset + 40) / 44)
  return dayNumber(y, month, offset + 28 - 31 * Math.floor(month / 4))
}

export function formatDay(day: number): string {
  const { y, m, d } = civilOf(day)
  return `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
}

export function formatMinute(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
