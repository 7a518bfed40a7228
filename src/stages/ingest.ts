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
  /** Of the articles its events are about. */
  hashes: Set<string>
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
      for (const { hashes } of group) for (const hash of hashes) inHand.add(hash)
      busy++
      void write(group).finally(() => {
        busy--
        for (const { hashes } of group) for (const hash of hashes) inHand.delete(hash)
        pump()
      })
    }
  }
  let isWaking = false
  // Requests that were read from their sockets together are written together.
  const wake = (): void => {
    if (isWaking) return
    isWaking = true
    setImmediate(() => {
      isWaking = false
      pump()
    })
  }
  return {
    store: (events) =>
      new Promise((resolve, reject) => {
        const hashes = new Set(events.map((event) => addressOf(event.url).hash))
        queue.push({ events, hashes, resolve, reject })
        wake()
      }),
  }
}

/**
 * As many waiting requests as fit together, first come first served. One whose article is in hand waits, and so does
 * everybody behind it who needs one of its articles; the others pass.
 */
function takeGroup(queue: Waiting[], inHand: ReadonlySet<string>): Waiting[] {
  const group: Waiting[] = []
  const left: Waiting[] = []
  const awaited = new Set<string>()
  let size = 0
  for (const waiting of queue) {
    const { hashes, events } = waiting
    const fits = group.length === 0 || size + events.length <= largestBatch
    if (!fits || isAny(hashes, inHand) || isAny(hashes, awaited)) {
      left.push(waiting)
      for (const hash of hashes) awaited.add(hash)
      continue
    }
    group.push(waiting)
    size += events.length
  }
  queue.splice(0, queue.length, ...left)
  return group
}

function isAny(hashes: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const hash of hashes) if (others.has(hash)) return true
  return false
}
