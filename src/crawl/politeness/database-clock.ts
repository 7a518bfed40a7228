/**
 * Where the database's clock stands against `performance.now()`. Every question and answer bounds it: the database looked
 * at its clock somewhere between the two. All bounds together are much tighter than a single one.
 */
export interface DatabaseClock {
  /** What a question sent at `sent` and answered at `received` says: it was `theirs` meanwhile. */
  learn(theirs: number, sent: number, received: number): void
  /** A moment of theirs on our clock: not earlier than it is, and later by at most `blurMs`. */
  toOurs(theirs: number): { moment: number; blurMs: number }
  /** A moment of ours on their clock: not earlier than it is. */
  toTheirs(ours: number): number
}

/** Two clocks part by some milliseconds an hour; a bound gets looser with its age. */
const driftPerMs = 0.0002

export function createDatabaseClock(): DatabaseClock {
  /** What to add to their time to get ours, at least and at most. */
  let least = -Infinity
  let most = Infinity
  let learnedAt = 0
  return {
    learn: (theirs, sent, received) => {
      const drift = (received - learnedAt) * driftPerMs
      const tighter = {
        least: Math.max(least - drift, sent - theirs),
        most: Math.min(most + drift, received - theirs),
      }
      // They contradict each other when a clock was set: what was known is void.
      const fits = tighter.least <= tighter.most
      least = fits ? tighter.least : sent - theirs
      most = fits ? tighter.most : received - theirs
      learnedAt = received
    },
    toOurs: (theirs) => ({ moment: theirs + most, blurMs: most - least }),
    toTheirs: (ours) => ours - least,
  }
}
