export interface EventRate {
  /** Takes room for `n` events, or says how many seconds to wait. */
  take(n: number): { ok: true } | { ok: false; retryAfterSeconds: number }
}

/**
 * At most so many events a second, with one second's worth at once. A batch larger than that passes when the
 * bucket is full and is paid off afterwards, so that no batch is refused for ever.
 */
export function createEventRate(perSecond: number, now: () => number = Date.now): EventRate {
  let room = perSecond
  let updatedAt = now()
  return {
    take: (n) => {
      const at = now()
      room = Math.min(perSecond, room + ((at - updatedAt) / 1000) * perSecond)
      updatedAt = at
      const needed = Math.min(n, perSecond)
      if (room < needed)
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((needed - room) / perSecond)) }
      room -= n
      return { ok: true }
    },
  }
}
