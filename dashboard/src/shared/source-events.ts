import type { SourceEventRow } from '../../../contract/dashboard/sources.ts'

export function momentOf(event: SourceEventRow): string | null {
  return event.occurred_at ?? event.timestamp ?? event.created_at ?? null
}

/** "rate_limit: 5 → 10", or what else the payload tells in a line. */
export function describeChange(event: SourceEventRow): string {
  const payload = event.payload ?? {}
  const fields = payload['changed_fields']
  if (Array.isArray(fields)) {
    const before = record(payload['previous'])
    const after = record(payload['current'])
    return fields
      .map(String)
      .map((field) => `${field}: ${show(before[field])} → ${show(after[field])}`)
      .join(', ')
  }
  const plain = ['reason', 'deletion_reason', 'disabled_by', 'url']
    .map((name) => payload[name])
    .filter((value) => typeof value === 'string')
  return plain.join(' · ') || event.outcome || ''
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function show(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
