import type { IcsRule, IcsZone } from './types.ts'
import { readTime, weekdayNumber } from './values.ts'

const FREQUENCIES = [
  'YEARLY',
  'MONTHLY',
  'WEEKLY',
  'DAILY',
  'HOURLY',
  'MINUTELY',
  'SECONDLY',
] as const

/** Parses an RRULE value; unknown parts are ignored, a rule without a known FREQ is null. */
export function readRule(value: string, zones: ReadonlyMap<string, IcsZone>): IcsRule | null {
  const parts = new Map<string, string>()
  for (const part of value.replace(/^RRULE:/i, '').split(';')) {
    const [key = '', ...rest] = part.split('=')
    parts.set(key.trim().toUpperCase(), rest.join('=').trim())
  }
  const freq = FREQUENCIES.find((name) => name === parts.get('FREQ')?.toUpperCase())
  if (freq === undefined) return null
  const numbers = (key: string, min: number, max: number): number[] =>
    (parts.get(key) ?? '')
      .split(',')
      .map((text) => (/^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN))
      .filter((n) => Math.abs(n) >= min && Math.abs(n) <= max)
  const count = Number(parts.get('COUNT'))
  const interval = Number(parts.get('INTERVAL'))
  return {
    freq,
    interval: Number.isInteger(interval) && interval > 0 ? interval : 1,
    count: Number.isInteger(count) && count > 0 ? count : null,
    until: parts.has('UNTIL') ? readTime(parts.get('UNTIL') ?? '', null, zones) : null,
    weekStart: weekdayNumber(parts.get('WKST') ?? 'MO') || 1,
    byMonth: numbers('BYMONTH', 1, 12),
    byWeekNo: numbers('BYWEEKNO', 1, 53),
    byYearDay: numbers('BYYEARDAY', 1, 366),
    byMonthDay: numbers('BYMONTHDAY', 1, 31),
    byDay: readWeekdays(parts.get('BYDAY') ?? ''),
    byHour: numbers('BYHOUR', 0, 23),
    byMinute: numbers('BYMINUTE', 0, 59),
    bySecond: numbers('BYSECOND', 0, 59),
    bySetPos: numbers('BYSETPOS', 1, 366),
  }
}

function readWeekdays(value: string): IcsRule['byDay'] {
  return value.split(',').flatMap((text) => {
    const match = /^\s*([+-]?\d{1,2})?\s*(MO|TU|WE|TH|FR|SA|SU)\s*$/i.exec(text)
    return match === null
      ? []
      : [{ weekday: weekdayNumber(match[2] ?? ''), nth: Number(match[1] ?? 0) }]
  })
}
