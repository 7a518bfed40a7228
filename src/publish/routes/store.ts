import type { Db } from '../../db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import type { Route, RouteFilters } from './filters.ts'

export interface StoredRoute extends Route {
  feedToken: string
  createdAt: Date
  updatedAt: Date
  itemCount: number
}

export interface RouteFields {
  name: string
  channelId: string | null
  filters: RouteFilters
  enabled: boolean
}

/** For routing: all of them, without their figures. */
export async function loadRoutes(db: Db): Promise<Route[]> {
  return db<Route[]>`
    select r.id, r.name, r.channel_id as "channelId", coalesce(c.name, r.name) as "channelName", r.filters, r.enabled,
      r.version
    from routes r left join channels c on c.id = r.channel_id order by r.id`
}

export async function listRoutes(
  db: Db,
  filter: { channelId?: string | undefined; enabled?: boolean | undefined },
): Promise<StoredRoute[]> {
  return db<StoredRoute[]>`
    select ${columns(db)} from routes r left join channels c on c.id = r.channel_id
    where (${filter.channelId ?? null}::uuid is null or r.channel_id = ${filter.channelId ?? null})
      and (${filter.enabled ?? null}::boolean is null or r.enabled = ${filter.enabled ?? null})
    order by lower(r.name)`
}

/** By its id or its name. */
export async function findRoute(db: Db, key: string): Promise<StoredRoute | null> {
  const [row] = await db<StoredRoute[]>`
    select ${columns(db)} from routes r left join channels c on c.id = r.channel_id
    where r.id::text = lower(${key}) or lower(r.name) = lower(${key})
    order by r.id::text = lower(${key}) desc limit 1`
  return row ?? null
}

export async function insertRoute(
  db: Db,
  fields: RouteFields,
  feedToken: string,
  now: Date,
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    insert into routes (id, name, channel_id, filters, enabled, feed_token, created_at, updated_at)
    values (${newId()}, ${fields.name}, ${fields.channelId}, ${db.json(fields.filters)}, ${fields.enabled},
      ${feedToken}, ${now}, ${now})
    on conflict do nothing returning id`
  return row?.id ?? null
}

/** The version rises only when other items would match. */
export async function replaceRoute(
  db: Db,
  id: string,
  fields: RouteFields,
  now: Date,
): Promise<boolean> {
  const rows = await db`
    update routes set name = ${fields.name}, channel_id = ${fields.channelId}, enabled = ${fields.enabled},
      version = version + case when filters = ${db.json(fields.filters)} then 0 else 1 end,
      filters = ${db.json(fields.filters)}, updated_at = ${now}
    where id = ${id} returning 1`
  return rows.length > 0
}

export async function deleteRoute(db: Db, id: string): Promise<boolean> {
  return (await db`delete from routes where id = ${id} returning 1`).length > 0
}

function columns(db: Db) {
  return db`
    r.id, r.name, r.channel_id as "channelId", coalesce(c.name, r.name) as "channelName", r.filters, r.enabled,
    r.version, r.feed_token as "feedToken", r.created_at as "createdAt", r.updated_at as "updatedAt",
    (select count(*)::int from route_items i where i.route_id = r.id) as "itemCount"`
}
