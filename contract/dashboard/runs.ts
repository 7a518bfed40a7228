export type RunStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'

export interface RunProgress {
  /** 0 to 100, or null while the amount of work is unknown. */
  percent: number | null
  phase: string
  counters: Record<string, number>
}

export interface RunAttempt {
  attempt: number
  started_at: string | null
  ended_at: string
  worker_id: string | null
  reason: string
}

export interface RunRow {
  id: string
  job_id: string | null
  source_id: string | null
  source_name?: string | null
  url?: string | null
  trigger?: string
  status: RunStatus
  retry_attempt?: number
  run_at?: string
  created_at?: string
  started_at: string | null
  completed_at: string | null
  duration_ms?: number | null
  worker_id?: string | null
  progress?: RunProgress | null
  items_crawled?: number | null
  items_indexed?: number | null
  counters?: Record<string, number> | null
  error_message?: string | null
  stack_trace?: string | null
  cpu_time_ms?: number | null
  memory_peak_mb?: number | null
  attempts?: RunAttempt[] | null
  log_lines?: number
  log_dropped?: number
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogLine {
  id: number
  run_id?: string
  timestamp: string
  level: LogLevel
  category: string
  message: string
  fields?: Record<string, unknown> | null
}

/** One fetch of a run. */
export interface FetchRow {
  id: string
  url: string
  outcome: string
  reason: string | null
  status: number | null
  tier: string
  items_found: number
  fetch_ms: number | null
  fetched_at: string
}
