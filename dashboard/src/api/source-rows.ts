import type { OffsetPage } from '../../../contract/dashboard/lists.ts'
import type { JobRow, Priority, SourceRow } from '../../../contract/dashboard/sources.ts'
import { api, type Query } from './client.ts'
import { listSources, type SourceFilter } from './sources.ts'

/** Beyond this many, fetching all jobs to join them here costs more than it shows. */
const mostJoined = 1000

/**
 * Sources with the state of their jobs. A server that joins the two answers in one request; from
 * one that does not, jobs are fetched beside the sources and joined here.
 */
export async function listSourceRows(
  filter: SourceFilter,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<OffsetPage<SourceRow>> {
  const page = await listSources(filter, offset, limit, signal)
  const [first] = page.data
  if (first === undefined || first.job_status !== undefined) return page
  const state = jobState(filter.status)
  if (state !== null) {
    const jobs = await listJobs({ ...state, search: filter.search, offset, limit }, signal)
    return { ...jobs, data: jobs.data.map(rowOfJob) }
  }
  if (page.total > mostJoined) return page
  const jobs = await listJobs({ search: filter.search, limit: mostJoined }, signal)
  const bySource = new Map(jobs.data.map((job) => [job.source_id, job]))
  return {
    ...page,
    data: page.data.map((source) => ({ ...source, ...stateOf(bySource.get(source.id)) })),
  }
}

function listJobs(query: Query, signal?: AbortSignal): Promise<OffsetPage<JobRow>> {
  const all = { auto_managed: true, sort: 'source_name', order: 'asc', ...query }
  return api.get<OffsetPage<JobRow>>('/api/v1/jobs', all, signal)
}

function jobState(status: string): Query | null {
  if (status === 'paused') return { status }
  return ['healthy', 'warning', 'failed'].includes(status) ? { health: status } : null
}

function stateOf(job: JobRow | undefined): Partial<SourceRow> {
  if (job === undefined) return {}
  const ran = job.last_run_at !== null
  return {
    job_id: job.id,
    job_status: job.status,
    status: ran || job.health !== 'healthy' ? job.health : 'new',
    status_reason: job.health === 'healthy' ? job.paused_reason : job.last_error,
    interval_minutes: job.interval_minutes,
    last_run_at: job.last_run_at,
    next_run_at: job.next_run_at,
  }
}

function rowOfJob(job: JobRow): SourceRow {
  return {
    id: job.source_id,
    name: job.source_name,
    url: job.url,
    enabled: true,
    priority: priorityOf(job.priority),
    ...stateOf(job),
  }
}

function priorityOf(points: number): Priority {
  if (points >= 100) return 'critical'
  if (points >= 75) return 'high'
  return points >= 50 ? 'normal' : 'low'
}
