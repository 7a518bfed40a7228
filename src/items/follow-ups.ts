import type { Db, Tx } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'

export type FollowUpKind = 'geocode' | 'enrich' | 'embed'

export interface FollowUp {
  kind: FollowUpKind
  item_id: string
  item_kind: string
  reason: string | null
}

export interface LeasedFollowUp {
  itemId: string
  itemKind: string
  reason: string | null
  attempts: number
  token: string
}

export const followUpsChannel = 'millrace_follow_ups'

export async function enqueueFollowUps(
  tx: Tx,
  followUps: readonly FollowUp[],
  now: Date,
): Promise<void> {
  if (followUps.length === 0) return
  const each = [...new Map(followUps.map((one) => [`${one.kind} ${one.item_id}`, one])).values()]
  await tx`
    insert into follow_ups (kind, item_id, item_kind, reason, next_attempt_at)
    select kind, item_id, item_kind, reason, ${now}
    from jsonb_to_recordset(${tx.json(each as never)}) as f(kind text, item_id uuid, item_kind text, reason text)
    on conflict (kind, item_id) do update
    set reason = excluded.reason, attempts = 0, next_attempt_at = excluded.next_attempt_at, lease_token = null`
  await tx`select pg_notify(${followUpsChannel}, '')`
}

/** Leases due follow-ups: the slow call happens outside any transaction, and a lost lease changes nothing. */
export async function leaseFollowUps(
  db: Db,
  kind: FollowUpKind,
  now: Date,
  limit: number,
  leaseMs: number,
): Promise<LeasedFollowUp[]> {
  const token = newId()
  return db<LeasedFollowUp[]>`
    update follow_ups f set lease_token = ${token}, lease_until = ${new Date(now.getTime() + leaseMs)}
    where kind = ${kind} and item_id in (
      select item_id from follow_ups where kind = ${kind} and next_attempt_at <= ${now}
        and (lease_until is null or lease_until <= ${now})
      order by next_attempt_at limit ${limit} for update skip locked)
    returning item_id as "itemId", item_kind as "itemKind", reason, attempts, lease_token as token`
}

/** Ends a follow-up for good; false when the lease has moved on and the result must be dropped. */
export async function finishFollowUp(
  tx: Tx,
  kind: FollowUpKind,
  leased: LeasedFollowUp,
): Promise<boolean> {
  const [row] = await tx`
    delete from follow_ups where kind = ${kind} and item_id = ${leased.itemId} and lease_token = ${leased.token} returning 1`
  return row !== undefined
}

/** Not now: the next try, or the end after the last one. */
export async function postponeFollowUps(
  db: Db,
  kind: FollowUpKind,
  leased: readonly LeasedFollowUp[],
  next: { at: Date; countAttempt: boolean; maxAttempts: number },
): Promise<void> {
  if (leased.length === 0) return
  const token = leased[0]?.token ?? null
  const ids = leased.map((one) => one.itemId)
  await db`
    update follow_ups set lease_token = null, lease_until = null, next_attempt_at = ${next.at},
      attempts = attempts + ${next.countAttempt ? 1 : 0}
    where kind = ${kind} and item_id = any(${ids}::uuid[]) and lease_token = ${token}`
  await db`
    delete from follow_ups
    where kind = ${kind} and item_id = any(${ids}::uuid[]) and lease_token is null and attempts >= ${next.maxAttempts}`
}
