import type { Db } from '../db/pool.ts'

/** Runs of these jobs that wait or are worked on: looked up among those, never in the history. */
export async function activeRunsOfJobs(db: Db, jobIds: readonly string[]): Promise<string[]> {
  if (jobIds.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select id from runs where status = 'pending' and job_id = any (${[...jobIds]}::uuid[])
    union all
    select id from runs where status = 'running' and job_id = any (${[...jobIds]}::uuid[])`
  return rows.map((row) => row.id)
}
