import type { Tx } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'

export const sourceEventTypes = [
  'SOURCE_CREATED',
  'SOURCE_UPDATED',
  'SOURCE_DELETED',
  'SOURCE_ENABLED',
  'SOURCE_DISABLED',
] as const
export type SourceEventType = (typeof sourceEventTypes)[number]

export interface NewSourceEvent {
  type: SourceEventType
  sourceId: string
  payload: Record<string, unknown>
}

export const sourceEventsChannel = 'millrace_source_events'

/**
 * Writes source events in the transaction of the change they describe. Times of one source rise strictly, by a
 * microsecond if need be, because order is decided by them; the source rows are locked.
 */
export async function writeSourceEvents(
  tx: Tx,
  events: readonly NewSourceEvent[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return
  await tx`
    with incoming as (
      select e.*, greatest(${now}::timestamptz, s.last_event_at + interval '1 microsecond') as at
      from jsonb_to_recordset(${tx.json(toRows(events) as never)})
        as e(event_id uuid, event_type text, source_id uuid, payload jsonb)
      left join sources s on s.id = e.source_id),
    marked as (
      update sources s set last_event_at = i.at from incoming i where s.id = i.source_id),
    -- The consumers' lock on a source is there as soon as its first event is.
    locks as (
      insert into source_event_progress (source_id, last_applied_at)
      select source_id, 'epoch'::timestamptz from incoming order by source_id on conflict do nothing)
    insert into source_events (event_id, event_type, source_id, occurred_at, payload)
    select event_id, event_type, source_id, at, payload from incoming`
  await tell(tx)
}

/** The first events of sources that were inserted with this time: nothing came before, so no row is written twice. */
export async function writeFirstEvents(
  tx: Tx,
  events: readonly NewSourceEvent[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return
  await tx`
    with incoming as (
      select * from jsonb_to_recordset(${tx.json(toRows(events) as never)})
        as e(event_id uuid, event_type text, source_id uuid, payload jsonb)),
    locks as (
      insert into source_event_progress (source_id, last_applied_at)
      select source_id, 'epoch'::timestamptz from incoming on conflict do nothing)
    insert into source_events (event_id, event_type, source_id, occurred_at, payload)
    select event_id, event_type, source_id, ${now}, payload from incoming`
  await tell(tx)
}

function toRows(events: readonly NewSourceEvent[]) {
  return events.map((event) => ({
    event_id: newId(),
    event_type: event.type,
    source_id: event.sourceId,
    payload: event.payload,
  }))
}

async function tell(tx: Tx): Promise<void> {
  await tx`select pg_notify(${sourceEventsChannel}, '')`
}
