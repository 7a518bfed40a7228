import { textArray } from '../db/arrays.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Change, FieldChanges } from './types.ts'

export type Fields = Record<string, unknown>

/** Raised when items changed; readers look for themselves. */
export const itemChangesChannel = 'millrace_item_changes'

export async function insertChanges(tx: Tx, changes: readonly Change[], now: Date): Promise<void> {
  if (changes.length === 0) return
  await tx`
    insert into item_changes (kind, item_id, source_id, run_id, change, fields, at)
    select kind, item_id, source_id, run_id, change, fields, ${now}
    from unnest(${textArray(changes.map((one) => one.kind))}::text[], ${textArray(changes.map((one) => one.item_id))}::uuid[],
      ${textArray(changes.map((one) => one.source_id))}::uuid[], ${textArray(changes.map((one) => one.run_id))}::uuid[],
      ${textArray(changes.map((one) => one.change))}::text[],
      ${textArray(changes.map((one) => JSON.stringify(one.fields)))}::jsonb[])
      as c(kind, item_id, source_id, run_id, change, fields)`
  await tx`select pg_notify(${itemChangesChannel}, '')`
}

export interface ChangeRow {
  id: string
  change: string
  fields: FieldChanges
  runId: string | null
  at: Date
}

export async function changesOf(db: Db, itemId: string): Promise<ChangeRow[]> {
  return db<ChangeRow[]>`
    select id, change, fields, run_id as "runId", at from item_changes where item_id = ${itemId} order by id`
}

/** Which of the named fields differ, with both values; long texts are cut in the history. */
export function differences(before: Fields, after: Fields, names: readonly string[]): FieldChanges {
  const changes: FieldChanges = {}
  for (const name of names) {
    if (!same(before[name], after[name])) changes[name] = [short(before[name]), short(after[name])]
  }
  return changes
}

export function same(a: unknown, b: unknown): boolean {
  if (a === b || (isEmpty(a) && isEmpty(b))) return true
  return typeof a === 'object' && typeof b === 'object' && sorted(a) === sorted(b)
}

/** The database gives the keys of an object back in its own order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

export function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
}

const mostHistoryChars = 500

function short(value: unknown): unknown {
  return typeof value === 'string' && value.length > mostHistoryChars
    ? `${value.slice(0, mostHistoryChars)}…`
    : value
}

/** A value a helper improved stays, as long as the source still says what it said then. */
export function keepEnriched(
  incoming: Fields,
  enriched: Readonly<Record<string, [unknown, unknown]>>,
): {
  fields: Fields
  enriched: Record<string, [unknown, unknown]>
} {
  const fields = { ...incoming }
  const kept: Record<string, [unknown, unknown]> = {}
  for (const [name, [from, to]] of Object.entries(enriched)) {
    if (!same(incoming[name], from)) continue
    fields[name] = to
    kept[name] = [from, to]
  }
  return { fields, enriched: kept }
}
