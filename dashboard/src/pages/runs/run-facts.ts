import type { RunRow } from '../../../../contract/dashboard/runs.ts'
import { now } from '../../shared/time.ts'

export function secondsOf(run: RunRow): number | null {
  if (run.duration_ms !== null && run.duration_ms !== undefined) return run.duration_ms / 1000
  if (run.started_at === null) return null
  const end = run.completed_at === null ? now.value : Date.parse(run.completed_at)
  return Math.max(0, end - Date.parse(run.started_at)) / 1000
}

export function titleOf(run: RunRow): string {
  return run.source_name ?? run.url?.replace(/^https?:\/\/(www\.)?/, '') ?? run.id
}
