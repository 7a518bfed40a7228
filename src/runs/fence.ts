import type { Db } from '../db/pool.ts'

/** Thrown when a run belongs to somebody else by now: stop, and leave everything as it is. */
export class LeaseLost extends Error {
  constructor(runId: string) {
    super(`run ${runId} is no longer ours`)
    this.name = 'LeaseLost'
  }
}

/**
 * The first statement of every transaction that writes for a run. It keeps the run ours until the commit:
 * whoever wants to take it away waits, and a worker that lost it changes nothing.
 */
export async function holdLease(db: Db, run: { id: string; leaseToken: string }): Promise<void> {
  const rows = await db`
    select 1 from runs
    where id = ${run.id} and lease_token = ${run.leaseToken} and status = 'running'
    for share`
  if (rows.length === 0) throw new LeaseLost(run.id)
}
