import type { SourceEventRow } from '../../../contract/dashboard/sources.ts'

/** "rate_limit: 5 → 10", or what else the event tells in a line. */
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
  const told = [payload, event.outcome ?? {}].flatMap((from) =>
    ['reason', 'deletion_reason', 'url', 'decision', 'action', 'why'].map((name) => from[name]),
  )
  return told.filter((value) => typeof value === 'string').join(' · ')
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function show(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
