import type { Db } from '../db/pool.ts'
import { channels } from './channels.ts'
import { runColumns, type Run } from './types.ts'

/**
 * Ends runs that wait or are worked on. The token is void at once, so a late finish changes nothing; the worker
 * hears of it by NOTIFY, or at its next heartbeat.
 */
export async function cancelRuns(db: Db, ids: readonly string[], reason: string): Promise<Run[]> {
  if (ids.length === 0) return []
  return await db<Run[]>`
    with ended as (
      update runs
      set status = 'cancelled', completed_at = now(), lease_token = null, error_message = ${reason}
      where id = any (${[...ids]}::uuid[]) and status in ('pending', 'running')
      returning *
    ),
    told as (select pg_notify(${channels.stop}, id::text) from ended)
    select ${runColumns(db)} from ended cross join (select count(*) from told) t`
}
