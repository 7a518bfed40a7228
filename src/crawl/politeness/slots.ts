import type { Db } from '../../db/pool.ts'

export interface SlotRequest {
  hostKey: string
  count: number
  delayMs: number
  now: Date
}

/**
 * Reserves the next free moments of a host for `count` requests, `delayMs` apart. The row of the host is the one
 * place where all workers meet, so the distance holds across the whole fleet; one statement per batch.
 */
export async function reserveSlots(db: Db, request: SlotRequest): Promise<Date[]> {
  const [row] = await db<{ first: Date }[]>`
    insert into hosts as h (host_key, next_slot_at)
    values (${request.hostKey}, ${request.now}::timestamptz + ${request.count * request.delayMs} * interval '1 millisecond')
    on conflict (host_key) do update set
      next_slot_at = greatest(h.next_slot_at, h.blocked_until, ${request.now}::timestamptz)
        + ${request.count * request.delayMs} * interval '1 millisecond'
    returning next_slot_at - ${request.count * request.delayMs} * interval '1 millisecond' as first`
  const first = row?.first.getTime() ?? request.now.getTime()
  return Array.from(
    { length: request.count },
    (_, index) => new Date(first + index * request.delayMs),
  )
}

/** The host asked to be left alone: nobody gets a slot before that. */
export async function holdHost(db: Db, hostKey: string, until: Date): Promise<void> {
  await db`
    insert into hosts as h (host_key, blocked_until) values (${hostKey}, ${until})
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
