import type { Tx } from '../../db/pool.ts'

export interface Delivered {
  id: string
  attempt: number
  responseCode: number | null
  subscribers: number | null
}

export interface Undelivered {
  id: string
  attempt: number
  error: string
  responseCode: number | null
  tookMs: number
  /** Null: given up. */
  nextAttemptAt: Date | null
}

export async function markDelivered(tx: Tx, rows: readonly Delivered[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update deliveries d set status = 'delivered', attempts = r.attempt, delivered_at = ${now}, last_error = null,
      response_code = r.code, redis_subscribers = r.subscribers
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.attempt)}::integer[],
      ${rows.map((row) => row.responseCode)}::smallint[], ${rows.map((row) => row.subscribers)}::integer[])
      as r(id, attempt, code, subscribers)
    where d.id = r.id and d.status = 'pending'`
}

export async function markUndelivered(
  tx: Tx,
  rows: readonly Undelivered[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  const list = rows.map((row) => ({
    id: row.id,
    attempt: row.attempt,
    error: row.error.slice(0, 1000),
    code: row.responseCode,
    took_ms: row.tookMs,
    next_at: row.nextAttemptAt,
  }))
  await tx`
    with r as (
      select * from jsonb_to_recordset(${tx.json(list)}) as r(id bigint, attempt integer, error text,
        code smallint, took_ms integer, next_at timestamptz)),
    tried as (
      insert into delivery_failures (delivery_id, attempt, error, response_code, took_ms, failed_at)
      select id, attempt, error, code, took_ms, ${now} from r)
    update deliveries d set status = case when r.next_at is null then 'failed' else 'pending' end,
      attempts = r.attempt, next_attempt_at = coalesce(r.next_at, d.next_attempt_at), last_error = r.error,
      response_code = r.code
    from r where d.id = r.id and d.status = 'pending'`
}

export interface ChannelOutcome {
  failures: number
  failingSince: Date | null
  resumeAt: Date | null
  lastError: string | null
  delivered: boolean
  disabledReason: string | null
}

export async function saveChannelOutcome(
  tx: Tx,
  channelId: string,
  outcome: ChannelOutcome,
  now: Date,
): Promise<void> {
  await tx`
    update channels set failures = ${outcome.failures}, failing_since = ${outcome.failingSince},
      resume_at = coalesce(${outcome.resumeAt}::timestamptz, resume_at),
      last_error = coalesce(${outcome.lastError}, last_error),
      last_delivered_at = case when ${outcome.delivered} then ${now}::timestamptz else last_delivered_at end,
      enabled = enabled and ${outcome.disabledReason}::text is null,
      disabled_reason = coalesce(${outcome.disabledReason}, disabled_reason)
    where id = ${channelId}`
}

/** Opens an alert once; it stays open until the channel works again. */
export async function openAlert(
  tx: Tx,
  channelId: string,
  kind: 'disabled' | 'failing',
  details: Record<string, unknown>,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    insert into channel_alerts (channel_id, kind, details, opened_at)
    values (${channelId}, ${kind}, ${tx.json(details as never)}, ${now})
    on conflict do nothing returning 1`
  return rows.length > 0
}

export async function closeAlerts(tx: Tx, channelId: string, now: Date): Promise<void> {
  await tx`
    update channel_alerts set closed_at = ${now} where channel_id = ${channelId} and closed_at is null`
}
