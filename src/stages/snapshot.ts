import type { Sql, Tx } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'

export interface Snapshot {
  tx: Tx
  /** Read after the snapshot was taken, so nothing in it is newer, but for services whose clocks run ahead. */
  now: Date
  latestEvent: Date | null
}

/** Several statements over one state of the database: figures of one answer cannot contradict each other. */
export async function inSnapshot<T>(
  sql: Sql,
  clock: Clock,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return (await sql.begin('isolation level repeatable read read only', async (tx) => {
    const [row] = await tx<{ latest: Date | null }[]>`
      select max(occurred_at) as latest from stage_events`
    return await work({ tx, now: clock.now(), latestEvent: row?.latest ?? null })
  })) as T
}
