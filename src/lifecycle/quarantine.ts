import type { Db } from '../db/pool.ts'

export interface QuarantineEntry {
  streamId: string | null
  eventId: string | null
  raw: string
  reason: string
}

const keptCharacters = 100_000

/** Keeps what nobody can handle, for a person. Storing it must never fail, or the message would come back for ever. */
export async function quarantine(db: Db, entries: readonly QuarantineEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({
    ...entry,
    raw: storable(entry.raw.slice(0, keptCharacters)),
    reason: storable(entry.reason.slice(0, 2000)),
  }))
  await db`
    insert into source_event_quarantine (stream_id, event_id, raw, reason)
    select "streamId", "eventId", raw, reason
    from jsonb_to_recordset(${db.json(rows)}) as q("streamId" text, "eventId" uuid, raw text, reason text)
    on conflict (stream_id) do nothing`
}

export interface QuarantineRow {
  id: string
  stream_id: string | null
  event_id: string | null
  raw: string
  reason: string
  created_at: Date
  resolved_at: Date | null
  resolution: string | null
}

export async function listQuarantine(
  db: Db,
  open: boolean,
  page: { limit: number; offset: number },
): Promise<{ rows: QuarantineRow[]; total: number }> {
  const rows = await db<QuarantineRow[]>`
    select * from source_event_quarantine
    where (resolved_at is null) = ${open} order by id desc limit ${page.limit} offset ${page.offset}`
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from source_event_quarantine where (resolved_at is null) = ${open}`
  return { rows, total: count?.total ?? 0 }
}

export async function findOpenQuarantine(db: Db, id: string): Promise<QuarantineRow | null> {
  const [row] = await db<QuarantineRow[]>`
    select * from source_event_quarantine where id = ${id} and resolved_at is null for update`
  return row ?? null
}

/** Closes an entry; a retry puts an event that failed for good back into the queue. */
export async function resolveQuarantine(
  db: Db,
  id: string,
  resolution: 'retried' | 'discarded',
): Promise<QuarantineRow | null> {
  const [row] = await db<QuarantineRow[]>`
    with closed as (
      update source_event_quarantine set resolved_at = now(), resolution = ${resolution}
      where id = ${id} and resolved_at is null returning *),
    again as (
      update source_events e set status = 'pending', attempts = 0, next_attempt_at = now(), outcome = null
      from closed c where ${resolution} = 'retried' and e.event_id = c.event_id and e.status = 'quarantined')
    select * from closed`
  return row ?? null
}

/** Text columns take neither NUL nor half a character. */
function storable(text: string): string {
  return text.replaceAll(/\p{Surrogate}|\0/gu, '\ufffd')
}
