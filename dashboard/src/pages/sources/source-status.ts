import type { HealthStatus, SourceRow } from '../../../../contract/dashboard/sources.ts'
import type { Tone } from '../../ui/StatusPill.vue'

export const statuses: HealthStatus[] = [
  'failed',
  'warning',
  'healthy',
  'paused',
  'disabled',
  'new',
]

export const tones: Record<HealthStatus, Tone> = {
  healthy: 'good',
  warning: 'warn',
  failed: 'bad',
  paused: 'idle',
  disabled: 'idle',
  new: 'idle',
}

/** The server says it; older answers leave it to be derived. */
export function statusOf(source: SourceRow): HealthStatus {
  if (source.status !== undefined) return source.status
  if (!source.enabled) return 'disabled'
  if (source.job_status === 'paused') return 'paused'
  if (source.job_status === 'failed') return 'failed'
  if (source.last_run_at === null || source.last_run_at === undefined) return 'new'
  return source.last_run_status === 'failed' ? 'warning' : 'healthy'
}

export function toneOfRun(status: string | null | undefined): Tone {
  if (status === 'running') return 'live'
  if (status === 'completed' || status === 'success') return 'good'
  if (status === 'failed' || status === 'abandoned') return 'bad'
  return status === 'partial' ? 'warn' : 'idle'
}
