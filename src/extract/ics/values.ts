import type { Component, ContentLine } from './lines.ts'
import type { IcsDuration, IcsTime, IcsZone } from './types.ts'

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

export function unescapeText(value: string): string {
  return value.replace(/\\([nN\\;,:"])/g, (_, escaped: string) =>
    escaped === 'n' || escaped === 'N' ? '\n' : escaped,
  )
}

export function textOf(component: Component, name: string): string | null {
  const line = lineOf(component, name)
  if (line === undefined) return null
  const text = unescapeText(line.value).trim()
  return text === '' ? null : text
}

export function lineOf(component: Component, name: string): ContentLine | undefined {
  return component.lines.find((line) => line.name === name)
}

export function linesOf(component: Component, name: string): ContentLine[] {
  return component.lines.filter((line) => line.name === name)
}

const STAMP =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?/i

/** Reads a DATE or DATE-TIME, with the zone its parameter names. Null when it is neither. */
export function readTime(
  value: string,
  zone: string | null,
  zones: ReadonlyMap<string, IcsZone>,
): IcsTime | null {
  const match = STAMP.exec(value.trim())
  if (match === null) return null
  const [, y, m, d, hour, minute, second, offset] = match
  const day = Math.floor(Date.UTC(Number(y), Number(m) - 1, Number(d)) / 86_400_000)
  if (Number(m) < 1 || Number(m) > 12 || Number(d) < 1 || Number(d) > 31 || Number.isNaN(day))
    return null
  if (hour === undefined) return { kind: 'date', day, second: 0, zone: null }
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Math.min(59, Number(second ?? 0))
  const time = { day: day + Math.floor(seconds / 86_400), second: seconds % 86_400 }
  if (offset !== undefined) {
    const shift = offsetSeconds(offset)
    const epoch = time.day * 86_400 + time.second - shift
    return {
      kind: 'zoned',
      day: Math.floor(epoch / 86_400),
      second: ((epoch % 86_400) + 86_400) % 86_400,
      zone: 'UTC',
    }
  }
  if (zone !== null && zones.has(zone)) return { kind: 'zoned', ...time, zone }
  return { kind: 'floating', ...time, zone: null }
}

export function offsetSeconds(offset: string): number {
  const match = /^([+-])(\d{2}):?(\d{2}):?(\d{2})?$/.exec(offset.trim())
  if (match === null) return 0
  const total = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
  return match[1] === '-' ? -total : total
}

/** Longer than a lifetime is a mistake, and would leave the calendar. */
const MAX_DAYS = 36_525

/** "P1W", "PT1H30M", "-P2D". */
export function readDuration(value: string): IcsDuration | null {
  const match =
    /^\s*([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?\s*$/i.exec(value)
  if (match === null) return null
  const [, sign, weeks, days, hours, minutes, seconds] = match
  const factor = sign === '-' ? -1 : 1
  const allDays = Number(weeks ?? 0) * 7 + Number(days ?? 0)
  if (allDays > MAX_DAYS || Number(hours ?? 0) > MAX_DAYS || Number(minutes ?? 0) > MAX_DAYS * 60)
    return null
  if (Number(seconds ?? 0) > MAX_DAYS * 3600) return null
  return {
    days: factor * allDays,
    seconds:
      factor * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)),
  }
}

export function weekdayNumber(code: string): number {
  return WEEKDAYS.indexOf(code.toUpperCase()) + 1
}

/** The public form: a day, a floating wall clock, or an instant in UTC. */
export function formatTime(time: IcsTime, zones: ReadonlyMap<string, IcsZone>): string {
  if (time.kind === 'date') return isoDay(time.day)
  if (time.kind === 'floating') return `${isoDay(time.day)}T${clock(time.second)}`
  return new Date(epochOf(time, zones) * 1000).toISOString().replace('.000Z', 'Z')
}

/** Seconds since 1970; days and floating times count as if in UTC. */
export function epochOf(time: IcsTime, zones: ReadonlyMap<string, IcsZone>): number {
  const zone = time.zone === null ? undefined : zones.get(time.zone)
  return zone === undefined
    ? time.day * 86_400 + time.second
    : zone.toEpochSeconds(time.day, time.second)
}

function isoDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

function clock(second: number): string {
  return new Date(second * 1000).toISOString().slice(11, 19)
}
