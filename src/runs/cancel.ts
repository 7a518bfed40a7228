import type { Db } from '../db/pool.ts'
import { channels } from './channels.ts'
import { runColumns, type Run } from './types.ts'

/**
 * Ends runs that wait or are worked on. The token is void at once, so a late finish changes nothing; the worker
 * hears of it by NOTIFY, or at its next heartbeat. Their jobs have no run any more; what state they are in is the
 * caller's decision.
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
    freed as (
      update jobs j
      set active_run_id = null, last_run_at = now(), last_run_status = 'cancelled'
      from ended where j.active_run_id = ended.id
    ),
    told as (select pg_notify(${channels.stop}, id::text) from ended)
    select ${runColumns(db)} from ended cross join (select count(*) from told) t`
}
