import type { Db, Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'
import { channels } from '../runs/channels.ts'
import { placeJobs } from './place-jobs.ts'
import { countWork } from './scheduler-counts.ts'

export interface Dispatched {
  runId: string
  jobId: string
  sourceId: string
}

const batchSize = 5_000
/** Longer than any crawl should take; until then a half-open circuit lets nobody else try. */
const probeMinutes = 60

/**
 * Turns due jobs into runs with one statement: due, not backing off, inside the crawl window, no run under way,
 * circuit not open. The best go first when there are more than fit. The next turn is the first of the job's rhythm
 * at least half an interval away, so missed turns collapse into this one run.
 */
export async function dispatchDue(db: Db, now: Date, limit = batchSize): Promise<Dispatched[]> {
  return await db<Dispatched[]>`
    with due as (
      select j.id, uuid_v7(${now}) as run_id
      from jobs j
      where j.status in ('pending', 'scheduled')
        and j.next_run_at <= ${now}
        and (j.backoff_until is null or j.backoff_until <= ${now})
        and j.active_run_id is null
        and in_crawl_window(j.crawl_window_start, j.crawl_window_end, j.crawl_window_days, ${now})
        and not exists (
          select 1 from breakers b
          where b.kind = 'source' and b.key = j.source_id::text and b.state <> 'closed'
            and (b.cooldown_until > ${now} or b.probe_until > ${now}))
      order by j.priority desc, j.next_run_at
      limit ${limit}
      for update of j skip locked
    ),
    started as (
      update jobs j
      set status = 'running', active_run_id = due.run_id, execution_count = j.execution_count + 1,
          backoff_until = null, updated_at = ${now},
          next_run_at = case when j.schedule_enabled then next_turn(coalesce(j.phase_at, j.next_run_at),
            j.interval_minutes, ${now}::timestamptz + make_interval(secs => j.interval_minutes * 30)) end
      from due where j.id = due.id
      returning j.*, due.run_id
    ),
    probing as (
      update breakers b
      set state = 'half_open', probe_until = ${now}::timestamptz + make_interval(mins => ${probeMinutes}),
          updated_at = ${now}
      from started s
      where b.kind = 'source' and b.key = s.source_id::text and b.state <> 'closed'
    ),
    queued as (
      insert into runs (id, job_id, source_id, host_key, trigger, priority, source_limit, max_retries,
        retry_backoff_seconds, execution_number, payload, run_at, rank_at, created_at)
      select run_id, id, source_id, host_key, 'schedule', priority, max_concurrent, max_retries,
        retry_backoff_seconds, execution_count, jsonb_build_object('url', url) || coalesce(metadata -> 'crawl', '{}'),
        ${now}, ${now}::timestamptz - make_interval(mins => priority), ${now}
      from started
      returning id, job_id, source_id
    ),
    woken as (select pg_notify(${channels.ready}, '') from queued limit 1)
    select id as "runId", job_id as "jobId", source_id as "sourceId"
    from queued cross join (select count(*) from woken) w`
}

/** The scheduler of the one process that leads: looks at due jobs at least every `everyMs`. */
export function startScheduler(options: {
  sql: Sql
  clock: Clock
  log: Log
  everyMs?: number
  onDispatched?: (count: number) => void
}): { stop(): Promise<void>; wake(): void } {
  const { sql, clock, log } = options
  return startLoop({
    name: 'scheduler',
    everyMs: options.everyMs ?? 1000,
    log,
    runOnce: async () => {
      const dispatched = await dispatchDue(sql, clock.now())
      if (dispatched.length > 0) {
        options.onDispatched?.(dispatched.length)
        await countWork(sql, { dispatched: dispatched.length }, clock.now())
        log.debug({ runs: dispatched.length }, 'due jobs queued')
      }
      await placeJobs(sql, clock.now())
      return dispatched.length === batchSize ? 'again' : undefined
    },
  })
}
