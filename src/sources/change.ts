import { transaction, type Sql, type Tx } from '../db/pool.ts'
import { sourceFieldNames, type SourceField, type SourceInput, type SourcePatch } from './fields.ts'
import { writeFirstEvents, writeSourceEvents, type NewSourceEvent } from './outbox.ts'
import { diffSource, type Source } from './source.ts'
import {
  deleteSources,
  findByAddress,
  insertSources,
  lockSources,
  sourceIdentity,
  updateSources,
  type NewSource,
} from './store.ts'

// Every change of a source and the event that tells of it commit together, or not at all.

/** The demo is there to be watched. */
export const demoFirstRunsMs = 60_000

export interface ChangeOptions {
  now: Date
  by: 'user' | 'system'
  /** Without it new sources stay without a job until somebody makes one. */
  autoManage: boolean
  /**
   * Somebody is waiting for the first crawls: they start from now on, evenly over this time. Without it each finds its
   * place in the rhythm of the day.
   */
  firstRunsWithinMs?: number
}

export type ChangeResult =
  | { ok: true; source: Source; changed: SourceField[] }
  | { ok: false; reason: 'missing' }
  | { ok: false; reason: 'stale'; version: number }
  | { ok: false; reason: 'duplicate'; existingId: string }

/** Fields that have their own event, written by enabling and disabling. */
const toggled: SourceField = 'enabled'

export async function createSources(
  sql: Sql,
  inputs: readonly NewSource[],
  options: ChangeOptions,
): Promise<{ created: Source[]; duplicates: { url: string; existingId: string }[] }> {
  return transaction(sql, async (tx) => {
    const created = await insertWithEvents(tx, inputs, options)
    const made = new Set(created.map((source) => source.url_key))
    const missed = inputs.filter((input) => !made.has(sourceIdentity(input.url)?.url_key ?? ''))
    return { created, duplicates: await explainDuplicates(tx, missed) }
  })
}

/** All or nothing: a known address rolls everything back. */
export async function importSources(
  sql: Sql,
  inputs: readonly SourceInput[],
  options: ChangeOptions,
): Promise<Source[]> {
  return transaction(sql, async (tx) => {
    const created = await insertWithEvents(tx, inputs, options)
    if (created.length !== inputs.length) throw new ImportConflict()
    return created
  })
}

/** Statements of a bounded size, in the order of addresses, so that two imports cannot wait for each other in a circle. */
const insertSize = 2000

async function insertWithEvents(
  tx: Tx,
  inputs: readonly NewSource[],
  options: ChangeOptions,
): Promise<Source[]> {
  const sorted = inputs
    .map((input) => ({ input, key: sourceIdentity(input.url)?.url_key ?? '' }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ input }) => input)
  const created: Source[] = []
  for (let at = 0; at < sorted.length; at += insertSize) {
    const part = sorted.slice(at, at + insertSize)
    const sources = await insertSources(tx, part, options.autoManage ? options.now : null)
    created.push(...sources)
    if (!options.autoManage) continue
    const events = sources.map((source, index): NewSourceEvent => ({
      type: 'SOURCE_CREATED',
      sourceId: source.id,
      payload: { ...createdPayload(source), ...firstRun(options, at + index, sorted.length) },
    }))
    await writeFirstEvents(tx, events, options.now)
  }
  return created
}

function firstRun(
  { now, firstRunsWithinMs }: ChangeOptions,
  index: number,
  count: number,
): { first_run_at?: string } {
  if (firstRunsWithinMs === undefined) return {}
  const delayMs = Math.floor((firstRunsWithinMs * index) / count)
  return { first_run_at: new Date(now.getTime() + delayMs).toISOString() }
}

export class ImportConflict extends Error {
  constructor() {
    super('another change added one of these addresses meanwhile')
    this.name = 'ImportConflict'
  }
}

/** Changes what the patch names. An If-Match version that is no longer current changes nothing. */
export async function patchSource(
  sql: Sql,
  id: string,
  patch: SourcePatch,
  expectedVersion: number | null,
  options: ChangeOptions,
): Promise<ChangeResult> {
  return transaction(sql, async (tx) => {
    const [before] = await lockSources(tx, [id])
    if (before === undefined) return { ok: false, reason: 'missing' } as const
    if (expectedVersion !== null && before.version !== expectedVersion) {
      return { ok: false, reason: 'stale', version: before.version } as const
    }
    const after = withToggle({ ...before, ...definedOnly(patch) }, before)
    const duplicate = await duplicateOf(tx, after)
    if (duplicate !== null)
      return { ok: false, reason: 'duplicate', existingId: duplicate } as const
    const [result] = await writeChanges(tx, [{ before, after }], options)
    return result ?? ({ ok: true, source: before, changed: [] } as const)
  })
}

/** The same for many sources in a handful of statements. Missing ones are reported, the others change. */
export async function patchSources(
  sql: Sql,
  ids: readonly string[],
  patchOf: (source: Source) => Partial<Source>,
  options: ChangeOptions,
): Promise<Map<string, ChangeResult>> {
  return transaction(sql, async (tx) => {
    const found = await lockSources(tx, ids)
    const changes = found.map((before) => ({
      before,
      after: withToggle({ ...before, ...patchOf(before) }, before),
    }))
    const results = new Map<string, ChangeResult>(
      ids.map((id) => [id, { ok: false, reason: 'missing' }]),
    )
    for (const source of found) results.set(source.id, { ok: true, source, changed: [] })
    for (const result of await writeChanges(tx, changes, options)) {
      if (result.ok) results.set(result.source.id, result)
    }
    return results
  })
}

export async function removeSources(
  sql: Sql,
  ids: readonly string[],
  reason: string,
  options: ChangeOptions,
): Promise<string[]> {
  return transaction(sql, async (tx) => {
    const found = await lockSources(tx, ids)
    const events = found.map((source): NewSourceEvent => ({
      type: 'SOURCE_DELETED',
      sourceId: source.id,
      payload: { name: source.name, deletion_reason: reason },
    }))
    await writeSourceEvents(tx, events, options.now)
    await deleteSources(
      tx,
      found.map((source) => source.id),
    )
    return found.map((source) => source.id)
  })
}

export function createdPayload(source: Source): Record<string, unknown> {
  return Object.fromEntries(sourceFieldNames.map((field) => [field, source[field]]))
}

interface Change {
  before: Source
  after: Source
}

async function writeChanges(
  tx: Tx,
  changes: readonly Change[],
  options: ChangeOptions,
): Promise<(ChangeResult & { ok: true })[]> {
  const real = changes
    .map((change) => ({
      ...change,
      diff: diffSource(change.before, change.after, sourceFieldNames),
    }))
    .filter(
      ({ diff, before, after }) =>
        diff.changed_fields.length > 0 || before.disabled_reason !== after.disabled_reason,
    )
  if (real.length === 0) return []
  const stored = new Map(
    (
      await updateSources(
        tx,
        real.map(({ after }) => after),
        options.now,
      )
    ).map((source) => [source.id, source]),
  )
  const updates: NewSourceEvent[] = []
  const toggles: NewSourceEvent[] = []
  for (const { before, after } of real) {
    const diff = diffSource(
      before,
      after,
      sourceFieldNames.filter((field) => field !== toggled),
    )
    if (diff.changed_fields.length > 0)
      updates.push({ type: 'SOURCE_UPDATED', sourceId: after.id, payload: { ...diff } })
    if (before.enabled !== after.enabled) toggles.push(toggleEvent(after, options))
  }
  // Two events of one source need two times, so they are two statements.
  await writeSourceEvents(tx, updates, options.now)
  await writeSourceEvents(tx, toggles, options.now)
  return real.flatMap(({ after, diff }) => {
    const source = stored.get(after.id)
    return source === undefined ? [] : [{ ok: true as const, source, changed: diff.changed_fields }]
  })
}

function toggleEvent(source: Source, options: ChangeOptions): NewSourceEvent {
  if (source.enabled) {
    return {
      type: 'SOURCE_ENABLED',
      sourceId: source.id,
      payload: { reason: 'enabled', toggled_by: options.by },
    }
  }
  const reason = source.disabled_reason ?? 'disabled'
  return {
    type: 'SOURCE_DISABLED',
    sourceId: source.id,
    payload: { reason, toggled_by: options.by, disabled_by: options.by },
  }
}

/** Enabling clears what disabling noted. */
function withToggle(after: Source, before: Source): Source {
  if (!after.enabled) return after
  return before.enabled
    ? after
    : { ...after, disabled_reason: null, auto_disabled: false, auto_disabled_reason: null }
}

async function duplicateOf(tx: Tx, source: Source): Promise<string | null> {
  const key = sourceIdentity(source.url)?.url_key
  if (key === undefined || key === source.url_key) return null
  const [other] = await findByAddress(tx, [key])
  return other === undefined || other.id === source.id ? null : other.id
}

async function explainDuplicates(
  tx: Tx,
  inputs: readonly NewSource[],
): Promise<{ url: string; existingId: string }[]> {
  if (inputs.length === 0) return []
  const keys = new Map(inputs.map((input) => [sourceIdentity(input.url)?.url_key ?? '', input.url]))
  const existing = await findByAddress(tx, [...keys.keys()])
  return existing.map((row) => ({ url: keys.get(row.url_key) ?? '', existingId: row.id }))
}

function definedOnly(patch: SourcePatch): Partial<Source> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}
