import type { PageOutcome } from './commit-batches.ts'

/** What a run has fetched and not yet written. */
export interface Unwritten {
  add(outcome: PageOutcome): void
  /** Begins to write when it is time; `underWay` is how many fetches of the run still are. */
  writeInTime(underWay: number): void
  /** Everything so far is written. */
  written(): Promise<void>
  /** No write is under way any more, whatever came of it. */
  settled(): Promise<void>
}

const flushSize = 100
export const flushMs = 300
const fewPages = 8
const fewUnderWay = 4
const slowFlushMs = 2500

/** Pages are written by the batch, one batch after the other; a write in the background that fails is told to `failed`. */
export function createUnwritten(
  write: (batch: readonly PageOutcome[]) => Promise<void>,
  failed: (error: unknown) => void,
): Unwritten {
  let done: PageOutcome[] = []
  let writing: Promise<void> | null = null
  let lastWrite = performance.now()

  const flush = async (): Promise<void> => {
    const batch = done
    done = []
    lastWrite = performance.now()
    if (batch.length > 0) await write(batch)
  }
  /** Slow hosts give a page now and then: while others of theirs are under way, they are written a few at a time. */
  const isTime = (underWay: number): boolean => {
    if (done.length >= flushSize) return true
    const inNoHurry = done.length < fewPages && underWay >= fewUnderWay
    return performance.now() - lastWrite > (inNoHurry ? slowFlushMs : flushMs)
  }
  return {
    add: (outcome) => void done.push(outcome),
    writeInTime: (underWay) => {
      if (writing !== null || done.length === 0 || !isTime(underWay)) return
      writing = flush()
        .catch(failed)
        .finally(() => (writing = null))
    },
    written: async () => {
      // What a batch under way brings is not due before it is written.
      await writing
      await flush()
    },
    settled: async () => {
      await writing
    },
  }
}
