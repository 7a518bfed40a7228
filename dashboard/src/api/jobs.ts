import type { BulkAnswer } from '../../../contract/dashboard/lists.ts'
import type { JobBySource, JobRow, JobStats } from '../../../contract/dashboard/sources.ts'
import { api } from './client.ts'

export type JobAction = 'pause' | 'resume' | 'cancel' | 'retry' | 'force-run'

export function fetchStats(period: '24h' | '7d'): Promise<JobStats> {
  return api.get<JobStats>('/api/v1/jobs/stats', { period })
}

export function fetchJobOfSource(sourceId: string): Promise<JobBySource> {
  return api.get<JobBySource>(`/api/v1/jobs/by-source/${encodeURIComponent(sourceId)}`)
}

export function actOnJob(jobId: string, action: JobAction): Promise<JobRow> {
  return api.post<JobRow>(`/api/v1/jobs/${encodeURIComponent(jobId)}/${action}`)
}

/** Null takes the override away: the schedule is computed again. */
export function overrideJob(
  jobId: string,
  override: { interval_minutes: number | null; reason?: string },
): Promise<JobRow> {
  return api.put<JobRow>(`/api/v1/jobs/${encodeURIComponent(jobId)}/override`, override)
}

export function bulkJobs(action: JobAction, ids: string[]): Promise<BulkAnswer> {
  return api.post<BulkAnswer>('/api/v1/jobs/bulk', { action, ids })
}
