import type { Db, Tx } from '../../db/pool.ts'
import type { Channel } from '../channels/store.ts'
import type { Outgoing } from './message.ts'

export interface ClaimedDelivery extends Outgoing {
  attempts: number
  sourceId: string
  /** Null: the source was deleted. */
  sourceName: string | null
  stageUrl: string | null
}

/** Channels with something due that nobody is working on. */
export async function dueChannels(db: Db, now: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select c.id from channels c
    where c.enabled and c.resume_at <= ${now} and (c.lease_until is null or c.lease_until <= ${now})
      and exists (select 1 from deliveries d where d.channel_id = c.id and d.status = 'pending'
        and d.next_attempt_at <= ${now})`
  return rows.map((row) => row.id)
}

/** One sender per channel: whoever holds the lease. Renewing is leasing again with the same token. */
export async function leaseChannel(
  db: Db,
  id: string,
  token: string,
  now: Date,
  leaseMs: number,
): Promise<Channel | null> {
  const [row] = await db<Channel[]>`
    update channels set lease_token = ${token}, lease_until = ${new Date(now.getTime() + leaseMs)}
    where id = ${id} and enabled and resume_at <= ${now}
      and (lease_token = ${token} or lease_until is null or lease_until <= ${now})
    returning id, name, kind, config, secret, old_secret as "oldSecret", old_secret_until as "oldSecretUntil",
      failures, failing_since as "failingSince"`
  return row ?? null
}

export async function releaseChannel(db: Db, id: string, token: string): Promise<void> {
  await db`
    update channels set lease_token = null, lease_until = null where id = ${id} and lease_token = ${token}`
}

/** Still the holder of the lease? Locks the channel until the results are written. */
export async function holdsLease(tx: Tx, id: string, token: string): Promise<boolean> {
  const rows = await tx`
    select 1 from channels where id = ${id} and lease_token = ${token} for update`
  return rows.length > 0
}

/** Due deliveries in order; one that has to wait holds back the later ones of its item. */
export async function claimDeliveries(
  db: Db,
  channelId: string,
  now: Date,
  limit: number,
): Promise<ClaimedDelivery[]> {
  return db<ClaimedDelivery[]>`
    with due as materialized (
      select d.* from deliveries d
      where d.channel_id = ${channelId} and d.status = 'pending' and d.next_attempt_at <= ${now}
        and not exists (
          select 1 from deliveries e
          where e.channel_id = d.channel_id and e.item_id = d.item_id and e.status = 'pending' and e.id < d.id
            and e.next_attempt_at > ${now})
      order by d.id limit ${limit})
    select d.id, d.route_id as "routeId", r.name as "routeName", d.route_version as "routeVersion",
      d.item_id as "itemId", d.item_version as "itemVersion", d.kind, d.change,
      d.matched_topics as "matchedTopics", d.created_at as "createdAt", v.payload, d.attempts,
      d.source_id as "sourceId", s.name as "sourceName", d.stage_url as "stageUrl"
    from due d join routes r on r.id = d.route_id
    left join sources s on s.id = d.source_id
    left join item_versions v on v.item_id = d.item_id and v.version = d.item_version and d.change <> 'deleted'
    order by d.id`
}
