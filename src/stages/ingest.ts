import { transaction, type Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import { codeOf } from '../kernel/errors.ts'
import { recordStage, type RecordOutcome, type StageEvent } from './record.ts'

export interface Ingest {
  /** Resolves when the events are safely stored. */
  store(events: StageEvent[]): Promise<RecordOutcome[]>
}

interface Waiting {
  events: StageEvent[]
  resolve(outcomes: RecordOutcome[]): void
  reject(error: unknown): void
}

const writers = 2
const largestBatch = 1000
const deadlock = '40P01'

/**
 * Requests that arrive while the database is busy share the next transaction: under load, single events cost hardly
 * more than batches, and nobody is answered before the commit.
 */
export function createIngest(sql: Sql, clock: Clock): Ingest {
  const queue: Waiting[] = []
  let busy = 0

  const write = async (group: Waiting[]): Promise<void> => {
    try {
      const outcomes = await record(group.flatMap((waiting) => waiting.events))
      let offset = 0
      for (const { events, resolve } of group)
        resolve(outcomes.slice(offset, (offset += events.length)))
    } catch (error) {
      const [only] = group
      if (group.length === 1 && only !== undefined) return only.reject(error)
      // One of them may be the culprit: the others must not pay for it.
      for (const waiting of group) await write([waiting])
    }
  }
  const record = async (events: StageEvent[], attempts = 3): Promise<RecordOutcome[]> => {
    try {
      return await transaction(sql, (tx) => recordStage(tx, events, clock.now()))
    } catch (error) {
      if (attempts > 1 && codeOf(error) === deadlock) return await record(events, attempts - 1)
      throw error
    }
  }
  const pump = (): void => {
    while (busy < writers && queue.length > 0) {
      busy++
      void write(takeGroup(queue)).finally(() => {
        busy--
        pump()
      })
    }
  }
  return {
    store: (events) =>
      new Promise((resolve, reject) => {
        queue.push({ events, resolve, reject })
        pump()
      }),
  }
}

function takeGroup(queue: Waiting[]): Waiting[] {
  let size = 0
  let count = 0
  for (const waiting of queue) {
    if (count > 0 && size + waiting.events.length > largestBatch) break
    size += waiting.events.length
    count++
  }
  return queue.splice(0, count)
}
