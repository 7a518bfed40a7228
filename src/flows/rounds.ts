import { transaction, type Db, type Sql, type Tx } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop, type Loop } from '../kernel/loop.ts'
import { channels } from '../runs/channels.ts'
import { takeTurn } from './cron-turn.ts'
import { closeRounds } from './round-summary.ts'

/** Which sources a round is about; nothing named means all. */
export interface RoundFilter {
  source_ids?: string[] | undefined
  tags?: string[] | undefined
  group_id?: string | undefined
  kind?: 'news' | 'events' | 'mixed' | undefined
}

export interface StartedRound {
  id: string
  sources: number
  skipped: Record<string, number>
}

/**
 * Queues every healthy source of the filter under one round id, the highest score first, and counts the others by
 * reason. Their jobs run as if they were due.
 */
export async function startRound(
  sql: Sql,
  request: { trigger: 'api' | 'cron'; requestedBy: string | null; filter: RoundFilter },
  now: Date,
): Promise<StartedRound> {
  const id = newId(now.getTime())
  return await transaction(sql, async (tx) => {
    const skipped = await countSkipped(tx, request.filter)
    await tx`
      insert into rounds (id, trigger, requested_by, filter, skipped, created_at)
      values (${id}, ${request.trigger}, ${request.requestedBy}, ${tx.json({ ...request.filter })},
        ${tx.json(skipped)}, ${now})`
    const sources = await queueSources(tx, id, request.filter, now)
    await tx`update rounds set sources = ${sources} where id = ${id}`
    if (sources === 0) await closeRounds(tx, [id], now)
    return { id, sources, skipped }
  })
}

/** Starts the daily round when its time has come; whoever leads next knows from the database what was done. */
export function startDailyRounds(options: {
  sql: Sql
  clock: Clock
  log: Log
  /** As in crontab, in UTC, such as "0 6 * * *". */
  cron: string
}): Loop {
  return startLoop({
    name: 'daily round',
    everyMs: 30_000,
    log: options.log,
    runOnce: async () => {
      const round = await startRoundIfDue(options.sql, options.cron, options.clock.now())
      if (round !== null) options.log.info({ ...round }, 'daily round started')
    },
  })
}

export async function startRoundIfDue(
  sql: Sql,
  cron: string,
  now: Date,
): Promise<StartedRound | null> {
  if (!(await takeTurn(sql, 'daily_round', cron, now))) return null
  return await startRound(sql, { trigger: 'cron', requestedBy: null, filter: {} }, now)
}

async function countSkipped(db: Db, filter: RoundFilter): Promise<Record<string, number>> {
  const rows = await db<{ reason: string; sources: number }[]>`
    select unavailable_because as reason, count(*)::int as sources from source_health
    where unavailable_because is not null and ${matching(db, filter)} group by 1 order by 1`
  return Object.fromEntries(rows.map((row) => [row.reason, row.sources]))
}

/** Ranks follow the score: a millisecond apart, in front of what a normal priority would wait for. */
async function queueSources(
  tx: Tx,
  roundId: string,
  filter: RoundFilter,
  now: Date,
): Promise<number> {
  const rows = await tx`
    with healthy as (
      select job_id, row_number() over (order by priority_score desc, source_id) as place
      from source_health where unavailable_because is null and ${matching(tx, filter)}
    ),
    due as (
      select j.id, h.place, uuid_v7(${now}) as run_id
      from jobs j join healthy h on h.job_id = j.id
      where j.status in ('pending', 'scheduled') and j.active_run_id is null
      for update of j skip locked
    ),
    started as (
      update jobs j
      set status = 'running', active_run_id = due.run_id, execution_count = j.execution_count + 1,
          updated_at = ${now},
          next_run_at = case when j.schedule_enabled then next_turn(coalesce(j.phase_at, j.next_run_at),
            j.interval_minutes, ${now}::timestamptz + make_interval(secs => j.interval_minutes * 30)) end
      from due where j.id = due.id
      returning j.*, due.run_id, due.place
    ),
    queued as (
      insert into runs (id, job_id, source_id, round_id, host_key, trigger, priority, source_limit, max_retries,
        retry_backoff_seconds, execution_number, payload, run_at, rank_at, created_at)
      select run_id, id, source_id, ${roundId}::uuid, host_key, 'round', priority, max_concurrent, max_retries,
        retry_backoff_seconds, execution_count, jsonb_build_object('url', url) || coalesce(metadata -> 'crawl', '{}'),
        ${now}, ${now}::timestamptz - interval '50 minutes' + place * interval '1 millisecond', ${now}
      from started
      returning 1
    ),
    woken as (select pg_notify(${channels.ready}, '') from queued limit 1)
    select 1 from queued cross join (select count(*) from woken) w`
  return rows.length
}

function matching(db: Db, filter: RoundFilter) {
  return db`
    ${filter.source_ids === undefined ? db`true` : db`source_id = any (${filter.source_ids}::uuid[])`}
    and ${filter.tags === undefined ? db`true` : db`tags && ${filter.tags}::text[]`}
    and ${filter.group_id === undefined ? db`true` : db`group_id = ${filter.group_id}`}
    and ${filter.kind === undefined ? db`true` : db`kind = ${filter.kind}`}`
}
