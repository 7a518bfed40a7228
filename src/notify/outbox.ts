import type { Db, Tx } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import type { Message } from './message.ts'

export const targets = ['slack', 'webhook'] as const
export type Target = (typeof targets)[number]

export interface Notification {
  id: string
  target: Target
  about: string
  message: Message
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  next_attempt_at: Date | null
  last_error: string | null
  created_at: Date
  delivered_at: Date | null
}

/** What was told before under this name is not told again. */
export async function enqueueNotifications(
  tx: Tx,
  to: readonly Target[],
  about: string,
  message: Message,
  now: Date,
): Promise<void> {
  if (to.length === 0) return
  const rows = to.map((target) => ({ id: newId(now.getTime()), target }))
  await tx`
    insert into notifications (id, target, about, message, created_at, next_attempt_at)
    select r.id, r.target, ${about}, ${tx.json(message as never)}, ${now}, ${now}
    from jsonb_to_recordset(${tx.json(rows)}) as r (id uuid, target text)
    on conflict (target, about) do nothing`
}

/** Takes the due ones of a target; should this process die, they are due again when the lease is over. */
export async function claimNotifications(
  db: Db,
  target: Target,
  wanted: { now: Date; leaseUntil: Date; limit: number },
): Promise<Notification[]> {
  return db<Notification[]>`
    update notifications set attempts = attempts + 1, next_attempt_at = ${wanted.leaseUntil}
    where id in (
      select id from notifications
      where status = 'pending' and target = ${target} and next_attempt_at <= ${wanted.now}
      order by created_at, id limit ${wanted.limit} for update skip locked)
    returning *`
}

export interface Sent {
  ok: boolean
  error: string | null
  /** Null: it is not tried again. */
  retryAt: Date | null
}

/** Only while the attempt is still ours: a later one knows better. */
export async function settleNotification(
  db: Db,
  { id, attempts }: Pick<Notification, 'id' | 'attempts'>,
  sent: Sent,
  now: Date,
): Promise<void> {
  const status = sent.ok ? 'delivered' : sent.retryAt === null ? 'failed' : 'pending'
  await db`
    update notifications set status = ${status}, last_error = ${sent.error},
      next_attempt_at = ${sent.retryAt}, delivered_at = ${sent.ok ? now : null}
    where id = ${id} and attempts = ${attempts} and status = 'pending'`
}

export async function listNotifications(
  db: Db,
  status: Notification['status'] | undefined,
  page: { limit: number; offset: number },
): Promise<{ notifications: Notification[]; total: number }> {
  const wanted = db`where (${status ?? null}::text is null or status = ${status ?? null})`
  const notifications = await db<Notification[]>`
    select * from notifications ${wanted}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`
  const [row] = await db<{ total: number }[]>`
    select count(*)::int as total from notifications ${wanted}`
  return { notifications, total: row?.total ?? 0 }
}
