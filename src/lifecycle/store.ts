import type { Db, Sql, Tx } from '../db/pool.ts'
import type { Envelope } from './envelope.ts'

export interface SourceEvent {
  seq: string
  event_id: string
  event_type: string
  source_id: string
  payload: Record<string, unknown>
  origin: 'local' | 'stream'
  /** Microseconds since 1970: a Date would lose the order of two events within a millisecond. */
  at_us: bigint
  attempts: number
}

interface SourceEventRow extends Omit<SourceEvent, 'at_us'> {
  at_us: string
}

/** Events ready to take effect, oldest first, held until the transaction ends; what another process holds is left to it. */
export async function lockPendingEvents(
  tx: Tx,
  now: Date,
  options: { limit: number; graceMs: number },
): Promise<SourceEvent[]> {
  const rows = await tx<SourceEventRow[]>`
    select seq, event_id, event_type, source_id, payload, origin, attempts,
      (extract(epoch from occurred_at) * 1000000)::bigint::text as at_us
    from source_events
    where status = 'pending' and next_attempt_at <= ${now}
      and created_at <= ${now}::timestamptz - ${options.graceMs} * interval '1 millisecond'
    order by seq limit ${options.limit}
    for update skip locked`
  return rows.map(toEvent)
}

/** The same for given events, however recent: those that a stream delivered. */
export async function lockEventsById(tx: Tx, eventIds: readonly string[]): Promise<SourceEvent[]> {
  const rows = await tx<SourceEventRow[]>`
    select seq, event_id, event_type, source_id, payload, origin, attempts,
      (extract(epoch from occurred_at) * 1000000)::bigint::text as at_us
    from source_events
    where event_id = any(${[...eventIds]}::uuid[]) and status = 'pending'
    order by seq for update skip locked`
  return rows.map(toEvent)
}

/** How far each source got, locked: events of one source take effect one after the other. */
export async function lockProgress(
  tx: Tx,
  sourceIds: readonly string[],
): Promise<Map<string, bigint>> {
  const ids = [...new Set(sourceIds)].sort()
  await tx`
    insert into source_event_progress (source_id, last_applied_at)
    select id, 'epoch' from unnest(${ids}::uuid[]) as id on conflict do nothing`
  const rows = await tx<{ source_id: string; at_us: string }[]>`
    select source_id, (extract(epoch from last_applied_at) * 1000000)::bigint::text as at_us
    from source_event_progress where source_id = any(${ids}::uuid[]) order by source_id for update`
  return new Map(rows.map((row) => [row.source_id, BigInt(row.at_us)]))
}

export interface Outcome {
  seq: string
  status: 'applied' | 'ignored'
  outcome: Record<string, unknown>
}

/** Marks events and moves each source's progress, in the transaction of their effect. */
export async function markProcessed(
  tx: Tx,
  outcomes: readonly Outcome[],
  by: string,
  now: Date,
): Promise<void> {
  await tx`
    with done as (
      update source_events e set status = o.status, outcome = o.outcome, processed_at = ${now}, processed_by = ${by},
        attempts = e.attempts + 1
      from jsonb_to_recordset(${tx.json(outcomes as never)}) as o(seq bigint, status text, outcome jsonb)
      where e.seq = o.seq
      returning e.source_id, e.occurred_at, e.status)
    update source_event_progress p set last_applied_at = greatest(p.last_applied_at, d.at)
    from (select source_id, max(occurred_at) as at from done where status = 'applied' group by source_id) d
    where p.source_id = d.source_id`
}

/** A failed event waits and is tried again, a bounded number of times; then a person has to look. */
export async function recordFailure(
  sql: Sql,
  event: SourceEvent,
  failure: { reason: string; retryMs: number; giveUp: boolean; now: Date },
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      update source_events set attempts = attempts + 1,
        next_attempt_at = ${failure.now}::timestamptz + ${failure.retryMs} * interval '1 millisecond',
        status = ${failure.giveUp ? 'quarantined' : 'pending'},
        outcome = ${tx.json({ error: failure.reason })}
      where seq = ${event.seq}`
    if (failure.giveUp) {
      await quarantine(tx, [
        {
          streamId: null,
          eventId: event.event_id,
          raw: JSON.stringify(event.payload),
          reason: failure.reason,
        },
      ])
    }
  })
}

/** Stores what a stream delivered. An event we know already, our own included, stays as it is. */
export async function storeStreamEvents(db: Db, events: readonly Envelope[]): Promise<void> {
  if (events.length === 0) return
  await db`
    insert into source_events (event_id, event_type, source_id, occurred_at, payload, origin)
    select event_id, event_type, source_id, timestamp, payload, 'stream'
    from jsonb_to_recordset(${db.json(events as never)})
      as e(event_id uuid, event_type text, source_id uuid, timestamp timestamptz, payload jsonb)
    on conflict (event_id) do nothing`
}

export interface QuarantineEntry {
  streamId: string | null
  eventId: string | null
  raw: string
  reason: string
}

export async function quarantine(db: Db, entries: readonly QuarantineEntry[]): Promise<void> {
  if (entries.length === 0) return
  await db`
    insert into source_event_quarantine (stream_id, event_id, raw, reason)
    select "streamId", "eventId", left(raw, 100000), reason
    from jsonb_to_recordset(${db.json(entries as never)}) as q("streamId" text, "eventId" uuid, raw text, reason text)
    on conflict (stream_id) do nothing`
}

export interface UnrelayedEvent {
  seq: string
  message: string
}

/** Our own events that the stream has not seen, in order, as they go on the wire. */
export async function unrelayedEvents(db: Db, limit: number): Promise<UnrelayedEvent[]> {
  return db<UnrelayedEvent[]>`
    select seq, json_build_object('event_id', event_id, 'event_type', event_type, 'source_id', source_id,
      'timestamp', to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'payload', payload)::text as message
    from source_events where relayed_at is null and origin = 'local' order by seq limit ${limit}`
}

export async function markRelayed(db: Db, seqs: readonly string[], now: Date): Promise<void> {
  await db`update source_events set relayed_at = ${now} where seq = any(${[...seqs]}::bigint[])`
}

export async function countUnprocessed(db: Db): Promise<number> {
  const [row] = await db<
    { count: number }[]
  >`select count(*)::int as count from source_events where status = 'pending'`
  return row?.count ?? 0
}

function toEvent(row: SourceEventRow): SourceEvent {
  return { ...row, at_us: BigInt(row.at_us) }
}
