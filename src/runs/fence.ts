import type { Db } from '../db/pool.ts'

/** Thrown when a run belongs to somebody else by now: stop, and leave everything as it is. */
export class LeaseLost extends Error {
  constructor(runId: string) {
    super(`run ${runId} is no longer ours`)
    this.name = 'LeaseLost'
  }
}

/**
 * The first statement of every transaction that writes for runs; answers with those that are still ours. It keeps them
 * ours until the commit: whoever wants to take one away waits, and a worker that lost it must write nothing for it.
 */
export async function holdLeases(
  db: Db,
  runs: readonly { id: string; leaseToken: string }[],
): Promise<Set<string>> {
  // In the order of their ids, so that two workers never wait for each other.
  const rows = await db<{ id: string }[]>`
    select r.id from runs r
    join unnest(${runs.map((run) => run.id)}::uuid[], ${runs.map((run) => run.leaseToken)}::uuid[]) as held (id, token)
      on r.id = held.id and r.lease_token = held.token
    where r.status = 'running' order by r.id
    for share of r`
  return new Set(rows.map((row) => row.id))
}
