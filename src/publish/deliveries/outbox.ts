import type { Db, Tx } from '../../db/pool.ts'
import type { ItemPayload } from '../payload.ts'
import type { ItemKind } from '../types.ts'
import type { ChangeName } from './decide.ts'

/** Raised when something waits for a channel or a reader of changes. */
export const deliveriesChannel = 'millrace_deliveries'

export interface NewDelivery {
  routeId: string
  routeVersion: number
  channelId: string | null
  itemId: string
  itemVersion: number
  sourceId: string
  kind: ItemKind
  change: ChangeName
  matchedTopics: string[]
  stageUrl: string | null
}

export interface Membership {
  routeId: string
  itemId: string
  itemVersion: number
}

export async function membershipsOf(db: Db, itemIds: readonly string[]): Promise<Membership[]> {
  return db<Membership[]>`
    select route_id as "routeId", item_id as "itemId", item_version as "itemVersion"
    from route_items where item_id = any(${[...itemIds]}::uuid[])`
}

/** Brings the lists of what is on each route up to the decisions. */
export async function applyMemberships(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  const on = deliveries.filter((one) => one.change !== 'deleted')
  const off = deliveries.filter((one) => one.change === 'deleted')
  if (on.length > 0)
    await tx`
      insert into route_items (route_id, item_id, item_version)
      select * from unnest(${on.map((one) => one.routeId)}::uuid[], ${on.map((one) => one.itemId)}::uuid[],
        ${on.map((one) => one.itemVersion)}::integer[])
      on conflict (route_id, item_id) do update set item_version = excluded.item_version`
  if (off.length > 0)
    await tx`
      delete from route_items where (route_id, item_id) in (
        select * from unnest(${off.map((one) => one.routeId)}::uuid[], ${off.map((one) => one.itemId)}::uuid[]))`
}

export async function saveVersions(
  tx: Tx,
  versions: readonly { itemId: string; version: number; payload: ItemPayload }[],
  now: Date,
): Promise<void> {
  if (versions.length === 0) return
  await tx`
    insert into item_versions (item_id, version, payload, created_at)
    select item_id, version, payload, ${now}
    from jsonb_to_recordset(${tx.json(
      versions.map(({ itemId, version, payload }) => ({
        item_id: itemId,
        version,
        payload,
      })) as never,
    )}) as v(item_id uuid, version integer, payload jsonb)
    on conflict do nothing`
}

/** First number of the advisory locks of publishing. */
const lockSpace = 0x7075 // "pu"
const orderLock = 1

/**
 * Writes the outbox. The lock is held until the caller's commit, so deliveries become visible in the order of their
 * ids and a reader that goes on after the last id misses nothing. Keep it the last thing in the transaction.
 */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  if (deliveries.length === 0) return
  const rows = deliveries.map((one) => ({
    route_id: one.routeId,
    route_version: one.routeVersion,
    channel_id: one.channelId,
    item_id: one.itemId,
    item_version: one.itemVersion,
    source_id: one.sourceId,
    kind: one.kind,
    change: one.change,
    matched_topics: one.matchedTopics,
    stage_url: one.stageUrl,
  }))
  await tx`select pg_advisory_xact_lock(${lockSpace}, ${orderLock})`
  await tx`
    insert into deliveries (route_id, route_version, channel_id, item_id, item_version, source_id, kind, change,
      matched_topics, stage_url, status, next_attempt_at, created_at, delivered_at)
    select route_id, route_version, channel_id, item_id, item_version, source_id, kind, change,
      matched_topics, stage_url, case when channel_id is null then 'delivered' else 'pending' end, ${now}, ${now},
      case when channel_id is null then ${now}::timestamptz end
    from jsonb_to_recordset(${tx.json(rows)}) as d(route_id uuid, route_version integer, channel_id uuid,
      item_id uuid, item_version integer, source_id uuid, kind text, change text, matched_topics text[], stage_url text)`
  await tx`select pg_notify(${deliveriesChannel}, '')`
}
