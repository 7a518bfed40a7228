import type { Db } from '../../db/pool.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface DeliveryFilter {
  routeId?: string | undefined
  channelId?: string | undefined
  itemId?: string | undefined
  status?: DeliveryStatus | undefined
  change?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export interface DeliveryRow {
  id: string
  routeId: string
  routeName: string
  routeVersion: number
  channelId: string | null
  channelName: string | null
  itemId: string
  itemVersion: number
  kind: string
  title: string | null
  change: string
  status: DeliveryStatus
  attempts: number
  nextAttemptAt: Date
  createdAt: Date
  deliveredAt: Date | null
  lastError: string | null
  responseCode: number | null
  redisSubscribers: number | null
  matchedTopics: string[]
}

export async function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<DeliveryRow[]> {
  return db<DeliveryRow[]>`
    select ${columns(db)} ${from(db)} where ${where(db, filter)}
    order by d.id desc limit ${page.limit} offset ${page.offset}`
}

export async function countDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  const [row] = await db<{ n: number }[]>`
    select count(*)::int as n from deliveries d where ${where(db, filter)}`
  return row?.n ?? 0
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | null> {
  const [row] = await db<DeliveryRow[]>`select ${columns(db)} ${from(db)} where d.id = ${id}`
  return row ?? null
}

export interface FailureRow {
  attempt: number
  error: string
  responseCode: number | null
  tookMs: number
  failedAt: Date
}

export async function failuresOf(db: Db, deliveryId: string): Promise<FailureRow[]> {
  return db<FailureRow[]>`
    select attempt, error, response_code as "responseCode", took_ms as "tookMs", failed_at as "failedAt"
    from delivery_failures where delivery_id = ${deliveryId} order by id`
}

/** Sends again, with the same idempotency id; gives how many. Only what has a channel can be sent. */
export async function redeliver(db: Db, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    update deliveries set status = 'pending', attempts = 0, next_attempt_at = ${now}, delivered_at = null
    where id = any(${[...ids]}::bigint[]) and channel_id in (select id from channels) returning id`
  return rows.map((row) => row.id)
}

/** Everything that was given up and fits the filter. */
export async function redeliverFailed(db: Db, filter: DeliveryFilter, now: Date): Promise<number> {
  const rows = await db`
    update deliveries d set status = 'pending', attempts = 0, next_attempt_at = ${now}
    where d.status = 'failed' and d.channel_id in (select id from channels)
      and ${where(db, { ...filter, status: 'failed' })} returning 1`
  return rows.length
}

function from(db: Db) {
  return db`
    from deliveries d join routes r on r.id = d.route_id left join channels c on c.id = d.channel_id
    left join item_versions v on v.item_id = d.item_id and v.version = d.item_version`
}

function columns(db: Db) {
  return db`
    d.id, d.route_id as "routeId", r.name as "routeName", d.route_version as "routeVersion",
    d.channel_id as "channelId", c.name as "channelName", d.item_id as "itemId", d.item_version as "itemVersion",
    d.kind, v.payload ->> 'title' as title, d.change, d.status, d.attempts, d.next_attempt_at as "nextAttemptAt",
    d.created_at as "createdAt", d.delivered_at as "deliveredAt", d.last_error as "lastError",
    d.response_code as "responseCode", d.redis_subscribers as "redisSubscribers", d.matched_topics as "matchedTopics"`
}

function where(db: Db, filter: DeliveryFilter) {
  return db`
    (${filter.routeId ?? null}::uuid is null or d.route_id = ${filter.routeId ?? null})
    and (${filter.channelId ?? null}::uuid is null or d.channel_id = ${filter.channelId ?? null})
    and (${filter.itemId ?? null}::uuid is null or d.item_id = ${filter.itemId ?? null})
    and (${filter.status ?? null}::text is null or d.status = ${filter.status ?? null})
    and (${filter.change ?? null}::text is null or d.change = ${filter.change ?? null})
    and (${filter.from ?? null}::timestamptz is null or d.created_at >= ${filter.from ?? null})
    and (${filter.to ?? null}::timestamptz is null or d.created_at < ${filter.to ?? null})`
}
