import type { Db } from '../db/pool.ts'
import { addRuns, placeRun, type Load } from '../schedule/buckets.ts'
import {
  findUnplaced,
  promotePending,
  readLoad,
  savePlacements,
  type Placement,
  type UnplacedJob,
} from '../schedule/store.ts'

const batchSize = 2_000

/** Finds new, resumed and rescheduled jobs the least busy place in the rhythm of the day. */
export async function placeJobs(db: Db, now: Date): Promise<number> {
  let placed = 0
  let load: Load | null = null
  for (;;) {
    const jobs = await findUnplaced(db, batchSize)
    if (jobs.length === 0) break
    const map = (load ??= await readLoad(db))
    const saved = await savePlacements(
      db,
      jobs.map((job) => place(job, map, now)),
      now,
    )
    placed += saved
    if (saved === 0 || jobs.length < batchSize) break
  }
  await promotePending(db, now)
  return placed
}

/** A job that runs once has no rhythm. */
function place(job: UnplacedJob, load: Load, now: Date): Placement {
  const { id, intervalMinutes, nextRunAt } = job
  if (intervalMinutes === null) return { id, phaseAt: null, intervalMinutes }
  const earliest = nextRunAt !== null && nextRunAt > now ? nextRunAt : now
  const phaseAt = placeRun(load, earliest, intervalMinutes)
  addRuns(load, phaseAt, intervalMinutes, 1)
  return { id, phaseAt, intervalMinutes }
}
