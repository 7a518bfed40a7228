import type { Db } from '../db/pool.ts'
import { addRuns, emptyLoad, type Load, type Move, type PlacedJob } from './buckets.ts'

export interface UnplacedJob {
  id: string
  intervalMinutes: number | null
  nextRunAt: Date | null
}

const epoch = new Date(0)
const slotMs = 15 * 60_000

/** The load map of all jobs with a place, summed in the database: at most one row per slot and interval. */
export async function readLoad(db: Db): Promise<Load> {
  const rows = await db<{ slot: number; minutes: number; jobs: number }[]>`
    select (floor(extract(epoch from phase_at) / 900)::bigint % 96)::int as slot,
      interval_minutes as minutes, count(*)::int as jobs
    from jobs
    where status in ('scheduled', 'running') and phase_at is not null and interval_minutes is not null
      and schedule_enabled
    group by 1, 2`
  const load = emptyLoad()
  for (const { slot, minutes, jobs } of rows) {
    const one = emptyLoad()
    addRuns(one, new Date(epoch.getTime() + slot * slotMs), minutes, 1)
    one.forEach((runs, index) => (load[index] = (load[index] ?? 0) + runs * jobs))
  }
  return load
}

/** Waiting jobs without a place in the rhythm, or with one chosen for another interval. */
export async function findUnplaced(db: Db, limit: number): Promise<UnplacedJob[]> {
  return await db<UnplacedJob[]>`
    select id, case when schedule_enabled then interval_minutes end as "intervalMinutes",
      next_run_at as "nextRunAt"
    from jobs
    where status in ('pending', 'scheduled') and phase_minutes is distinct from interval_minutes
    order by id limit ${limit}`
}

export interface Placement {
  id: string
  phaseAt: Date | null
  intervalMinutes: number | null
}

/**
 * Gives jobs their rhythm. The first run keeps its early date; a job whose interval became shorter does not wait
 * out the old one.
 */
export async function savePlacements(
  db: Db,
  placements: readonly Placement[],
  now: Date,
): Promise<number> {
  const rows = placements.map((placement) => ({
    id: placement.id,
    phase_at: placement.phaseAt?.toISOString() ?? null,
    minutes: placement.intervalMinutes,
  }))
  const placed = await db`
    update jobs j
    set phase_at = p.phase_at, phase_minutes = j.interval_minutes,
        bucket = (floor(extract(epoch from p.phase_at) / 900)::bigint % 96)::smallint,
        next_run_at = case when p.phase_at is null then j.next_run_at
          else least(j.next_run_at, next_turn(p.phase_at, p.minutes, ${now})) end
    from jsonb_to_recordset(${db.json(rows)}) as p (id uuid, phase_at timestamptz, minutes integer)
    where j.id = p.id and j.status in ('pending', 'scheduled')
      and (p.minutes is null or j.interval_minutes = p.minutes)
    returning 1`
  return placed.length
}

/** Jobs that have been looked at wait as scheduled from now on. */
export async function promotePending(db: Db, now: Date): Promise<number> {
  const rows = await db`
    update jobs set status = 'scheduled', updated_at = ${now}
    where status = 'pending' and next_run_at > ${now}
    returning 1`
  return rows.length
}

/** Everything the balancer may look at, with the next turn of its rhythm. */
export async function readPlacedJobs(db: Db, now: Date): Promise<PlacedJob[]> {
  return await db<PlacedJob[]>`
    select id, next_turn(phase_at, interval_minutes, ${now}) as "nextRunAt",
      interval_minutes as "intervalMinutes", moved_at as "movedAt"
    from jobs
    where status = 'scheduled' and phase_at is not null and interval_minutes is not null and schedule_enabled
    order by id`
}

export async function jobNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select id, source_name as name from jobs where id = any(${[...ids]}::uuid[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Moves rhythms. A job that was changed since the plan was made stays where it is. */
export async function applyMoves(db: Db, moves: readonly Move[], now: Date): Promise<string[]> {
  const rows = moves.map((move) => ({
    id: move.id,
    from: move.from.toISOString(),
    to: move.to.toISOString(),
    slot: move.toSlot,
  }))
  const moved = await db<{ id: string }[]>`
    update jobs j
    set phase_at = m."to", bucket = m.slot, moved_at = ${now}, updated_at = ${now},
        next_run_at = case when j.next_run_at = m."from" then m."to" else j.next_run_at end
    from jsonb_to_recordset(${db.json(rows)}) as m (id uuid, "from" timestamptz, "to" timestamptz, slot smallint)
    where j.id = m.id and j.status = 'scheduled' and next_turn(j.phase_at, j.interval_minutes, ${now}) = m."from"
    returning j.id`
  return moved.map((row) => row.id)
}
