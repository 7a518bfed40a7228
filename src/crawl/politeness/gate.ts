import type { Db } from '../../db/pool.ts'
import { holdHost, reserveSlots } from './slots.ts'

/** A run's turnstile at one host: it reserves slots for those who wait and hands them out. */
export interface HostGate {
  /** Waits for the next slot; returns until when it lasts, or null when the run was stopped meanwhile. */
  pass(signal: AbortSignal): Promise<number | null>
  /** The host asked for a pause: slots in hand are void, and from now on we go slower. */
  hold(ms: number): Promise<void>
  /** A request was sent without waiting for a slot: one is taken afterwards, and the next ones come later. */
  charge(): void
}

/** Below this distance hosts are asked not to be overrun rather than for a distance: slots are taken by the hundred. */
const fineMs = 20
const fineSlots = 100
/** A page with hundreds of scripts does not stop the crawl of its host. */
const mostOwed = 30
const slowestStartMs = 1000
const slowestMs = 30_000

export function createGate(db: Db, hostKey: string, wishedDelayMs: number): HostGate {
  let delayMs = wishedDelayMs
  let slots: number[] = []
  let waiting = 0
  let heldUntil = 0
  let owed = 0
  let reserving: Promise<void> | null = null
  const strict = (): boolean => delayMs >= fineMs

  const reserve = async (): Promise<void> => {
    const debt = strict() ? Math.min(owed, mostOwed) : 0
    owed = 0
    const count = debt + (strict() ? Math.max(waiting, 1) : fineSlots)
    const asked = performance.now()
    const spacing = strict() ? delayMs + marginMs(delayMs) : delayMs
    const waits = await reserveSlots(db, { hostKey, count, delayMs: spacing })
    // The database counted from somewhere between question and answer.
    const from = (asked + performance.now()) / 2
    slots.push(...waits.slice(debt).map((wait) => from + wait))
  }
  const take = async (): Promise<number> => {
    for (;;) {
      const slot = slots.shift()
      if (slot !== undefined) return slot
      reserving ??= reserve().finally(() => (reserving = null))
      await reserving
    }
  }
  return {
    pass: async (signal) => {
      waiting++
      try {
        while (!signal.aborted) {
          const slot = await take()
          const wait = slot - performance.now()
          if (wait > 0) await pause(wait, signal)
          // A missed slot is lost: used later, it would come too close to somebody else's.
          const over = strict() ? slot + marginMs(delayMs) / 2 : Infinity
          if (performance.now() <= over) return signal.aborted ? null : over
        }
        return null
      } finally {
        waiting--
      }
    },
    charge: () => {
      owed++
    },
    hold: async (ms) => {
      slots = []
      // Answers to requests that were already under way say the same thing once more.
      if (performance.now() > heldUntil)
        delayMs = Math.min(Math.max(delayMs * 2, slowestStartMs), slowestMs)
      heldUntil = performance.now() + ms
      await holdHost(db, hostKey, ms)
    },
  }
}

/** How late timers of this process have been lately: a busy machine sends late by as much, and so does a cold start. */
let latelyLateMs = 40

/**
 * Slots are a little further apart than asked for, because a request that is sent late is closer to the next one.
 * The busier this machine, the more.
 */
function marginMs(delayMs: number): number {
  return Math.min(Math.max(delayMs * 0.04, 20), 40) + Math.min(2 * latelyLateMs, delayMs / 2)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const due = performance.now() + ms
    const timer = setTimeout(() => {
      latelyLateMs = Math.max(performance.now() - due, latelyLateMs * 0.9)
      done()
    }, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
