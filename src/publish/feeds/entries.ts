import type { Db } from '../../db/pool.ts'
import type { ItemPayload } from '../payload.ts'

export interface FeedEntry {
  itemId: string
  version: number
  changedAt: Date
  payload: ItemPayload
}

export interface FeedPage {
  route: { id: string; name: string }
  entries: FeedEntry[]
  /** Of the newest change of the route. */
  updatedAt: Date
  selfUrl: string
  /** Where the older entries are. */
  nextUrl: string | null
  siteUrl: string
}

/** What is on a route now, the last changed first. */
export async function readEntries(
  db: Db,
  routeId: string,
  page: { limit: number; offset: number },
): Promise<FeedEntry[]> {
  return db<FeedEntry[]>`
    select i.item_id as "itemId", i.item_version as version, v.created_at as "changedAt", v.payload
    from route_items i join item_versions v on v.item_id = i.item_id and v.version = i.item_version
    where i.route_id = ${routeId}
    order by v.created_at desc, i.item_id desc limit ${page.limit} offset ${page.offset}`
}

/** Calendar entries that are not long over, the next first. */
export async function readCalendarEntries(
  db: Db,
  routeId: string,
  since: Date,
  page: { limit: number; offset: number },
): Promise<FeedEntry[]> {
  return db<FeedEntry[]>`
    select i.item_id as "itemId", i.item_version as version, v.created_at as "changedAt", v.payload
    from route_items i join item_versions v on v.item_id = i.item_id and v.version = i.item_version
    where i.route_id = ${routeId} and v.payload -> 'event' ->> 'starts_at' >= ${since.toISOString()}
    order by v.payload -> 'event' ->> 'starts_at', i.item_id limit ${page.limit} offset ${page.offset}`
}
