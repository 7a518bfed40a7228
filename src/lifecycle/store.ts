import type { Db, Sql, Tx } from '../db/pool.ts'
import type { Envelope } from './envelope.ts'
import { quarantine } from './quarantine.ts'

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

/** Sources whose events we may apply now, each with the time of its last applied event. */
export type HeldSources = Map<string, bigint>

interface ProgressRow {
  source_id: string
  at_us: string
}

/**
 * Holds the sources with due events until the transaction ends, longest waiting first. A source another process
 * works on is left to it: one row per source is the lock that keeps its events in order.
 */
export async function holdDueSources(
  tx: Tx,
  now: Date,
  options: { limit: number; graceMs: number },
): Promise<HeldSources> {
  const rows = await tx<ProgressRow[]>`
    select p.source_id, (extract(epoch from p.last_applied_at) * 1000000)::bigint::text as at_us
    from source_events e join source_event_progress p on p.source_id = e.source_id
    where e.status = 'pending' and e.next_attempt_at <= ${now}
      and e.created_at <= ${now}::timestamptz - ${options.graceMs} * interval '1 millisecond'
    order by e.seq limit ${options.limit}
    for update of p skip locked`
  return toHeld(rows)
}

/** Holds given sources, waiting for whoever works on them; always in the same order, so nobody waits in a circle. */
export async function holdSources(tx: Tx, sourceIds: readonly string[]): Promise<HeldSources> {
  if (sourceIds.length === 0) return new Map()
  const rows = await tx<ProgressRow[]>`
    select source_id, (extract(epoch from last_applied_at) * 1000000)::bigint::text as at_us
    from source_event_progress where source_id = any(${[...sourceIds]}::uuid[])
    order by source_id for update`
  return toHeld(rows)
}

/** Those of the given sources with nothing waiting and nobody at work, held so that it stays so. */
export async function holdIdleSources(tx: Tx, sourceIds: readonly string[]): Promise<string[]> {
  const ids = [...sourceIds]
  await tx`
    insert into source_event_progress (source_id, last_applied_at)
    select id, 'epoch'::timestamptz from unnest(${ids}::uuid[]) as id order by id on conflict do nothing`
  const held = await tx<{ source_id: string }[]>`
    select source_id from source_event_progress where source_id = any(${ids}::uuid[])
    order by source_id for update skip locked`
  const waiting = await tx<{ source_id: string }[]>`
    select distinct source_id from source_events where status = 'pending' and source_id = any(${ids}::uuid[])`
  const busy = new Set(waiting.map((row) => row.source_id))
  return held.map((row) => row.source_id).filter((id) => !busy.has(id))
}

export async function sourcesOfPending(db: Db, eventIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ source_id: string }[]>`
    select distinct source_id from source_events
    where event_id = any(${[...eventIds]}::uuid[]) and status = 'pending'`
  return rows.map((row) => row.source_id)
}

/** The waiting events of held sources in the order they happened. */
export async function pendingEvents(
  tx: Tx,
  sourceIds: readonly string[],
  now: Date,
  limit: number,
): Promise<SourceEvent[]> {
  if (sourceIds.length === 0) return []
  const rows = await tx<(Omit<SourceEvent, 'at_us'> & { at_us: string; due: boolean })[]>`
    select seq, event_id, event_type, source_id, payload, origin, attempts, next_attempt_at <= ${now} as due,
      (extract(epoch from occurred_at) * 1000000)::bigint::text as at_us
    from source_events
    where source_id = any(${[...sourceIds]}::uuid[]) and status = 'pending'
    order by occurred_at, seq limit ${limit}`
  // What comes after an event that waits for its next attempt waits with it.
  const stuck = new Set<string>()
  return rows.flatMap(({ due, ...row }) => {
    if (!due) stuck.add(row.source_id)
    return stuck.has(row.source_id) ? [] : [{ ...row, at_us: BigInt(row.at_us) }]
  })
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

/**
 * A failed event waits and is tried again, and so do the later ones of its source; after the last attempt a person
 * has to look. An event that another process has applied meanwhile stays applied.
 */
export async function recordFailure(
  sql: Sql,
  event: SourceEvent,
  failure: { reason: string; retryMs: number; giveUp: boolean; now: Date },
): Promise<void> {
  await sql.begin(async (tx) => {
    const [failed] = await tx<{ raw: string }[]>`
      update source_events set attempts = attempts + 1,
        next_attempt_at = ${failure.now}::timestamptz + ${failure.retryMs} * interval '1 millisecond',
        status = ${failure.giveUp ? 'quarantined' : 'pending'},
        outcome = ${tx.json({ error: failure.reason })}
      where seq = ${event.seq} and status = 'pending'
      returning ${asMessage(tx)} as raw`
    if (failed === undefined) return
    if (failure.giveUp) {
      const { raw } = failed
      await quarantine(tx, [
        { streamId: null, eventId: event.event_id, raw, reason: failure.reason },
      ])
    } else {
      await tx`
        update source_events e set next_attempt_at = f.next_attempt_at from source_events f
        where f.seq = ${event.seq} and e.source_id = f.source_id and e.status = 'pending' and e.seq <> f.seq`
    }
  })
}

/**
 * Stores what a stream delivered. An event we know already, our own included, stays as it is. Sorted, so that two
 * consumers with copies of the same events do not wait for each other in a circle.
 */
export async function storeStreamEvents(db: Db, events: readonly Envelope[]): Promise<void> {
  if (events.length === 0) return
  await db`
    with incoming as (
      select * from jsonb_to_recordset(${db.json(events.map((event, place) => ({ ...event, place })) as never)})
        as e(event_id uuid, event_type text, source_id uuid, timestamp timestamptz, payload jsonb, place integer)),
    locks as (
      insert into source_event_progress (source_id, last_applied_at)
      select distinct source_id, 'epoch'::timestamptz from incoming order by source_id on conflict do nothing)
    insert into source_events (event_id, event_type, source_id, occurred_at, payload, origin)
    select event_id, event_type, source_id, timestamp, payload, 'stream' from incoming
    order by source_id, timestamp, place
    on conflict (event_id) do nothing`
}

export interface UnrelayedEvent {
  seq: string
  message: string
}

/** Our own events that the stream has not seen, in order, as they go on the wire. */
export async function unrelayedEvents(db: Db, limit: number): Promise<UnrelayedEvent[]> {
  return db<UnrelayedEvent[]>`
    select seq, ${asMessage(db)} as message
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

function asMessage(db: Db) {
  return db`json_build_object('event_id', event_id, 'event_type', event_type, 'source_id', source_id,
    'timestamp', to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'payload', payload)::text`
}

function toHeld(rows: readonly ProgressRow[]): HeldSources {
  return new Map(rows.map((row) => [row.source_id, BigInt(row.at_us)]))
}
