import type { Db } from '../db/pool.ts'

export interface Retention {
  before: Date
  /** With Redis in use, what the stream has not seen yet stays, however old. */
  keepUnrelayed: boolean
  limit: number
}

/**
 * Drops events that took effect long ago, but never the last one of a source: it tells the next reader what happened
 * there, and a late copy of it is still recognized. Late copies of the others are older than the source's progress.
 */
export async function dropOldEvents(
  db: Db,
  { before, keepUnrelayed, limit }: Retention,
): Promise<number> {
  const rows = await db`
    delete from source_events where seq in (
      select e.seq from source_events e
      where e.status in ('applied', 'ignored') and e.processed_at < ${before}
        and (not ${keepUnrelayed}::boolean or e.origin = 'stream' or e.relayed_at is not null)
        and exists (select 1 from source_events later where later.source_id = e.source_id and later.seq > e.seq)
      order by e.seq limit ${limit})`
  return rows.count
}

export async function dropOldQuarantine(db: Db, before: Date): Promise<number> {
  const rows = await db`delete from source_event_quarantine where resolved_at < ${before}`
  return rows.count
}
