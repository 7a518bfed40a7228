import type { Db } from '../db/pool.ts'

/** Runs of these jobs that wait or are worked on. */
export async function activeRunsOfJobs(db: Db, jobIds: readonly string[]): Promise<string[]> {
  if (jobIds.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select id from runs where job_id = any(${[...jobIds]}::uuid[]) and status in ('pending', 'running')`
  return rows.map((row) => row.id)
}
