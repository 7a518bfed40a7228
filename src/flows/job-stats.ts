import type { Db } from '../db/pool.ts'
import { healthCase, type Health } from '../jobs/store.ts'
import { jobStatuses, type JobStatus } from '../jobs/transition.ts'
import type { Job } from '../jobs/types.ts'
import { listRuns, runStats, type RunStats } from '../runs/history.ts'
import type { Run } from '../runs/types.ts'

const dayMs = 24 * 3_600_000

export interface JobsOverview {
  totalSources: number
  totalJobs: number
  byStatus: Record<JobStatus, number>
  health: Record<Health, number>
  last24h: RunStats
}

export async function jobsOverview(db: Db, now: Date): Promise<JobsOverview> {
  const [byStatus, last24h, counted] = await Promise.all([
    countStatuses(db),
    runStats(db, new Date(now.getTime() - dayMs)),
    db<{ sources: number; healthy: number; warning: number; failed: number }[]>`
      select (select count(*)::int from sources) as sources,
        (count(*) filter (where health = 'healthy'))::int as healthy,
        (count(*) filter (where health = 'warning'))::int as warning,
        (count(*) filter (where health = 'failed'))::int as failed
      from (select ${healthCase(db)} as health from jobs) as judged`,
  ])
  const [row] = counted
  return {
    totalSources: row?.sources ?? 0,
    totalJobs: Object.values(byStatus).reduce((sum, jobs) => sum + jobs, 0),
    byStatus,
    health: {
      healthy: row?.healthy ?? 0,
      warning: row?.warning ?? 0,
      failed: row?.failed ?? 0,
    },
    last24h,
  }
}

export async function countStatuses(db: Db): Promise<Record<JobStatus, number>> {
  const rows = await db<{ status: JobStatus; jobs: number }[]>`
    select status, count(*)::int as jobs from jobs group by status`
  const counts = Object.fromEntries(jobStatuses.map((status) => [status, 0])) as Record<
    JobStatus,
    number
  >
  for (const row of rows) counts[row.status] = row.jobs
  return counts
}

export interface JobDetail {
  stats: RunStats
  recent: Run[]
}

export async function jobDetail(db: Db, job: Job, now: Date): Promise<JobDetail> {
  const [stats, recent] = await Promise.all([
    runStats(db, new Date(now.getTime() - dayMs), job.id),
    listRuns(db, { jobId: job.id }, { limit: 10, offset: 0 }),
  ])
  return { stats, recent: recent.runs }
}
