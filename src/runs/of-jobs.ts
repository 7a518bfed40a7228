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

export interface JobChoice {
  by: 'id' | 'source_id'
  ids: readonly string[]
}

/**
 * Whoever ends runs holds them before their jobs, and several in the order of their ids; in any other order two
 * transactions could wait for each other. `lockJobs` locks the chosen jobs, perhaps among others. One of them may have
 * got another run while we waited for it: then everything is let go, and we begin again.
 */
export async function holdRunsThen<T>(
  tx: Tx,
  chosen: JobChoice,
  lockJobs: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (chosen.ids.length === 0) return await lockJobs(tx)
  for (let tries = 1; ; tries++) {
    const held = await tx
      .savepoint(async (point) => {
        const runs = await holdActiveRuns(point, chosen)
        const jobs = await lockJobs(point)
        if (tries < mostTries && (await haveOtherRuns(point, chosen, runs))) throw new Moved()
        return { jobs }
      })
      .catch((error: unknown) => {
        if (error instanceof Moved) return null
        throw error
      })
    if (held !== null) return held.jobs
  }
}

/** A job gets a run a few times an hour; more tries than this would mean something else is wrong. */
const mostTries = 10

class Moved extends Error {}

async function holdActiveRuns(tx: Tx, { by, ids }: JobChoice): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from runs
    where id in (select active_run_id from jobs where ${tx(by)} = any (${[...ids]}::uuid[]))
      and status in ('pending', 'running')
    order by id for update`
  return rows.map((row) => row.id)
}

async function haveOtherRuns(
  tx: Tx,
  { by, ids }: JobChoice,
  runs: readonly string[],
): Promise<boolean> {
  const rows = await tx`
    select 1 from jobs
    where ${tx(by)} = any (${[...ids]}::uuid[]) and active_run_id <> all (${[...runs]}::uuid[])
    limit 1`
  return rows.length > 0
}
