import type { BulkAnswer } from '../../../contract/dashboard/lists.ts'
import type { JobBySource, JobRow, JobStats } from '../../../contract/dashboard/sources.ts'
import { api } from './client.ts'

export type JobAction = 'pause' | 'resume' | 'cancel' | 'retry' | 'force-run'

export function fetchStats(): Promise<JobStats> {
  return api.get<JobStats>('/api/v1/jobs/stats')
}

export function fetchJobOfSource(sourceId: string): Promise<JobBySource> {
  return api.get<JobBySource>(`/api/v1/jobs/by-source/${encodeURIComponent(sourceId)}`)
}

export function actOnJob(jobId: string, action: JobAction): Promise<JobRow> {
  return api.post<JobRow>(`/api/v1/jobs/${encodeURIComponent(jobId)}/${action}`)
}

export function overrideInterval(jobId: string, minutes: number, reason: string): Promise<JobRow> {
  return api.put<JobRow>(overridePath(jobId), { interval_minutes: minutes, reason })
}

export function clearOverride(jobId: string): Promise<JobRow> {
  return api.delete<JobRow>(overridePath(jobId))
}

export function bulkJobs(action: JobAction, sourceIds: string[]): Promise<BulkAnswer> {
  return api.post<BulkAnswer>('/api/v1/jobs/bulk', { action, source_ids: sourceIds })
}

function overridePath(jobId: string): string {
  return `/api/v1/jobs/${encodeURIComponent(jobId)}/override`
}
