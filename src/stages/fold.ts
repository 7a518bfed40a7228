import { transaction, type Sql, type Tx } from '../db/pool.ts'
import { lastHourlyPerSource } from './kinds.ts'

/** Rows of sums for all sources, and transactions' changes for single ones, moved at a time. */
const batchRows = 50_000
const batchTransactions = 250
/** So much was moved that reading past what it left behind would take longer than clearing it away. */
const worthVacuum = 1000

export interface Folded {
  rows: number
  isMore: boolean
}

/**
 * Moves deltas into the sums. Readers see each delta either here or there, never in both: it is one statement. Two
 * folds at once would only wait for each other's rows, so the second gives way.
 */
export async function foldDeltas(sql: Sql): Promise<Folded> {
  const folded = await transaction(sql, async (tx) => {
    const [lock] = await tx<{ won: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('millrace stage fold')) as won`
    if (!lock?.won) return { rows: 0, isMore: false }
    const parts = [await foldTallies(tx), await foldPairs(tx), await foldSources(tx)]
    return {
      rows: parts.reduce((sum, part) => sum + part.rows, 0),
      isMore: parts.some((part) => part.isMore),
    }
  })
  if (folded.rows >= worthVacuum && !folded.isMore)
    await sql`vacuum (skip_locked) stage_tally_deltas, stage_pair_deltas, stage_source_deltas`
  return folded
}

export async function foldEverything(sql: Sql): Promise<void> {
  while ((await foldDeltas(sql)).isMore);
}

async function foldTallies(tx: Tx): Promise<Folded> {
  const [row] = await tx<{ folded: number }[]>`
    with gone as (
      delete from stage_tally_deltas
      where ctid = any(array(select ctid from stage_tally_deltas limit ${batchRows}))
      returning kind, source_id, hour, model, value, n
    ), ${addTallies(tx)}
    select count(*)::int as folded from gone`
  return foldedOf(row, batchRows)
}

async function foldPairs(tx: Tx): Promise<Folded> {
  const [row] = await tx<{ folded: number }[]>`
    with gone_pairs as (
      delete from stage_pair_deltas
      where ctid = any(array(select ctid from stage_pair_deltas limit ${batchRows}))
      returning source_id, hour, lane, next_hour, n
    ), ${addPairs(tx)}
    select count(*)::int as folded from gone_pairs`
  return foldedOf(row, batchRows)
}

async function foldSources(tx: Tx): Promise<Folded> {
  const [row] = await tx<{ folded: number }[]>`
    with packed as (
      delete from stage_source_deltas
      where ctid = any(array(select ctid from stage_source_deltas limit ${batchTransactions}))
      returning *
    ), gone as (
      select u.* from packed cross join lateral unnest(tally_kinds, tally_sources, tally_hours, tally_models, tally_values,
        tally_counts) as u (kind, source_id, hour, model, value, n)
    ), gone_pairs as (
      select u.* from packed cross join lateral unnest(pair_sources, pair_hours, pair_lanes, pair_next_hours, pair_counts)
        as u (source_id, hour, lane, next_hour, n)
    ), ${addTallies(tx)}, ${addPairs(tx)}
    select count(*)::int as folded from packed`
  return foldedOf(row, batchTransactions)
}

function addTallies(tx: Tx) {
  return tx`
    hours as (
      insert into stage_tally_hours as h (kind, source_id, hour, model, value, n)
      select kind, source_id, hour, model, value, sum(n) from gone
      where source_id = 0 or kind <= ${lastHourlyPerSource} group by 1, 2, 3, 4, 5
      on conflict (kind, source_id, hour, model, value) do update set n = h.n + excluded.n
    ), days as (
      insert into stage_tally_days as d (kind, source_id, day, model, value, n)
      select kind, source_id, hour / 24, model, value, sum(n) from gone group by 1, 2, 3, 4, 5
      on conflict (kind, source_id, day, model, value) do update set n = d.n + excluded.n
    )`
}

function addPairs(tx: Tx) {
  return tx`
    pairs as (
      insert into stage_pairs as p (source_id, hour, lane, next_hour, n)
      select source_id, hour, lane, next_hour, sum(n) from gone_pairs group by 1, 2, 3, 4 having sum(n) <> 0
      on conflict (source_id, hour, lane, next_hour) do update set n = p.n + excluded.n
    )`
}

function foldedOf(row: { folded: number } | undefined, most: number): Folded {
  const rows = row?.folded ?? 0
  return { rows, isMore: rows >= most }
}
