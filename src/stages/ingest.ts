import { transaction, type Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import { codeOf } from '../kernel/errors.ts'
import { addressOf } from './event.ts'
import type { Numbers } from './identities.ts'
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
const mostRemembered = 100_000
const deadlock = '40P01'

/**
 * Requests that arrive while the database is busy share the next transaction: under load, single events cost hardly
 * more than batches, and nobody is answered before the commit. Two transactions of ours never hold the same article:
 * the second would only wait for the first, with a connection and a place in the queue.
 */
export function createIngest(sql: Sql, clock: Clock): Ingest {
  const queue: Waiting[] = []
  const inHand = new Set<string>()
  const remembered: Numbers = new Map()
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
    const learned: Numbers = new Map()
    try {
      const outcomes = await transaction(sql, (tx) =>
        recordStage(tx, events, clock.now(), { remembered, learned }),
      )
      if (remembered.size > mostRemembered) remembered.clear()
      for (const [key, number] of learned) remembered.set(key, number)
      return outcomes
    } catch (error) {
      if (attempts > 1 && codeOf(error) === deadlock) return await record(events, attempts - 1)
      throw error
    }
  }
  const pump = (): void => {
    while (busy < writers) {
      const group = takeGroup(queue, inHand)
      if (group.length === 0) return
      const hashes = new Set(group.flatMap(hashesOf))
      for (const hash of hashes) inHand.add(hash)
      busy++
      void write(group).finally(() => {
        busy--
        for (const hash of hashes) inHand.delete(hash)
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

/** As many waiting requests as fit together, first come first served; one whose article is in hand waits and holds up those behind it. */
function takeGroup(queue: Waiting[], inHand: ReadonlySet<string>): Waiting[] {
  let size = 0
  let count = 0
  for (const waiting of queue) {
    if (count > 0 && size + waiting.events.length > largestBatch) break
    if (hashesOf(waiting).some((hash) => inHand.has(hash))) break
    size += waiting.events.length
    count++
  }
  return queue.splice(0, count)
}

function hashesOf({ events }: Waiting): string[] {
  return events.map((event) => addressOf(event.url).hash)
}
