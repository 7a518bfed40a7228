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

interface Slot {
  at: number
  /** Sent later than this, a request would come too close to the next one. */
  over: number
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
  let slots: Slot[] = []
  let waiting = 0
  let heldUntil = 0
  let owed = 0
  /** Reservations in a row of which every slot was over before it could be used. */
  let fruitless = 0
  let used = true
  let reserving: Promise<void> | null = null
  const strict = (): boolean => delayMs >= fineMs

  const reserve = async (): Promise<void> => {
    const debt = strict() ? Math.min(owed, mostOwed) : 0
    owed = 0
    const count = debt + (strict() ? Math.max(waiting, 1) : fineSlots)
    fruitless = used ? 0 : fruitless + 1
    used = false
    const marginMs = strict() ? marginFor(delayMs, fruitless) : 0
    const spacing = delayMs + marginMs
    const { moments, blurMs } = await reserveSlots(db, { hostKey, count, delayMs: spacing })
    notice('blurMs', blurMs)
    // Half of the margin is for us to be late in; the other half is left between us and whoever comes next.
    const grace = strict() ? marginMs / 2 - blurMs : Infinity
    slots.push(...moments.slice(debt).map((at) => ({ at, over: at + grace })))
  }
  const take = async (): Promise<Slot> => {
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
          const { at, over } = await take()
          const wait = at - performance.now()
          if (wait > 0) await pause(wait, signal)
          // A missed slot is lost: used later, it would come too close to somebody else's.
          if (performance.now() > over) continue
          used = true
          return signal.aborted ? null : over
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

/** What has kept this process from being on time lately; a cold start does, too. */
const lately = { timersMs: 40, blurMs: 0 }

function notice(what: keyof typeof lately, ms: number): void {
  lately[what] = Math.max(ms, lately[what] * 0.9)
}

/**
 * Slots are a little further apart than asked for, because a request that is sent late is closer to the next one.
 * The busier this machine and its database, the more; but one stall must not slow down a quick host for long, so only
 * who misses everything again and again asks for much more room than the host does.
 */
function marginFor(delayMs: number, fruitless: number): number {
  const base = Math.min(Math.max(delayMs * 0.04, 20), 40)
  const wanted = 2 * (lately.timersMs + lately.blurMs)
  const patience = Math.min(Math.max(fruitless - 2, 0), 10)
  return base + Math.min(wanted, (delayMs / 2) * 2 ** patience)
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
      notice('timersMs', performance.now() - due)
      done()
    }, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
