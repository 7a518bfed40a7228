import type { Sql, Tx } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'

export interface Snapshot {
  tx: Tx
  /** Read after the snapshot was taken, so nothing in it is newer, but for services whose clocks run ahead. */
  now: Date
  /** Nothing happened later; where rows were dropped, at least the horizon. */
  latestEvent: Date | null
  /** Before it only sums by day are known; null: there are rows of all times. */
  horizon: Date | null
}

/** Several statements over one state of the database: figures of one answer cannot contradict each other. */
export async function inSnapshot<T>(
  sql: Sql,
  clock: Clock,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return (await sql.begin('isolation level repeatable read read only', async (tx) => {
    const [row] = await tx<{ latest: Date | null; horizon: Date | null }[]>`
      select greatest((select max(occurred_at) from stage_events), nullif(rows_from, '-infinity')) as latest,
        nullif(rows_from, '-infinity') as horizon
      from stage_horizon`
    return await work({
      tx,
      now: clock.now(),
      latestEvent: row?.latest ?? null,
      horizon: row?.horizon ?? null,
    })
  })) as T
}
