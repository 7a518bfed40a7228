import type { Duty } from '../db/leader.ts'
import { listen } from '../db/listen.ts'
import { startLoop } from '../kernel/loop.ts'
import { parseEnvelope, type Envelope } from '../lifecycle/envelope.ts'
import {
  countUnprocessed,
  quarantine,
  storeStreamEvents,
  type QuarantineEntry,
} from '../lifecycle/store.ts'
import type { StreamMessage } from '../lifecycle/stream.ts'
import type { StreamLink } from '../lifecycle/stream-link.ts'
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
const claimIdleMs = 30_000

/** Without Redis, the outbox is the transport. With it, the outbox is the net below the stream. */
export async function startOutboxConsumer(
  deps: SourceChangedDeps,
  link: StreamLink | null,
): Promise<Duty> {
  const loop = startLoop({
    name: 'source events',
    everyMs: sweepMs,
    log: deps.log,
    runOnce: async () => {
      const again = await handlePendingEvents(deps, link?.healthy ? streamGraceMs : 0)
      if (again !== 'again') deps.metrics.lag.set(await countUnprocessed(deps.sql))
      return again
    },
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
  options = { claimIdleMs },
): Duty {
  let claimedAt = 0
  const loop = startLoop({
    name: 'source event stream',
    everyMs: 1,
    log: deps.log,
    runOnce: async () => {
      if (Date.now() - claimedAt >= options.claimIdleMs / 2) {
        await consume(
          deps,
          link,
          await link.use((stream) => stream.claim(readCount, options.claimIdleMs)),
        )
        claimedAt = Date.now()
      }
      await consume(deps, link, await link.use((stream) => stream.read(readCount, blockMs)))
      return 'again'
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
export async function consume(
  deps: SourceChangedDeps,
  link: StreamLink,
  messages: readonly StreamMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const events: Envelope[] = []
  const bad: QuarantineEntry[] = []
  for (const message of messages) {
    const parsed = parseEnvelope(message.event)
    if (parsed.ok) events.push(parsed.event)
    else
      bad.push({
        streamId: message.id,
        eventId: parsed.eventId,
        raw: message.event ?? '',
        reason: parsed.reason,
      })
  }
  for (const entry of bad)
    deps.log.info({ stream_id: entry.streamId, reason: entry.reason }, 'quarantined a source event')
  await quarantine(deps.sql, bad)
  await storeStreamEvents(deps.sql, events)
  await handleStoredEvents(
    deps,
    events.map((event) => event.event_id),
  )
  await link.use((stream) => stream.acknowledge(messages.map((message) => message.id)))
}
