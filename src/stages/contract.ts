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
  const refuse = (field: string, message: string, reason: RejectReason): void => {
    errors.push({ field, message, reason })
  }
  const text = (field: string, longest: number): string => {
    const value = given[field]
    if (value === undefined || value === null || value === '')
      refuse(field, 'is missing', 'missing_field')
    else if (typeof value !== 'string') refuse(field, 'is not a text', 'invalid_field')
    else if (value.length > longest)
      refuse(field, `is longer than ${longest} characters`, 'invalid_field')
    else if (isUnstorable(value))
      refuse(field, 'holds characters that cannot be stored', 'invalid_field')
    else return value
    return ''
  }

  const url = text('article_url', 8000)
  if (url !== '' && !addressOf(url).isWeb)
    refuse('article_url', 'is not an http or https address', 'invalid_url')
  const canonical = (given['canonical_url'] ?? null) === null ? null : text('canonical_url', 8000)
  if (canonical !== null && canonical !== '' && !addressOf(canonical).isWeb)
    refuse('canonical_url', 'is not an http or https address', 'invalid_url')
  const sourceName = text('source_name', 300)
  const stage = text('stage', 100)
  if (stage !== '' && !isStage(stage))
    refuse('stage', `"${stage}" is none of ${stageNames.join(', ')}`, 'unknown_stage')
  const occurredAt = checkTime(text('occurred_at', 100), now, refuse)
  const serviceName = text('service_name', 100)
  const key = given['idempotency_key'] ?? null
  const idempotencyKey = key === null ? null : text('idempotency_key', 500)
  const { metadata, json } = checkMetadata(given['metadata'], refuse)
  const metadataSchemaVersion = given['metadata_schema_version'] ?? 1
  if (!isSmallInteger(metadataSchemaVersion)) {
    refuse('metadata_schema_version', 'is not a whole number from 1 to 32767', 'invalid_field')
    return { errors }
  }
  if (errors.length > 0 || !isStage(stage)) return { errors }
  const source = { id: null, name: sourceName }
  // Redirected or republished under another address: it counts as the article it really is.
  const isAlias = canonical !== null && addressOf(canonical).hash !== addressOf(url).hash
  return {
    event: {
      url: isAlias ? canonical : url,
      source,
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

type Refuse = (field: string, message: string, reason: RejectReason) => void

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

function checkTime(text: string, now: Date, refuse: Refuse): Date {
  if (text === '') return now
  const time = new Date(text)
  const isUtc = /(Z|\+00:00)$/i.test(text)
  // The date constructor takes 30 February for 2 March.
  const isRealDay = !isUtc || time.getUTCDate() === Number(text.slice(8, 10))
  if (!timePattern.test(text) || Number.isNaN(time.getTime()) || !isRealDay)
    refuse('occurred_at', 'is not a time such as 2026-02-10T14:30:00Z', 'invalid_field')
  else if (!isUtc) refuse('occurred_at', 'is not UTC: end it with Z', 'not_utc')
  else if (time.getTime() > now.getTime() + skewMs)
    refuse('occurred_at', 'is in the future', 'in_future')
  else if (time.getTime() < now.getTime() - oldestMs)
    refuse('occurred_at', 'is more than 24 hours ago', 'too_old')
  return time
}

/** NUL and halves of surrogate pairs; the first look needs no Unicode tables and settles nearly all texts. */
function isUnstorable(text: string): boolean {
  return /[\0\ud800-\udfff]/.test(text) && /[\0\p{Cs}]/u.test(text)
}

function checkMetadata(
  value: unknown,
  refuse: Refuse,
): { metadata: Record<string, unknown> | null; json?: string } {
  if (value === undefined || value === null) return { metadata: null }
  if (typeof value !== 'object' || Array.isArray(value)) {
    refuse('metadata', 'is not an object', 'invalid_field')
    return { metadata: null }
  }
  const json = JSON.stringify(value)
  if (json.length > metadataBytes)
    refuse('metadata', `is larger than ${metadataBytes} bytes`, 'invalid_field')
  return { metadata: value as Record<string, unknown>, json }
}

function isSmallInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 32_767
}
