import type { Duty } from '../db/leader.ts'
import { listen } from '../db/listen.ts'
import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'
import { markRelayed, unrelayedEvents } from '../lifecycle/store.ts'
import { StreamAway, type StreamLink } from '../lifecycle/stream-link.ts'
import { sourceEventsChannel } from '../sources/outbox.ts'

export interface RelayDeps {
  sql: Sql
  clock: Clock
  log: Log
  link: StreamLink
}

const batchSize = 500
const sweepMs = 1000

/** Brings the outbox to the stream, in order. After an outage it catches up; a crash in between repeats a batch, which consumers recognize by id. */
export async function startRelay(deps: RelayDeps): Promise<Duty> {
  const loop = startLoop({
    name: 'source event relay',
    everyMs: sweepMs,
    log: deps.log,
    runOnce: async () => {
      try {
        return await relayOnce(deps)
      } catch (error) {
        // The breaker has said so already; the events wait in the outbox.
        if (error instanceof StreamAway) return undefined
        throw error
      }
    },
  })
  const listener = await listen(deps.sql, sourceEventsChannel, loop.wake, deps.log)
  return {
    stop: async () => {
      await listener.stop()
      await loop.stop()
      await deps.link.close()
    },
  }
}

export async function relayOnce(deps: RelayDeps): Promise<'again' | void> {
  const events = await unrelayedEvents(deps.sql, batchSize)
  if (events.length === 0) return
  await deps.link.use((stream) => stream.publish(events.map((event) => event.message)))
  await markRelayed(
    deps.sql,
    events.map((event) => event.seq),
    deps.clock.now(),
  )
  if (events.length === batchSize) return 'again'
}
