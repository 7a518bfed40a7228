import type { Db } from '../../db/pool.ts'
import { holdHost, reserveSlots } from './slots.ts'

/** A run's turnstile at one host: it reserves a few seconds of slots at a time and hands them out. */
export interface HostGate {
  /** Waits for the next slot; false when the run was stopped meanwhile. */
  pass(signal: AbortSignal): Promise<boolean>
  /** The host asked for a pause: slots in hand are void, and from now on we go slower. */
  hold(ms: number): Promise<void>
}

const aheadMs = 2000
const mostSlots = 100
const slowestStartMs = 1000
const slowestMs = 30_000

export function createGate(
  db: Db,
  hostKey: string,
  wishedDelayMs: number,
  now: () => Date,
): HostGate {
  let delayMs = wishedDelayMs
  let slots: number[] = []
  let heldUntil = 0
  let reserving: Promise<void> | null = null
  const reserve = async (): Promise<void> => {
    const count = Math.min(Math.max(Math.floor(aheadMs / Math.max(delayMs, 1)), 1), mostSlots)
    const reserved = await reserveSlots(db, { hostKey, count, delayMs, now: now() })
    slots.push(...reserved.map((slot) => slot.getTime()))
  }
  const take = async (): Promise<number> => {
    for (;;) {
      const slot = slots.shift()
      // A slot long past is still good: nobody else has it, and being late keeps the distance.
      if (slot !== undefined) return slot
      reserving ??= reserve().finally(() => (reserving = null))
      await reserving
    }
  }
  return {
    pass: async (signal) => {
      if (signal.aborted) return false
      const wait = (await take()) - now().getTime()
      if (wait > 0) await pause(wait, signal)
      return !signal.aborted
    },
    hold: async (ms) => {
      slots = []
      // Answers to requests that were already under way say the same thing once more.
      if (now().getTime() > heldUntil)
        delayMs = Math.min(Math.max(delayMs * 2, slowestStartMs), slowestMs)
      heldUntil = now().getTime() + ms
      await holdHost(db, hostKey, new Date(now().getTime() + ms))
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
