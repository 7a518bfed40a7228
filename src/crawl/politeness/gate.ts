import type { Db } from '../../db/pool.ts'
import type { Slot } from './slot.ts'
import { holdHost, reserveSlots } from './slots.ts'

/** A run's turnstile at one host: it reserves slots for those who wait and hands them out. */
export interface HostGate {
  /** Waits for the next slot; null when the run was stopped meanwhile. */
  pass(signal: AbortSignal): Promise<Slot | null>
  /** The host asked for a pause: slots in hand are void, and from now on we go slower. */
  hold(ms: number): Promise<void>
  /** A request was sent without waiting for a slot: one is taken afterwards, and the next ones come later. */
  charge(): void
}

/** Slots reserved together: a stretch of time in which this run alone may ask the host, so many times. */
interface Stretch {
  opens: number
  /** The last moment at which a request keeps its distance from whoever comes next; in the past when none is kept. */
  closes: number
  left: number
  /** Its name at the database; null when it cannot be given back. */
  until: number | null
}

/** Below this distance hosts are asked not to be overrun rather than for a distance: slots are taken by the hundred. */
const fineMs = 20
const fineSlots = 100
/** A page with hundreds of scripts does not stop the crawl of its host. */
const mostOwed = 30
const slowestStartMs = 1000
const slowestMs = 30_000
/** Who has a slot sends at once, but for a connection that must be opened first. */
const graceMs = 250

export function createGate(db: Db, hostKey: string, wishedDelayMs: number): HostGate {
  let delayMs = wishedDelayMs
  let stretch: Stretch = { opens: 0, closes: -Infinity, left: 0, until: null }
  let waiting = 0
  let heldUntil = 0
  /** The pause is written down; before that, a reservation might not know of it. */
  let holding: Promise<unknown> = Promise.resolve()
  let owed = 0
  /** Stretches in a row that were over before anybody could use them. */
  let fruitless = 0
  let fruitful = true
  /** When the request before left at the latest; one after the other waits for it. */
  let before: Promise<number> = Promise.resolve(-Infinity)
  let fineTurns: Promise<Stretch> | null = null
  const strict = (): boolean => delayMs >= fineMs

  /** What is left of the stretch before is given back: lateness costs the host's next visitor nothing. */
  const reserve = async (free: number | null = null): Promise<Stretch> => {
    const debt = strict() ? Math.min(owed, mostOwed) : 0
    owed = 0
    const count = debt + (strict() ? Math.max(waiting, 1) : fineSlots)
    fruitless = fruitful ? 0 : fruitless + 1
    fruitful = false
    const marginMs = strict() ? marginFor(delayMs, fruitless) : 0
    const spacing = delayMs + marginMs
    const handBack =
      free === null || stretch.until === null ? null : { until: stretch.until, from: free }
    const asked = { hostKey, count, delayMs: spacing, handBack }
    await holding
    const heldBefore = heldUntil
    const { moments, blurMs, until } = await reserveSlots(db, asked)
    const first = moments[debt] ?? 0
    const left = count - debt
    const closes = strict()
      ? first + left * spacing - delayMs - blurMs - jitterFor(delayMs) - handOverMs
      : -Infinity
    // Reserved before the host asked for a pause: void, like all that was in hand then.
    return { opens: first, closes, left: heldUntil === heldBefore ? left : 0, until }
  }

  /** Hosts without a distance: leave is given as fast as it is asked for, and the database hears of it by the hundred. */
  const passFinely = async (signal: AbortSignal): Promise<Slot | null> => {
    while (stretch.left === 0)
      stretch = await (fineTurns ??= reserve().finally(() => (fineTurns = null)))
    stretch.left--
    const wait = stretch.opens + (fineSlots - 1 - stretch.left) * delayMs - performance.now()
    if (wait > 0) await pause(wait, signal)
    return signal.aborted ? null : { over: Infinity, used: () => {} }
  }

  const passStrictly = async (signal: AbortSignal): Promise<Slot | null> => {
    const previous = before
    let end = (_at: number): void => {}
    before = new Promise((resolve) => (end = resolve))
    const lastSent = await previous
    try {
      while (!signal.aborted) {
        const now = performance.now()
        const free = Math.max(lastSent + delayMs + jitterFor(delayMs), stretch.opens)
        if (stretch.left === 0 || Math.max(free, now) > stretch.closes) {
          stretch = await reserve(free)
          continue
        }
        if (free > now) await pause(free - now, signal)
        const passed = performance.now()
        if (free > now) noticeStall(passed - free)
        // A missed slot is lost: used later, it would come too close to somebody else's. One that was held back meanwhile, too.
        if (passed > stretch.closes || stretch.left === 0) continue
        if (signal.aborted) break
        stretch.left--
        fruitful = true
        return slotUntil(Math.min(stretch.closes, passed + graceMs), (sent) => {
          noticeLateness(sent - Math.max(free, now))
          end(sent)
        })
      }
      end(lastSent)
      return null
    } catch (error) {
      end(lastSent)
      throw error
    }
  }

  return {
    pass: async (signal) => {
      waiting++
      try {
        return await (strict() ? passStrictly(signal) : passFinely(signal))
      } finally {
        waiting--
      }
    },
    charge: () => {
      owed++
    },
    hold: async (ms) => {
      stretch.left = 0
      // Answers to requests that were already under way say the same thing once more.
      if (performance.now() > heldUntil)
        delayMs = Math.min(Math.max(delayMs * 2, slowestStartMs), slowestMs)
      heldUntil = performance.now() + ms
      const written = holdHost(db, hostKey, ms)
      holding = written.catch(() => {})
      await written
    },
  }
}

/** Good for one request. Whoever comes next hears when it left, or that it cannot any more. */
function slotUntil(moment: number, end: (at: number) => void): Slot {
  const timer = setTimeout(() => end(moment), Math.max(moment - performance.now(), 0))
  let over = moment
  return {
    get over() {
      return over
    },
    used: () => {
      clearTimeout(timer)
      over = -Infinity
      // A busy machine may stop us between here and the sending: once that is done, it cannot have been later.
      process.nextTick(() => end(performance.now()))
    },
  }
}

/** How late this process is on average; a cold start makes anybody late. */
let lateMs = 20
const weight = 0.1
const leastJitterMs = 25
/** Whoever has the next stretch hears nothing of a request that was held up on its last steps. */
const handOverMs = 25

function noticeLateness(ms: number): void {
  lateMs += (Math.max(ms, 0) - lateMs) * weight
}

/** The longest that this process was held up lately when a pause was over: a request can be on its way, too. */
let stallMs = 20
const fading = 0.98

function noticeStall(ms: number): void {
  stallMs = Math.max(ms, stallMs * fading)
}

/** A request does not always take as long to the host as the one before it, least of all from a busy machine. */
function jitterFor(delayMs: number): number {
  return leastJitterMs + Math.min(stallMs + 2 * lateMs, delayMs / 5)
}

/**
 * Slots are reserved further apart than asked for, because a request that leaves late moves those behind it. The busier
 * this machine, the more; what was not needed is given back. Only who misses everything again and again asks for much
 * more room than the host does.
 */
function marginFor(delayMs: number, fruitless: number): number {
  const patience = Math.min(Math.max(fruitless - 2, 0), 10)
  return handOverMs + 2 * jitterFor(delayMs) + Math.min(3 * lateMs, (delayMs / 2) * 2 ** patience)
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
