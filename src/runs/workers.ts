import type { Db } from '../db/pool.ts'
import { channels } from './channels.ts'
import { claimColumns, type ClaimedRun } from './types.ts'

export interface WorkerInfo {
  id: string
  instanceId: string
  hostName: string
  pid: number
  concurrency: number
}

export interface WorkerRow extends WorkerInfo {
  startedAt: Date
  heartbeatAt: Date
  leaseUntil: Date
  stopping: boolean
  runs: number
}

/** Leases count by the database's clock, the only one all machines share. */
export async function registerWorker(db: Db, worker: WorkerInfo, leaseMs: number): Promise<void> {
  await db`
    insert into workers (id, instance_id, host_name, pid, concurrency, started_at, heartbeat_at, lease_until)
    values (${worker.id}, ${worker.instanceId}, ${worker.hostName}, ${worker.pid}, ${worker.concurrency},
      now(), now(), now() + ${leaseMs} * interval '1 millisecond')`
}

/**
 * Renews the lease of the worker and with it of all its runs, and says which runs it still holds: one statement,
 * however many runs. null: the worker was declared dead.
 */
export async function heartbeat(
  db: Db,
  workerId: string,
  leaseMs: number,
): Promise<Set<string> | null> {
  const [row] = await db<{ held: string[] }[]>`
    update workers
    set heartbeat_at = now(), lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where id = ${workerId}
    returning (
      select coalesce(array_agg(r.id), '{}') from runs r
      where r.worker_id = ${workerId} and r.status = 'running'
    ) as held`
  return row === undefined ? null : new Set(row.held)
}

/** What the database says a worker holds. */
export async function heldRuns(db: Db, workerId: string): Promise<ClaimedRun[]> {
  return await db<ClaimedRun[]>`
    select ${claimColumns(db)} from runs where worker_id = ${workerId} and status = 'running'`
}

export async function markStopping(db: Db, workerId: string): Promise<void> {
  await db`update workers set stopping = true where id = ${workerId}`
}

/** Leaves nothing behind: what the worker still holds goes back to the queue, and no retry is used up. */
export async function removeWorker(db: Db, workerId: string): Promise<number> {
  const rows = await db`
    with gone as (delete from workers where id = ${workerId}),
    freed as (
      update runs set status = 'pending', worker_id = null, lease_token = null,
        attempts = coalesce(attempts, '[]') || jsonb_build_array(jsonb_build_object(
          'attempt', retry_count + 1, 'started_at', started_at, 'ended_at', now(),
          'worker_id', worker_id, 'reason', 'handed back'))
      where worker_id = ${workerId} and status = 'running'
      returning 1
    )
    select pg_notify(${channels.ready}, '') from freed`
  return rows.length
}

export async function listWorkers(db: Db): Promise<WorkerRow[]> {
  return await db<WorkerRow[]>`
    select id, instance_id as "instanceId", host_name as "hostName", pid, concurrency,
      started_at as "startedAt", heartbeat_at as "heartbeatAt", lease_until as "leaseUntil", stopping,
      (select count(*)::int from runs r where r.worker_id = w.id and r.status = 'running') as runs
    from workers w order by started_at`
}
