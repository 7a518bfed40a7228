import type { Db, Tx } from '../db/pool.ts'

/** Runs of these jobs that wait or are worked on: looked up among those, never in the history. */
export async function activeRunsOfJobs(db: Db, jobIds: readonly string[]): Promise<string[]> {
  if (jobIds.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select id from runs where status = 'pending' and job_id = any (${[...jobIds]}::uuid[])
    union all
    select id from runs where status = 'running' and job_id = any (${[...jobIds]}::uuid[])`
  return rows.map((row) => row.id)
}

/**
 * Whoever ends runs holds them before their jobs, and several in the order of their ids; in any other order two
 * transactions could wait for each other. Called before the jobs of these sources are locked.
 */
export async function holdActiveRuns(tx: Tx, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return
  await tx`
    select 1 from runs
    where id in (select active_run_id from jobs where source_id = any (${[...sourceIds]}::uuid[]))
      and status in ('pending', 'running')
    order by id for update`
}
