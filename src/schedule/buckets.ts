/** The day in 15-minute slots (UTC): how many runs start in each. */
export type Load = number[]

export interface PlacedJob {
  id: string
  nextRunAt: Date
  intervalMinutes: number
  /** When the balancer last moved it. */
  movedAt: Date | null
}

export interface Move {
  id: string
  from: Date
  to: Date
  fromSlot: number
  toSlot: number
}

export const slotMinutes = 15
export const slotsPerDay = 96
const slotMs = slotMinutes * 60_000
const dayMinutes = 1440
/** Anti-thrashing: a run this near, or a job moved this lately, stays where it is. */
const nearMs = 30 * 60_000
const restMs = 60 * 60_000

export function slotOf(time: Date): number {
  return Math.floor(time.getTime() / slotMs) % slotsPerDay
}

export function emptyLoad(): Load {
  return Array.from({ length: slotsPerDay }, () => 0)
}

export function loadOf(jobs: readonly Pick<PlacedJob, 'nextRunAt' | 'intervalMinutes'>[]): Load {
  const load = emptyLoad()
  for (const job of jobs) addRuns(load, job.nextRunAt, job.intervalMinutes, 1)
  return load
}

/** Adds (or with -1 removes) one day of a job's runs. */
export function addRuns(load: Load, first: Date, intervalMinutes: number, by: 1 | -1): void {
  for (const slot of slotsOfRuns(first, intervalMinutes)) load[slot] = (load[slot] ?? 0) + by
}

/**
 * The best first run from `earliest` on: steps of one slot within one interval, so that the job is never
 * later than its interval, and the least busy runs win; the earliest of equals.
 */
export function placeRun(load: Load, earliest: Date, intervalMinutes: number): Date {
  const steps = Math.max(1, Math.floor(Math.min(intervalMinutes, dayMinutes) / slotMinutes))
  let best = earliest
  let bestCost = Infinity
  for (let step = 0; step < steps; step++) {
    const candidate = new Date(earliest.getTime() + step * slotMs)
    const cost = meanLoad(load, candidate, intervalMinutes)
    if (cost < bestCost) {
      best = candidate
      bestCost = cost
    }
  }
  return best
}

/** 1: as even as the number of runs allows; 0: everything in one slot. */
export function distributionScore(load: Load): number {
  const total = load.reduce((sum, runs) => sum + runs, 0)
  const fair = Math.ceil(total / slotsPerDay)
  const worst = total - fair
  if (worst <= 0) return 1
  const excess = load.reduce((sum, runs) => sum + Math.max(0, runs - fair), 0)
  return 1 - excess / worst
}

/** Which jobs to move where. The same jobs and time give the same moves, so a preview tells the truth. */
export function planRebalance(jobs: readonly PlacedJob[], now: Date): Move[] {
  const load = loadOf(jobs)
  const moves: Move[] = []
  for (const job of busiestFirst(jobs, load)) {
    if (!mayMove(job, now)) continue
    addRuns(load, job.nextRunAt, job.intervalMinutes, -1)
    const to = placeRun(load, job.nextRunAt, job.intervalMinutes)
    const gain =
      meanLoad(load, job.nextRunAt, job.intervalMinutes) - meanLoad(load, to, job.intervalMinutes)
    // Less than one run of difference would only swap places.
    const target = gain >= 1 ? to : job.nextRunAt
    addRuns(load, target, job.intervalMinutes, 1)
    if (target !== job.nextRunAt) moves.push(describeMove(job, target))
  }
  return moves
}

export function mayMove(job: Pick<PlacedJob, 'nextRunAt' | 'movedAt'>, now: Date): boolean {
  if (job.nextRunAt.getTime() - now.getTime() < nearMs) return false
  return job.movedAt === null || now.getTime() - job.movedAt.getTime() >= restMs
}

function describeMove(job: PlacedJob, to: Date): Move {
  return {
    id: job.id,
    from: job.nextRunAt,
    to,
    fromSlot: slotOf(job.nextRunAt),
    toSlot: slotOf(to),
  }
}

function busiestFirst(jobs: readonly PlacedJob[], load: Load): PlacedJob[] {
  const busy = new Map(
    jobs.map((job) => [job.id, meanLoad(load, job.nextRunAt, job.intervalMinutes)]),
  )
  return jobs.toSorted(
    (a, b) => (busy.get(b.id) ?? 0) - (busy.get(a.id) ?? 0) || (a.id < b.id ? -1 : 1),
  )
}

function meanLoad(load: Load, first: Date, intervalMinutes: number): number {
  const slots = slotsOfRuns(first, intervalMinutes)
  return slots.reduce((sum, slot) => sum + (load[slot] ?? 0), 0) / slots.length
}

/** Shorter intervals than a slot fill every slot once: counting each run would only scale them all. */
function slotsOfRuns(first: Date, intervalMinutes: number): number[] {
  const stepMs = Math.max(intervalMinutes, slotMinutes) * 60_000
  const runs = Math.max(1, Math.floor((dayMinutes * 60_000) / stepMs))
  return Array.from({ length: runs }, (_, run) => slotOf(new Date(first.getTime() + run * stepMs)))
}
