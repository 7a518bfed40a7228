/** Where time comes from, so that tests can set it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export interface ManualClock extends Clock {
  set(time: Date | string): void
  advance(ms: number): void
}

export function manualClock(start: Date | string): ManualClock {
  let current = new Date(start).getTime()
  return {
    now: () => new Date(current),
    set: (time) => {
      current = new Date(time).getTime()
    },
    advance: (ms) => {
      current += ms
    },
  }
}
