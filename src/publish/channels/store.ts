import type { Db } from '../../db/pool.ts'
import { newId } from '../../kernel/ids.ts'

export const channelKinds = ['redis_pubsub', 'redis_stream', 'webhook'] as const
export type ChannelKind = (typeof channelKinds)[number]

export interface ChannelConfig {
  /** Redis: the channel or the stream. */
  topic?: string | undefined
  /** Redis stream: about how many messages it keeps. */
  max_length?: number | undefined
  url?: string | undefined
  headers?: Record<string, string> | undefined
  timeout_ms?: number | undefined
  concurrency?: number | undefined
}

export interface Channel {
  id: string
  name: string
  kind: ChannelKind
  config: ChannelConfig
  secret: string | null
  oldSecret: string | null
  oldSecretUntil: Date | null
  failures: number
  failingSince: Date | null
}

export interface StoredChannel extends Channel {
  enabled: boolean
  disabledReason: string | null
  resumeAt: Date | null
  lastDeliveredAt: Date | null
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  pending: number
  routeCount: number
}

export interface ChannelFields {
  name: string
  config: ChannelConfig
  enabled: boolean
}

export async function listChannels(db: Db): Promise<StoredChannel[]> {
  return db<StoredChannel[]>`select ${columns(db)} from channels c order by lower(c.name)`
}

export async function findChannel(db: Db, id: string): Promise<StoredChannel | null> {
  const [row] = await db<StoredChannel[]>`select ${columns(db)} from channels c where c.id = ${id}`
  return row ?? null
}

export async function insertChannel(
  db: Db,
  fields: ChannelFields & { kind: ChannelKind; secret: string | null },
  now: Date,
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    insert into channels (id, name, kind, config, secret, enabled, created_at, updated_at)
    values (${newId()}, ${fields.name}, ${fields.kind}, ${db.json(fields.config as never)}, ${fields.secret},
      ${fields.enabled}, ${now}, ${now})
    on conflict do nothing returning id`
  return row?.id ?? null
}

/** Switching a channel on forgets its failures: it starts afresh. */
export async function replaceChannel(
  db: Db,
  id: string,
  fields: ChannelFields,
  now: Date,
): Promise<void> {
  await db`
    update channels set name = ${fields.name}, config = ${db.json(fields.config as never)}, updated_at = ${now},
      failures = case when ${fields.enabled} and not enabled then 0 else failures end,
      failing_since = case when ${fields.enabled} and not enabled then null else failing_since end,
      resume_at = case when ${fields.enabled} and not enabled then '-infinity' else resume_at end,
      disabled_reason = case when ${fields.enabled} then null else disabled_reason end,
      enabled = ${fields.enabled}
    where id = ${id}`
}

/** What waited for a later attempt is due at once. */
export async function hurryDeliveries(db: Db, channelId: string, now: Date): Promise<void> {
  await db`
    update deliveries set next_attempt_at = ${now}
    where channel_id = ${channelId} and status = 'pending' and next_attempt_at > ${now}`
}

export async function rotateSecret(
  db: Db,
  id: string,
  secret: string,
  oldUntil: Date,
  now: Date,
): Promise<void> {
  await db`
    update channels set old_secret = secret, old_secret_until = ${oldUntil}, secret = ${secret}, updated_at = ${now}
    where id = ${id}`
}

export async function countRoutes(db: Db, channelId: string): Promise<number> {
  const [row] = await db<{ n: number }[]>`
    select count(*)::int as n from routes where channel_id = ${channelId}`
  return row?.n ?? 0
}

export async function deleteChannel(db: Db, id: string): Promise<boolean> {
  return (await db`delete from channels where id = ${id} returning 1`).length > 0
}

/** What still waited for a channel that is gone will never be sent. */
export async function abandonDeliveries(db: Db, channelId: string): Promise<void> {
  await db`
    update deliveries set status = 'failed', last_error = 'the channel was deleted'
    where channel_id = ${channelId} and status = 'pending'`
}

export interface ChannelAlert {
  id: string
  channelId: string
  channelName: string
  kind: string
  details: Record<string, unknown>
  openedAt: Date
  closedAt: Date | null
}

export async function listAlerts(db: Db, limit: number): Promise<ChannelAlert[]> {
  return db<ChannelAlert[]>`
    select a.id, a.channel_id as "channelId", c.name as "channelName", a.kind, a.details, a.opened_at as "openedAt",
      a.closed_at as "closedAt"
    from channel_alerts a join channels c on c.id = a.channel_id
    order by a.closed_at is not null, a.id desc limit ${limit}`
}

function columns(db: Db) {
  return db`
    c.id, c.name, c.kind, c.config, c.secret, c.old_secret as "oldSecret", c.old_secret_until as "oldSecretUntil",
    c.failures, c.failing_since as "failingSince", c.enabled, c.disabled_reason as "disabledReason",
    nullif(c.resume_at, '-infinity') as "resumeAt", c.last_delivered_at as "lastDeliveredAt",
    c.last_error as "lastError", c.created_at as "createdAt", c.updated_at as "updatedAt",
    (select count(*)::int from deliveries d where d.channel_id = c.id and d.status = 'pending') as pending,
    (select count(*)::int from routes r where r.channel_id = c.id) as "routeCount"`
}
