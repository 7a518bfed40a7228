import { Temporal } from 'temporal-polyfill'
import type { Language } from '../types.ts'

/** The date (YYYY-MM-DD) a number of days after `now`, as people in the zone count days. */
export function dayFrom(now: Date, days: number, timezone: string): string {
  return zoned(now, timezone).toPlainDate().add({ days }).toString()
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date.slice(0, 10)).add({ days }).toString()
}

export function addMinutes(local: string, minutes: number): string {
  return Temporal.PlainDateTime.from(local).add({ minutes }).toString({ smallestUnit: 'minute' })
}

export function shiftDays(local: string, days: number): string {
  return addDays(local, days) + local.slice(10)
}

export const isWholeDay = (local: string): boolean => local.length === 10

/** Wall time with the zone's offset: 2026-11-20T20:30:00+01:00. Dates stay dates. */
export function withOffset(local: string, timezone: string): string {
  if (isWholeDay(local)) return local
  return Temporal.PlainDateTime.from(local)
    .toZonedDateTime(timezone)
    .toString({ smallestUnit: 'second', timeZoneName: 'never' })
}

export function toInstant(local: string, timezone: string): Date {
  const text = isWholeDay(local) ? `${local}T00:00` : local
  return new Date(
    Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).toInstant().epochMilliseconds,
  )
}

/** Wall time of an instant with offset, as CMSes print it. */
export function instantWithOffset(instant: Date, timezone: string): string {
  return zoned(instant, timezone).toString({ smallestUnit: 'second', timeZoneName: 'never' })
}

export function localOf(instant: Date, timezone: string): string {
  return zoned(instant, timezone).toPlainDateTime().toString({ smallestUnit: 'minute' })
}

export interface DateWords {
  weekday: string
  weekdayShort: string
  day: number
  month: string
  monthShort: string
  monthNumber: number
  year: number
  /** 20:30; empty for whole days. */
  time: string
}

/** The parts of a local date in words, for sites to put together as they like. */
export function dateWords(local: string, language: Language): DateWords {
  const date = Temporal.PlainDate.from(local.slice(0, 10))
  const words = language === 'nl' ? dutch : english
  const month = words.months[date.month - 1] ?? ''
  const weekday = words.weekdays[date.dayOfWeek - 1] ?? ''
  return {
    weekday,
    weekdayShort: weekday.slice(0, language === 'nl' ? 2 : 3),
    day: date.day,
    month,
    monthShort: month === 'maart' ? 'mrt' : month.slice(0, 3),
    monthNumber: date.month,
    year: date.year,
    time: local.slice(11, 16),
  }
}

function zoned(instant: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timezone)
}

const dutch = {
  weekdays: ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag', 'zaterdag', 'zondag'],
  months: [
    'januari',
    'februari',
    'maart',
    'april',
    'mei',
    'juni',
    'juli',
    'augustus',
    'september',
    'oktober',
    'november',
    'december',
  ],
}

const english = {
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  months: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
}
