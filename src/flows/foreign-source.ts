import type { Tx } from '../db/pool.ts'
import type { SourceEvent } from '../lifecycle/store.ts'
import { sourceInput, sourcePatch, type SourcePatch } from '../sources/fields.ts'
import type { Source } from '../sources/source.ts'
import { deleteSources, insertSources, lockSources, updateSources } from '../sources/store.ts'
import { Permanent } from '../kernel/errors.ts'

/**
 * Another program manages sources too and told us of a change: our copy follows, without telling the stream again.
 * What it sends is checked like any input; unknown fields are left out, wrong ones refuse the event.
 */
export async function adoptForeignChange(tx: Tx, event: SourceEvent, now: Date): Promise<void> {
  if (event.event_type === 'SOURCE_CREATED') return adoptNew(tx, event)
  const [source] = await lockSources(tx, [event.source_id])
  if (source === undefined) return
  if (event.event_type === 'SOURCE_DELETED') return deleteSources(tx, [source.id])
  const changed = changedSource(source, event)
  if (changed !== null) await updateSources(tx, [changed], now)
}

async function adoptNew(tx: Tx, event: SourceEvent): Promise<void> {
  const fields = knownFields(event.payload, sourceInput.shape)
  const parsed = sourceInput.safeParse(fields)
  if (!parsed.success)
    throw new Permanent(
      `not a source: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
    )
  await insertSources(tx, [{ ...parsed.data, id: event.source_id }])
}

function changedSource(source: Source, event: SourceEvent): Source | null {
  switch (event.event_type) {
    case 'SOURCE_ENABLED':
      return {
        ...source,
        enabled: true,
        disabled_reason: null,
        auto_disabled: false,
        auto_disabled_reason: null,
      }
    case 'SOURCE_DISABLED':
      return {
        ...source,
        enabled: false,
        disabled_reason:
          typeof event.payload['reason'] === 'string' ? event.payload['reason'] : 'disabled',
      }
    case 'SOURCE_UPDATED':
      return { ...source, ...readPatch(event.payload['current']) }
    default:
      return null
  }
}

function readPatch(current: unknown): Partial<Source> {
  const patch: SourcePatch = sourcePatch.parse(knownFields(current, sourcePatch.shape))
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

function knownFields(value: unknown, shape: Record<string, unknown>): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {}
  // Zero is how other programs write "not set" for these two.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => Object.hasOwn(shape, name))
      .map(([name, field]) => [
        name,
        field === 0 && ['rate_limit', 'max_depth'].includes(name) ? null : field,
      ]),
  )
}
