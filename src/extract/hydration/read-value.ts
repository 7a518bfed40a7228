import { cleanText } from '../schema-org/read-property.ts'
import { isObject } from './state.ts'

const MAX_TEXT = 200_000
const INNER_TEXT = [
  'rendered',
  'text',
  'value',
  'plain',
  'html',
  'title',
  'name',
  'label',
  'default',
  'nl',
  'en',
  'de',
  'fr',
]
const INNER_DATE = [
  'dateTime',
  'datetime',
  'iso',
  'local',
  'utc',
  'date',
  '$date',
  'start',
  'startDate',
  'value',
  'raw',
  'timestamp',
  'seconds',
  '_seconds',
]
const INNER_URL = [
  'url',
  'href',
  'src',
  'path',
  'current',
  'sourceUrl',
  'source_url',
  'full',
  'large',
  'original',
  'uri',
  'permalink',
]

const ISO = /^\d{4}-\d{1,2}-\d{1,2}(?!\d)|^\d{8}T\d{4}|^\d{4}\/\d{2}\/\d{2}/
const NUMERIC = /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b/
const WORDED =
  /\b\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:jan|feb|mar|maa|mrt|apr|may|mei|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s+\d{1,2}\b/i
export const CLOCK = /^\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[ap]m)?$/i

/** The readable text in a value: plain, rendered, localized, or the name of an object. */
export function readText(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return cleanText(value.slice(0, MAX_TEXT)) || null
  if (typeof value !== 'object' || value === null || depth > 2) return null
  if (Array.isArray(value))
    return value.length > 0 && value.length < 50 ? readText(value[0], depth + 1) : null
  for (const key of INNER_TEXT) {
    const text = readText((value as Record<string, unknown>)[key], depth + 1)
    if (text !== null) return text
  }
  return null
}

/** A list of texts, each element's own. */
export function readTexts(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value.slice(0, 30) : [value]
  return list.flatMap((item) => readText(item) ?? [])
}

/** A date as text; numbers that count seconds or milliseconds become ISO. */
export function readDate(value: unknown, depth = 0): string | null {
  if (typeof value === 'number') return fromEpoch(value)
  if (typeof value === 'string') {
    const text = value.trim()
    if (text.length < 6 || text.length > 80) return null
    if (/^\d{10}$|^\d{13}$/.test(text)) return fromEpoch(Number(text))
    return ISO.test(text) || NUMERIC.test(text) || WORDED.test(text) ? text : null
  }
  if (depth > 2) return null
  if (Array.isArray(value)) return value.length === 0 ? null : readDate(value[0], depth + 1)
  if (!isObject(value)) return null
  for (const key of INNER_DATE) {
    const date = readDate(value[key], depth + 1)
    if (date !== null) return withTime(date, value['time'] ?? value['startTime'])
  }
  return null
}

/** A day and a clock time that stand in two fields. */
export function withTime(date: string, time: unknown): string {
  const clock = typeof time === 'string' ? time.trim() : ''
  const day = /^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?Z?)?$/.exec(date)
  if (day === null || !CLOCK.test(clock)) return date
  return /[ap]m$/i.test(clock)
    ? `${date.slice(0, 10)} ${clock}`
    : `${date.slice(0, 10)}T${clock.replace('.', ':').padStart(5, '0')}`
}

/** The URL or path in a value, not yet resolved. */
export function readUrl(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') {
    const text = value.trim()
    return text !== '' && text.length < 2_000 && !/\s/.test(text) ? text : null
  }
  if (depth > 2 || typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return value.length === 0 ? null : readUrl(value[0], depth + 1)
  for (const key of INNER_URL) {
    const url = readUrl((value as Record<string, unknown>)[key], depth + 1)
    if (url !== null) return url
  }
  return null
}

function fromEpoch(value: number): string | null {
  const ms = value > 1e11 ? value : value * 1_000
  // 2000 to 2045: everything else is some other number.
  return ms > 946_684_800_000 && ms < 2_366_841_600_000 ? new Date(ms).toISOString() : null
}
