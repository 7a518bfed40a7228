import type { HealthStatus } from '../../../../contract/dashboard/sources.ts'
import type { Tone } from '../../ui/StatusPill.vue'

export const statuses: HealthStatus[] = [
  'failed',
  'warning',
  'new',
  'healthy',
  'paused',
  'disabled',
]

export const tones: Record<HealthStatus, Tone> = {
  healthy: 'good',
  warning: 'warn',
  failed: 'bad',
  paused: 'idle',
  disabled: 'idle',
  new: 'idle',
}

export function toneOfRun(status: string | null | undefined): Tone {
  if (status === 'running') return 'live'
  if (status === 'completed' || status === 'success') return 'good'
  if (status === 'failed' || status === 'abandoned') return 'bad'
  return status === 'partial' ? 'warn' : 'idle'
}
