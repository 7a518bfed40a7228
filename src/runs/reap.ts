import type { Db } from '../db/pool.ts'
import { channels } from './channels.ts'
import { runColumns, type Run } from './types.ts'

export const timedOut = 'Worker timed out'

/**
 * Takes the runs of dead workers away from them: back into the queue at their old place while retries are left,
 * failed otherwise. Their tokens are void from here on.
 */
export async function reapRuns(db: Db): Promise<Run[]> {
  return await db<Run[]>`
    with dead as (
      delete from workers
      where id in (select id from workers where lease_until < now() for update skip locked)
    ),
    lost as (
      select r.id from runs r
      where r.status = 'running'
        and not exists (select 1 from workers w where w.id = r.worker_id and w.lease_until >= now())
      for update of r skip locked
    ),
    taken as (
      update runs r
      set status = case when r.retry_count < r.max_retries then 'pending' else 'failed' end,
          completed_at = case when r.retry_count < r.max_retries then null else now() end,
          retry_count = least(r.retry_count + 1, r.max_retries),
          error_message = ${timedOut},
          attempts = coalesce(r.attempts, '[]') || jsonb_build_array(jsonb_build_object(
            'attempt', r.retry_count + 1, 'started_at', r.started_at, 'ended_at', now(),
            'worker_id', r.worker_id, 'reason', ${timedOut}::text)),
          worker_id = null,
          lease_token = null
      from lost
      where r.id = lost.id
      returning r.*
    ),
    woken as (select pg_notify(${channels.ready}, '') from taken limit 1)
    select ${runColumns(db)} from taken cross join (select count(*) from woken) w`
}
