import type { Db } from '../db/pool.ts'

/** What disappears with a source, counted, so that nobody deletes more than they meant to. */
export async function countBelongings(db: Db, sourceId: string): Promise<Record<string, number>> {
  const [row] = await db<Record<string, number>[]>`
    select
      (select count(*)::int from jobs where source_id = ${sourceId}) as jobs,
      (select count(*)::int from runs where source_id = ${sourceId} and status in ('pending', 'running')) as active_runs`
  return { ...row }
}
