import type { Log } from '../kernel/log.ts'
import type { Sql } from './pool.ts'

export interface Listener {
  stop(): Promise<void>
}

/**
 * Calls `onNotify` for each NOTIFY on a channel. After a lost connection postgres.js listens again by itself;
 * notifications sent meanwhile are gone, so `onNotify(null)` asks the caller to look for itself.
 */
export async function listen(
  sql: Sql,
  channel: string,
  onNotify: (payload: string | null) => void,
  log: Log,
): Promise<Listener> {
  let first = true
  const subscription = await sql.listen(channel, onNotify, () => {
    if (!first) log.info({ channel }, 'listening again after a lost connection')
    first = false
    onNotify(null)
  })
  return { stop: () => subscription.unlisten() }
}
