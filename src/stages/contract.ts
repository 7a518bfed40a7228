import { addressOf, type StageEvent } from './event.ts'
import { hourMs, isStage, stageNames } from './kinds.ts'

/** Why an event is refused; the label of the counter too. */
export type RejectReason =
  | 'missing_field'
  | 'invalid_field'
  | 'unknown_stage'
  | 'invalid_url'
  | 'not_utc'
  | 'in_future'
  | 'too_old'

export interface Rejection {
  field: string
  message: string
  reason: RejectReason
}

export type Checked = { event: StageEvent } | { errors: Rejection[] }

export const oldestMs = 24 * hourMs
/** Clocks of two machines differ a little; more than this is a future nobody can have seen. */
const skewMs = 2000
const metadataBytes = 64 * 1024

/** An event of another service, by the contract of the ingest API: every wrong field is named. */
export function checkEvent(input: unknown, now: Date): Checked {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { errors: [{ field: 'body', message: 'is not an object', reason: 'invalid_field' }] }
  const given = input as Record<string, unknown>
  const errors: Rejection[] = []
  const url = checkUrl(given, 'article_url', errors)
  const canonical = isGiven(given, 'canonical_url')
    ? checkUrl(given, 'canonical_url', errors)
    : null
  const sourceName = checkText(given, 'source_name', 300, errors)
  const stage = checkText(given, 'stage', 100, errors)
  if (stage !== '' && !isStage(stage))
    errors.push({
      field: 'stage',
      message: `"${stage}" is none of ${stageNames.join(', ')}`,
      reason: 'unknown_stage',
    })
  const occurredAt = checkTime(checkText(given, 'occurred_at', 100, errors), now, errors)
  const serviceName = checkText(given, 'service_name', 100, errors)
  const idempotencyKey = isGiven(given, 'idempotency_key')
    ? checkText(given, 'idempotency_key', 500, errors)
    : null
  const { metadata, json } = checkMetadata(given['metadata'], errors)
  const metadataSchemaVersion = given['metadata_schema_version'] ?? 1
  if (!isSmallInteger(metadataSchemaVersion)) {
    errors.push({
      field: 'metadata_schema_version',
      message: 'is not a whole number from 1 to 32767',
      reason: 'invalid_field',
    })
    return { errors }
  }
  if (errors.length > 0 || !isStage(stage)) return { errors }
  // Redirected or republished under another address: it counts as the article it really is.
  const isAlias = canonical !== null && addressOf(canonical).hash !== addressOf(url).hash
  return {
    event: {
      url: isAlias ? canonical : url,
      source: { id: null, name: sourceName },
      stage,
      occurredAt,
      serviceName,
      idempotencyKey,
      metadata: isAlias ? { ...metadata, reported_url: url } : metadata,
      metadataJson: isAlias ? undefined : json,
      metadataSchemaVersion,
    },
  }
}

function isGiven(given: Record<string, unknown>, field: string): boolean {
  return given[field] !== undefined && given[field] !== null
}

function checkUrl(given: Record<string, unknown>, field: string, errors: Rejection[]): string {
  const url = checkText(given, field, 8000, errors)
  if (url !== '' && !addressOf(url).isWeb)
    errors.push({ field, message: 'is not an http or https address', reason: 'invalid_url' })
  return url
}

function checkText(
  given: Record<string, unknown>,
  field: string,
  longest: number,
  errors: Rejection[],
): string {
  const value = given[field]
  if (value === undefined || value === null || value === '')
    errors.push({ field, message: 'is missing', reason: 'missing_field' })
  else if (typeof value !== 'string')
    errors.push({ field, message: 'is not a text', reason: 'invalid_field' })
  else if (value.length > longest)
    errors.push({
      field,
      message: `is longer than ${longest} characters`,
      reason: 'invalid_field',
    })
  else if (isUnstorable(value))
    errors.push({
      field,
      message: 'holds characters that cannot be stored',
      reason: 'invalid_field',
    })
  else return value
  return ''
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

function checkTime(text: string, now: Date, errors: Rejection[]): Date {
  if (text === '') return now
  const time = new Date(text)
  const isUtc = text.endsWith('Z') || /(z|\+00:00)$/.test(text)
  // The date constructor takes 30 February for 2 March.
  const isRealDay = !isUtc || time.getUTCDate() === Number(text.slice(8, 10))
  if (!timePattern.test(text) || Number.isNaN(time.getTime()) || !isRealDay)
    errors.push({
      field: 'occurred_at',
      message: 'is not a time such as 2026-02-10T14:30:00Z',
      reason: 'invalid_field',
    })
  else if (!isUtc)
    errors.push({ field: 'occurred_at', message: 'is not UTC: end it with Z', reason: 'not_utc' })
  else if (time.getTime() > now.getTime() + skewMs)
    errors.push({ field: 'occurred_at', message: 'is in the future', reason: 'in_future' })
  else if (time.getTime() < now.getTime() - oldestMs)
    errors.push({ field: 'occurred_at', message: 'is more than 24 hours ago', reason: 'too_old' })
  return time
}

/** NUL and halves of surrogate pairs; the first look needs no Unicode tables and settles nearly all texts. */
function isUnstorable(text: string): boolean {
  return /[\0\ud800-\udfff]/.test(text) && /[\0\p{Cs}]/u.test(text)
}

function checkMetadata(
  value: unknown,
  errors: Rejection[],
): { metadata: Record<string, unknown> | null; json?: string } {
  if (value === undefined || value === null) return { metadata: null }
  if (typeof value !== 'object' || Array.isArray(value)) {
    errors.push({ field: 'metadata', message: 'is not an object', reason: 'invalid_field' })
    return { metadata: null }
  }
  const json = JSON.stringify(value)
  if (json.length > metadataBytes)
    errors.push({
      field: 'metadata',
      message: `is larger than ${metadataBytes} bytes`,
      reason: 'invalid_field',
    })
  return { metadata: value as Record<string, unknown>, json }
}

function isSmallInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 32_767
}
