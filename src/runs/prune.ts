import type { Db } from '../db/pool.ts'

export interface PruneLimits {
  perJob: number
  days: number
}

const defaultLimits: PruneLimits = { perJob: 100, days: 30 }
const batchSize = 5_000

/**
 * Deletes finished runs with their log lines: all but the newest 100 of each job, and everything older than 30
 * days. Ids sort by time, so age needs no index of its own.
 */
export async function pruneRuns(
  db: Db,
  now: Date,
  limits: PruneLimits = defaultLimits,
): Promise<{ runs: number; more: boolean }> {
  const [row] = await db<{ runs: number }[]>`
    with old as (
      select id from runs
      where id < uuid_floor(${now}::timestamptz - make_interval(days => ${limits.days}))
        and status in ('completed', 'failed', 'cancelled')
      limit ${batchSize}
    ),
    crowded as (
      select id from (
        select id, row_number() over (partition by job_id order by id desc) as place from runs
        where job_id is not null and status in ('completed', 'failed', 'cancelled')
      ) ranked
      where place > ${limits.perJob}
      limit ${batchSize}
    ),
    gone as (
      delete from runs where id in (select id from old union select id from crowded) returning id
    ),
    silent as (delete from run_logs where run_id in (select id from gone))
    select count(*)::int as runs from gone`
  const runs = row?.runs ?? 0
  return { runs, more: runs >= batchSize }
}
