import type { Duty } from '../../db/leader.ts'
import { listen } from '../../db/listen.ts'
import { messageOf } from '../../kernel/errors.ts'
import { startLoop } from '../../kernel/loop.ts'
import { dueChannels } from '../../publish/deliveries/claim.ts'
import { deliveriesChannel } from '../../publish/deliveries/outbox.ts'
import { drainChannel, type DeliverDeps } from './deliver.ts'

const pollMs = 500

/** Brings the outbox to the channels. Each channel is drained by itself, so a slow one holds nobody up. */
export async function startDelivering(
  deps: DeliverDeps & { close: () => Promise<void> },
): Promise<Duty> {
  const stopping = new AbortController()
  const draining = new Map<string, Promise<void>>()
  const drain = async (id: string): Promise<void> => {
    try {
      await drainChannel({ ...deps, stopping: stopping.signal }, id)
    } catch (error) {
      deps.log.warn({ channel: id, reason: messageOf(error) }, 'delivering stopped; trying again')
    } finally {
      draining.delete(id)
    }
  }
  const loop = startLoop({
    name: 'deliveries',
    everyMs: pollMs,
    log: deps.log,
    runOnce: async () => {
      for (const id of await dueChannels(deps.sql, deps.clock.now()))
        if (!draining.has(id)) draining.set(id, drain(id))
    },
  })
  const listener = await listen(deps.sql, deliveriesChannel, loop.wake, deps.log)
  return {
    stop: async () => {
      stopping.abort()
      await listener.stop().catch(() => undefined)
      await loop.stop()
      await Promise.all(draining.values())
      await deps.close()
    },
  }
}
