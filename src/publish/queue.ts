import type { Db, Tx } from '../db/pool.ts'
import type { ItemKind } from './types.ts'

/** Raised by the triggers of the item tables. */
export const publishQueueChannel = 'millrace_publish_queue'

/** Known by the item's id: it waits once, however often it changed. */
export interface QueuedItem {
  id: string
  kind: ItemKind
  attempts: number
}

export async function claimQueued(
  tx: Tx,
  wanted: { now: Date; limit: number; only?: readonly string[] },
): Promise<QueuedItem[]> {
  if (wanted.only !== undefined)
    return tx<QueuedItem[]>`
      select item_id as id, kind, attempts from publish_queue
      where item_id = any(${[...wanted.only]}::uuid[]) order by id for update skip locked`
  return tx<QueuedItem[]>`
    select item_id as id, kind, attempts from publish_queue
    where next_attempt_at <= ${wanted.now} order by next_attempt_at, id limit ${wanted.limit} for update skip locked`
}

export async function dropQueued(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx`delete from publish_queue where item_id = any(${[...ids]}::uuid[])`
}

export async function postponeQueued(
  tx: Tx,
  rows: readonly { id: string; attempts: number; nextAttemptAt: Date; reason: string }[],
): Promise<void> {
  await tx`
    update publish_queue q set attempts = r.attempts, next_attempt_at = r.at, reason = r.reason
    from jsonb_to_recordset(${tx.json(
      rows.map((row) => ({ ...row, at: row.nextAttemptAt })),
    )}) as r(id uuid, attempts smallint, at timestamptz, reason text)
    where q.item_id = r.id`
}

/** The items of a route are looked at again: its filters changed, or it was switched on. */
export async function queueMembers(db: Db, routeId: string, now: Date): Promise<void> {
  await db`
    insert into publish_queue (item_id, kind, next_attempt_at)
    select i.item_id, c.kind, ${now} from route_items i join item_classifications c on c.item_id = i.item_id
    where i.route_id = ${routeId} order by i.item_id
    on conflict (item_id) do nothing`
  await db`select pg_notify(${publishQueueChannel}, '')`
}

/** Everything classified since then is looked at again, for a route that shall begin with what is there. */
export async function queueClassifiedSince(db: Db, since: Date, now: Date): Promise<number> {
  const rows = await db`
    insert into publish_queue (item_id, kind, next_attempt_at)
    select item_id, kind, ${now} from item_classifications where classified_at >= ${since} and not gone order by item_id
    on conflict (item_id) do nothing returning 1`
  await db`select pg_notify(${publishQueueChannel}, '')`
  return rows.length
}
