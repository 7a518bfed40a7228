import { listen, type Listener } from '../db/listen.ts'
import type { Sql } from '../db/pool.ts'
import type { Log } from '../kernel/log.ts'
import { payloadIds, type channels } from '../runs/channels.ts'

/**
 * Calls back when one of `ids` (or, without ids, any run) may have moved. Missed notifications do not matter:
 * `everyMs` later it looks anyway.
 */
export async function watchRuns(
  sql: Sql,
  channel: (typeof channels)['changed' | 'logged'],
  concerns: (ids: Set<string> | null) => boolean,
  onChange: () => void,
  log: Log,
  everyMs = 5000,
): Promise<Listener> {
  const listener = await listen(
    sql,
    channel,
    (payload) => {
      if (concerns(payloadIds(payload))) onChange()
    },
    log,
  )
  const timer = setInterval(onChange, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      // Without a connection there is nothing left to stop listening to.
      await listener.stop().catch(() => {})
    },
  }
}
