import type { Db } from '../../db/pool.ts'
import { idempotencyIdOf, type Outgoing } from './message.ts'

/** What happened on a route after the cursor, in order. Ids appear in order, so "after the last one" misses nothing. */
export async function readChanges(
  db: Db,
  routeId: string,
  after: string,
  limit: number,
): Promise<Outgoing[]> {
  return db<Outgoing[]>`
    select d.id, d.route_id as "routeId", r.name as "routeName", d.route_version as "routeVersion",
      d.item_id as "itemId", d.item_version as "itemVersion", d.kind, d.change,
      d.matched_topics as "matchedTopics", d.created_at as "createdAt", v.payload
    from deliveries d join routes r on r.id = d.route_id
    left join item_versions v on v.item_id = d.item_id and v.version = d.item_version and d.change <> 'deleted'
    where d.route_id = ${routeId} and d.id > ${after}
    order by d.id limit ${limit}`
}

/** The newest change of a route; 0 when there is none. */
export async function lastChange(db: Db, routeId: string): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    select coalesce(max(id), 0)::text as id from deliveries where route_id = ${routeId}`
  return row?.id ?? '0'
}

export function describeChange(one: Outgoing) {
  return {
    cursor: one.id,
    id: idempotencyIdOf(one),
    change: one.change,
    item_id: one.itemId,
    item_version: one.itemVersion,
    item_kind: one.kind,
    matched_topics: one.matchedTopics,
    at: one.createdAt,
    item: one.payload,
  }
}

/**
 * Forgets what a later change of the same item on the same route has replaced. A reader that has not come so far yet
 * gets the later one, so it ends up with the same items.
 */
export async function compactChanges(db: Db, before: Date, limit: number): Promise<number> {
  const rows = await db`
    delete from deliveries where id in (
      select d.id from deliveries d
      where d.created_at < ${before} and d.status <> 'pending' and exists (
        select 1 from deliveries e where e.item_id = d.item_id and e.route_id = d.route_id and e.id > d.id)
      order by d.created_at limit ${limit})
    returning 1`
  return rows.length
}

/** Versions no delivery and no route speaks of any more. */
export async function dropUnusedVersions(db: Db, before: Date, limit: number): Promise<number> {
  const rows = await db`
    delete from item_versions v using (
      select item_id, version from item_versions v where created_at < ${before}
        and not exists (select 1 from deliveries d where d.item_id = v.item_id and d.item_version = v.version)
        and not exists (select 1 from route_items i where i.item_id = v.item_id and i.item_version = v.version)
      limit ${limit}) old
    where v.item_id = old.item_id and v.version = old.version returning 1`
  return rows.length
}
