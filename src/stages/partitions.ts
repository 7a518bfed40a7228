import { transaction, type Db, type Sql, type Tx } from '../db/pool.ts'
import { foldEverything } from './fold.ts'
import { hourOf, never } from './kinds.ts'

/** Makes the months around now, so that an event always finds its own; gives the new ones. */
export async function createPartitions(db: Db, now: Date, ahead = 2): Promise<number> {
  const [row] = await db<{ made: number }[]>`
    select count(*) filter (where create_stage_partition(month))::int as made
    from (
      select (date_trunc('month', ${now}::timestamptz at time zone 'UTC') + make_interval(months => n))::date as month
      from generate_series(-1, ${ahead}::int) as n
    ) months`
  return row?.made ?? 0
}

/** For history: the months of a backfill. */
export async function createPartitionsFor(db: Db, from: Date, to: Date): Promise<void> {
  await db`
    select create_stage_partition(month::date)
    from generate_series(date_trunc('month', ${from}::timestamptz at time zone 'UTC'), ${to}::timestamptz at time zone 'UTC',
      interval '1 month') as month`
}

export interface Partition {
  name: string
  /** Null for the rows that have no month of their own. */
  month: Date | null
  /** As of the last analyze. */
  rows: number
}

export async function listPartitions(db: Db): Promise<Partition[]> {
  const rows = await db<{ name: string; month: Date | null; rows: number }[]>`
    select c.relname as name, greatest(c.reltuples, 0)::float8 as rows,
      case when c.relname ~ '_\\d{4}_\\d{2}$'
        then to_timestamp(right(c.relname, 7) || '_01', 'YYYY_MM_DD') end as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'stage_events'::regclass order by c.relname`
  return [...rows]
}

/** First moment that is kept: the start of the month `months` before this one. */
export function oldestKept(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))
}

/**
 * Drops the months before the horizon. Their sums stay, by day: what is left of an article's hours is the last one of
 * each day and the day it was seen next, so distinct articles of whole days remain exact.
 */
export async function dropOldPartitions(sql: Sql, horizon: Date): Promise<string[]> {
  const old = (await listPartitions(sql)).filter(
    (partition) => partition.month !== null && partition.month < horizon,
  )
  if (old.length === 0) return []
  await foldEverything(sql)
  await transaction(sql, async (tx) => {
    // Readers come first: give up and come back rather than make them queue behind the drop.
    await tx`set local lock_timeout = '3s'`
    for (const { name } of old) await tx`drop table ${tx(name)}`
    await tx`delete from stage_events_default where occurred_at < ${horizon}`
    await coarsenPairs(tx, hourOf(horizon))
    await tx`delete from stage_tally_hours where hour < ${hourOf(horizon)}`
    await tx`update stage_horizon set rows_from = greatest(rows_from, ${horizon})`
  })
  return old.map((partition) => partition.name)
}

async function coarsenPairs(tx: Tx, horizonHour: number): Promise<void> {
  await tx`
    with fine as (
      delete from stage_pairs
      where hour < ${horizonHour}
        and (hour % 24 <> 0 or n = 0 or (next_hour < ${horizonHour} and next_hour % 24 <> 0))
      returning source_id, hour, lane, next_hour, n
    )
    insert into stage_pairs as p (source_id, hour, lane, next_hour, n)
    select source_id, hour / 24 * 24, lane,
      case when next_hour < ${horizonHour} then next_hour / 24 * 24 else next_hour end, sum(n)
    from fine
    where hour / 24 <> next_hour / 24 or next_hour = ${never}
    group by 1, 2, 3, 4
    having sum(n) <> 0
    on conflict (source_id, hour, lane, next_hour) do update set n = p.n + excluded.n`
}
