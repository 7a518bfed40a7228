import type { Db } from '../db/pool.ts'
import { channels, idsPayload } from './channels.ts'
import type { RunProgress } from './types.ts'

export interface ProgressUpdate {
  id: string
  token: string
  progress: RunProgress
}

/** Writes the progress of all runs of a worker at once; runs it lost are left alone. */
export async function writeProgress(db: Db, updates: readonly ProgressUpdate[]): Promise<void> {
  if (updates.length === 0) return
  const rows = updates.map(({ id, token, progress }) => ({
    id,
    token,
    progress: { ...progress, counters: { ...progress.counters } },
  }))
  await db`
    with moved as (
      update runs r set progress = u.progress
      from jsonb_to_recordset(${db.json(rows)}) as u (id uuid, token uuid, progress jsonb)
      where r.id = u.id and r.lease_token = u.token and r.status = 'running'
      returning r.id
    )
    select pg_notify(${channels.changed}, ${idsPayload(updates.map((u) => u.id))}) from moved limit 1`
}
