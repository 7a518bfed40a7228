import { Temporal } from 'temporal-polyfill'
import { dayMs, hourMs, never } from './kinds.ts'

export const periods = ['today', '24h', '7d', '30d'] as const
export type Period = (typeof periods)[number]

export interface RangeQuery {
  period?: Period | undefined
  from?: Date | undefined
  to?: Date | undefined
  timezone: string
}

/** A half-open stretch of time: from <= t < to. */
export interface Range {
  period: Period | 'custom'
  timezone: string
  from: Date
  to: Date
}

/** `today` starts at the zone's own midnight; the other periods end now and are as long as they say. */
export function resolveRange(query: RangeQuery, now: Date): Range {
  const { timezone } = query
  if (query.from !== undefined)
    return { period: 'custom', timezone, from: query.from, to: query.to ?? now }
  const period = query.period ?? 'today'
  const to = query.to ?? now
  const from =
    period === 'today' ? startOfDay(to, timezone) : new Date(to.getTime() - lengths[period])
  return { period, timezone, from, to }
}

const lengths = { '24h': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs }

export function isTimeZone(text: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text)
    return true
  } catch {
    return false
  }
}

export function startOfDay(time: Date, timezone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timezone)
  return new Date(local.startOfDay().epochMilliseconds)
}

/** Starts of the buckets that cover the range, oldest first: hours, or the zone's own days of 23 to 25 hours. */
export function bucketStarts(range: Range, bucket: 'hour' | 'day'): Date[] {
  const starts: Date[] = []
  if (bucket === 'hour') {
    for (
      let at = Math.floor(range.from.getTime() / hourMs) * hourMs;
      at < range.to.getTime();
      at += hourMs
    )
      starts.push(new Date(at))
    return starts
  }
  let day = Temporal.Instant.fromEpochMilliseconds(range.from.getTime())
    .toZonedDateTimeISO(range.timezone)
    .startOfDay()
  while (day.epochMilliseconds < range.to.getTime()) {
    starts.push(new Date(day.epochMilliseconds))
    day = day.add({ days: 1 }).startOfDay()
  }
  return starts
}

/** A range as the sums hold it: whole hours [firstHour, endHour), and the ragged ends that only the rows know. */
export interface Cut {
  firstHour: number
  /** `never` when nothing happened at or after the end: then the current hour is whole too. */
  endHour: number
  ends: { from: Date; to: Date }[]
}

export function cutRange(range: { from: Date; to: Date }, latestEvent: Date | null): Cut {
  return cutBy(1, range, latestEvent)
}

/** For sums that are kept by day (UTC) only. */
export function cutByDays(range: { from: Date; to: Date }, latestEvent: Date | null): Cut {
  return cutBy(24, range, latestEvent)
}

function cutBy(hours: number, range: { from: Date; to: Date }, latestEvent: Date | null): Cut {
  const from = range.from.getTime()
  const to = range.to.getTime()
  const firstHour = Math.ceil(from / (hours * hourMs)) * hours
  const isOpen = latestEvent === null || latestEvent.getTime() < to
  const endHour = isOpen ? never : Math.floor(to / (hours * hourMs)) * hours
  const ends = (edges: [number, number][]): Cut['ends'] =>
    edges.filter(([a, b]) => a < b).map(([a, b]) => ({ from: new Date(a), to: new Date(b) }))
  if (endHour <= firstHour) return { firstHour: 0, endHour: 0, ends: ends([[from, to]]) }
  const head: [number, number] = [from, Math.min(firstHour * hourMs, to)]
  if (isOpen) return { firstHour, endHour, ends: ends([head]) }
  return { firstHour, endHour, ends: ends([head, [endHour * hourMs, to]]) }
}
