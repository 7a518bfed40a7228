import type { SourceField, SourceInput } from './fields.ts'

/** A source as it is stored; the names are the columns' (see fields.ts for why). */
export interface Source extends SourceInput {
  id: string
  url_key: string
  host_key: string
  disabled_reason: string | null
  auto_disabled: boolean
  auto_disabled_reason: string | null
  version: number
  last_event_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface Diff {
  changed_fields: SourceField[]
  previous: Record<string, unknown>
  current: Record<string, unknown>
}

/** What really differs between two versions of a source, by value. */
export function diffSource(
  before: SourceInput,
  after: SourceInput,
  fields: readonly SourceField[],
): Diff {
  const changed_fields = fields.filter((field) => !same(before[field], after[field]))
  return {
    changed_fields,
    previous: Object.fromEntries(changed_fields.map((field) => [field, before[field]])),
    current: Object.fromEntries(changed_fields.map((field) => [field, after[field]])),
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

/** Objects compare by content, whatever the order of their keys. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
