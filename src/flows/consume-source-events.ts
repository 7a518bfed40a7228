import type { Duty } from '../db/leader.ts'
import { listen } from '../db/listen.ts'
import { codeOf, messageOf } from '../kernel/errors.ts'
import { startLoop } from '../kernel/loop.ts'
import { parseEnvelope, type Envelope } from '../lifecycle/envelope.ts'
import { quarantine, type QuarantineEntry } from '../lifecycle/quarantine.ts'
import { storeStreamEvents } from '../lifecycle/store.ts'
import type { StreamMessage } from '../lifecycle/stream.ts'
import { StreamAway, type StreamLink } from '../lifecycle/stream-link.ts'
import { sourceEventsChannel } from '../sources/outbox.ts'
import {
  handlePendingEvents,
  handleStoredEvents,
  type SourceChangedDeps,
} from './source-changed.ts'

const sweepMs = 1000
/** With Redis healthy the stream delivers; the outbox reader only takes what the stream did not bring in this time. */
const streamGraceMs = 5000
const readCount = 200
const blockMs = 1000
/** Pause before looking whether Redis is back. */
const awayMs = 500

/** Without Redis, the outbox is the transport. With it, the outbox is the net below the stream. */
export async function startOutboxConsumer(
  deps: SourceChangedDeps,
  link: StreamLink | null,
): Promise<Duty> {
  const loop = startLoop({
    name: 'source events',
    everyMs: sweepMs,
    log: deps.log,
    runOnce: () => handlePendingEvents(deps, link?.healthy ? streamGraceMs : 0),
  })
  const listener = await listen(deps.sql, sourceEventsChannel, loop.wake, deps.log)
  return {
    stop: async () => {
      await listener.stop()
      await loop.stop()
    },
  }
}

export function startStreamConsumer(
  deps: SourceChangedDeps,
  link: StreamLink,
  options: { claimIdleMs: number },
): Duty {
  let claimAt = 0
  const loop = startLoop({
    name: 'source event stream',
    everyMs: awayMs,
    log: deps.log,
    runOnce: async () => {
      try {
        if (Date.now() >= claimAt) {
          const claimed = await link.use((stream) => stream.claim(readCount, options.claimIdleMs))
          if (claimed.length > 0)
            deps.log.info({ messages: claimed.length }, 'claimed what another consumer left')
          await consume(deps, link, claimed)
          // A full hand means that there is more.
          if (claimed.length < readCount) claimAt = Date.now() + options.claimIdleMs / 2
        }
        await consume(deps, link, await link.use((stream) => stream.read(readCount, blockMs)))
        return 'again'
      } catch (error) {
        // The breaker has said so already; until it allows another try the outbox delivers.
        if (error instanceof StreamAway) return undefined
        throw error
      }
    },
  })
  return {
    stop: async () => {
      await loop.stop()
      await link.close()
    },
  }
}

/** Once a message is stored it is ours: acknowledged, and retried from the table if it fails. The stream never blocks. */
async function consume(
  deps: SourceChangedDeps,
  link: StreamLink,
  messages: readonly StreamMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const good: { message: StreamMessage; event: Envelope }[] = []
  const bad: QuarantineEntry[] = []
  for (const message of messages) {
    const parsed = parseEnvelope(message.event, deps.clock.now())
    if (parsed.ok) good.push({ message, event: parsed.event })
    else bad.push(toQuarantine(message, parsed.eventId, parsed.reason))
  }
  bad.push(...(await store(deps, good)))
  for (const entry of bad) {
    deps.metrics.processed.inc({ event_type: 'UNREADABLE', result: 'error' })
    deps.log.info({ stream_id: entry.streamId, reason: entry.reason }, 'quarantined a source event')
  }
  await quarantine(deps.sql, bad)
  const ids = good.map(({ event }) => event.event_id)
  const handled = new Set((await handleStoredEvents(deps, ids)).map((event) => event.event_id))
  for (const { event } of good) {
    if (handled.delete(event.event_id)) continue
    deps.metrics.received.inc({ event_type: event.event_type })
    deps.metrics.processed.inc({ event_type: event.event_type, result: 'duplicate' })
  }
  await link.use((stream) => stream.acknowledge(messages.map((message) => message.id)))
}

/** What the database refuses to store is found one by one and handed back; an absent database is another matter. */
async function store(
  deps: SourceChangedDeps,
  good: readonly { message: StreamMessage; event: Envelope }[],
): Promise<QuarantineEntry[]> {
  try {
    await storeStreamEvents(
      deps.sql,
      good.map(({ event }) => event),
    )
    return []
  } catch (error) {
    if (!isRefusedData(error)) throw error
  }
  const refused: QuarantineEntry[] = []
  for (const { message, event } of good) {
    try {
      await storeStreamEvents(deps.sql, [event])
    } catch (error) {
      if (!isRefusedData(error)) throw error
      refused.push(toQuarantine(message, event.event_id, messageOf(error)))
    }
  }
  return refused
}

/** Classes 22, 23 and 54 of the SQL standard: bad data, broken constraint, too complex. */
function isRefusedData(error: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(error) ?? '')
}

function toQuarantine(
  message: StreamMessage,
  eventId: string | null,
  reason: string,
): QuarantineEntry {
  return { streamId: message.id, eventId, raw: message.event ?? '', reason }
}
