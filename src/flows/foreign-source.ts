import type { z } from 'zod'
import type { Tx } from '../db/pool.ts'
import { Permanent, RetryLater } from '../kernel/errors.ts'
import type { SourceEvent } from '../lifecycle/store.ts'
import { sourceInput, sourcePatch } from '../sources/fields.ts'
import type { Source } from '../sources/source.ts'
import {
  deleteSources,
  findByAddress,
  insertSources,
  lockSources,
  sourceIdentity,
  updateSources,
} from '../sources/store.ts'

export type RefuseUrl = (url: string) => string | null

/**
 * Another program manages sources too and told us of a change: our copy follows, without telling the stream again.
 * What it sends is checked like any input; unknown fields are left out, wrong ones refuse the event. The caller holds
 * the source rows.
 */
export async function adoptForeignChange(
  tx: Tx,
  event: SourceEvent,
  refuseUrl: RefuseUrl,
  now: Date,
): Promise<void> {
  const [source] = await lockSources(tx, [event.source_id])
  if (event.event_type === 'SOURCE_DELETED') return deleteSources(tx, [event.source_id])
  if (event.event_type === 'SOURCE_CREATED') {
    if (source === undefined) await adoptNew(tx, event, refuseUrl)
    return
  }
  // Its creation may be on its way; if it never comes, a person sees this in the quarantine.
  if (source === undefined) throw new RetryLater(`the source ${event.source_id} is not known here`)
  const changed = changedSource(source, event)
  if (changed === null) return
  if (changed.url !== source.url) mustBeAllowed(changed.url, refuseUrl)
  await updateSources(tx, [changed], now)
}

async function adoptNew(tx: Tx, event: SourceEvent, refuseUrl: RefuseUrl): Promise<void> {
  const fields = sourceInput.safeParse(knownFields(event.payload, sourceInput.shape))
  if (!fields.success) throw new Permanent(`not a source: ${explain(fields.error)}`)
  mustBeAllowed(fields.data.url, refuseUrl)
  const [created] = await insertSources(tx, [{ ...fields.data, id: event.source_id }], null)
  if (created !== undefined) return
  const key = sourceIdentity(fields.data.url)?.url_key ?? ''
  const [other] = await findByAddress(tx, [key])
  throw new Permanent(`the address already belongs to the source ${other?.id ?? '?'}`)
}

/** Local changes after a foreign one are later than it, whatever its clock says. Call it once per batch. */
export async function noteForeignTimes(tx: Tx, seqs: readonly string[]): Promise<void> {
  await tx`
    update sources s set last_event_at = greatest(s.last_event_at, e.at)
    from (select source_id, max(occurred_at) as at from source_events
      where seq = any(${[...seqs]}::bigint[]) group by source_id) e
    where s.id = e.source_id`
}

function mustBeAllowed(url: string, refuseUrl: RefuseUrl): void {
  const reason = refuseUrl(url)
  if (reason !== null) throw new Permanent(`url: ${reason}`)
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
  const patch = sourcePatch.safeParse(knownFields(current, sourcePatch.shape))
  if (!patch.success) throw new Permanent(`not a change of a source: ${explain(patch.error)}`)
  return Object.fromEntries(Object.entries(patch.data).filter(([, value]) => value !== undefined))
}

function explain(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join('.') || 'payload'}: ${issue.message}`)
    .join('; ')
}

/** Other programs write "not set" as null, an empty text or, for these two, zero. */
const zeroIsUnset = new Set(['rate_limit', 'max_depth'])

function knownFields(value: unknown, shape: Record<string, z.ZodType>): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const type = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (type === undefined) return []
      const unset = field === null || field === '' || (field === 0 && zeroIsUnset.has(name))
      if (!unset) return [[name, field] as const]
      return type.safeParse(null).success ? [[name, null] as const] : []
    }),
  )
}
