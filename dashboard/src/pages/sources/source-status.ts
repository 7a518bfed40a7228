import type { HealthStatus, SourceRow } from '../../../../contract/dashboard/sources.ts'
import type { Tone } from '../../ui/StatusPill.vue'

export const statuses: HealthStatus[] = ['failed', 'warning', 'healthy', 'paused', 'disabled']

export const tones: Record<HealthStatus, Tone> = {
  healthy: 'good',
  warning: 'warn',
  failed: 'bad',
  paused: 'idle',
  disabled: 'idle',
  new: 'idle',
}

/** Null when the list does not tell how the job is doing. */
export function statusOf(source: SourceRow): HealthStatus | null {
  if (!source.enabled) return 'disabled'
  if (source.job_status === 'paused') return 'paused'
  return source.status ?? null
}

export function toneOfRun(status: string | null | undefined): Tone {
  if (status === 'running') return 'live'
  if (status === 'completed' || status === 'success') return 'good'
  if (status === 'failed' || status === 'abandoned') return 'bad'
  return status === 'partial' ? 'warn' : 'idle'
}
