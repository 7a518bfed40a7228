import type { Db } from '../../db/pool.ts'

export interface SlotRequest {
  hostKey: string
  count: number
  delayMs: number
}

/**
 * Reserves the next free moments of a host for `count` requests, `delayMs` apart, as waits in milliseconds from now.
 * The row of the host is the one place where all workers meet, and the database's clock the only one that counts, so
 * the distance holds across the whole fleet; one statement per batch.
 */
export async function reserveSlots(db: Db, request: SlotRequest): Promise<number[]> {
  const spanMs = request.count * request.delayMs
  const [row] = await db<{ wait: number }[]>`
    insert into hosts as h (host_key, next_slot_at)
    values (${request.hostKey}, clock_timestamp() + ${spanMs} * interval '1 millisecond')
    on conflict (host_key) do update set
      next_slot_at = greatest(h.next_slot_at, h.blocked_until, clock_timestamp()) + ${spanMs} * interval '1 millisecond'
    returning extract(epoch from next_slot_at - ${spanMs} * interval '1 millisecond' - clock_timestamp())::float8 * 1000 as wait`
  const first = row?.wait ?? 0
  return Array.from({ length: request.count }, (_, index) => first + index * request.delayMs)
}

/** The host asked to be left alone: nobody gets a slot before that. */
export async function holdHost(db: Db, hostKey: string, ms: number): Promise<void> {
  await db`
    insert into hosts as h (host_key, blocked_until)
    values (${hostKey}, clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict (host_key) do update set blocked_until = greatest(h.blocked_until, excluded.blocked_until)`
}

/** The distance between two requests: the longest of what robots.txt, the source and the operator ask for. */
export function politeDelayMs(rules: {
  crawlDelayMs: number | null
  rateLimit: number | null
  floorMs: number
}): number {
  const bySource = rules.rateLimit === null || rules.rateLimit <= 0 ? 0 : 1000 / rules.rateLimit
  return Math.max(rules.crawlDelayMs ?? 0, bySource, rules.floorMs)
}
