import { transaction, type Sql, type Tx } from '../db/pool.ts'
import { lastHourlyPerSource } from './kinds.ts'

const batchRows = 100_000

/**
 * Moves deltas into the sums. Readers see each delta either here or there, never in both: it is one statement. Two
 * folds at once would only wait for each other's rows, so the second gives way.
 */
export async function foldDeltas(sql: Sql): Promise<{ tallies: number; pairs: number }> {
  return await transaction(sql, async (tx) => {
    const [lock] = await tx<{ won: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('millrace stage fold')) as won`
    if (!lock?.won) return { tallies: 0, pairs: 0 }
    return { tallies: await foldTallies(tx), pairs: await foldPairs(tx) }
  })
}

export async function foldEverything(sql: Sql): Promise<void> {
  for (;;) {
    const { tallies, pairs } = await foldDeltas(sql)
    if (tallies < batchRows && pairs < batchRows) return
  }
}

export function isMoreToFold(folded: { tallies: number; pairs: number }): boolean {
  return folded.tallies >= batchRows || folded.pairs >= batchRows
}

async function foldTallies(tx: Tx): Promise<number> {
  const [row] = await tx<{ folded: number }[]>`
    with gone as (
      delete from stage_tally_deltas
      where ctid = any(array(select ctid from stage_tally_deltas limit ${batchRows}))
      returning kind, source_id, hour, model, value, n
    ), hours as (
      insert into stage_tally_hours as h (kind, source_id, hour, model, value, n)
      select kind, source_id, hour, model, value, sum(n) from gone
      where source_id = 0 or kind <= ${lastHourlyPerSource} group by 1, 2, 3, 4, 5
      on conflict (kind, source_id, hour, model, value) do update set n = h.n + excluded.n
    ), days as (
      insert into stage_tally_days as d (kind, source_id, day, model, value, n)
      select kind, source_id, hour / 24, model, value, sum(n) from gone group by 1, 2, 3, 4, 5
      on conflict (kind, source_id, day, model, value) do update set n = d.n + excluded.n
    )
    select count(*)::int as folded from gone`
  return row?.folded ?? 0
}

async function foldPairs(tx: Tx): Promise<number> {
  const [row] = await tx<{ folded: number }[]>`
    with gone as (
      delete from stage_pair_deltas
      where ctid = any(array(select ctid from stage_pair_deltas limit ${batchRows}))
      returning source_id, hour, lane, next_hour, n
    ), pairs as (
      insert into stage_pairs as p (source_id, hour, lane, next_hour, n)
      select source_id, hour, lane, next_hour, sum(n) from gone group by 1, 2, 3, 4 having sum(n) <> 0
      on conflict (source_id, hour, lane, next_hour) do update set n = p.n + excluded.n
    )
    select count(*)::int as folded from gone`
  return row?.folded ?? 0
}
