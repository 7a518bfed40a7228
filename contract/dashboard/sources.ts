export type Priority = 'low' | 'normal' | 'high' | 'critical'
export type HealthStatus = 'healthy' | 'warning' | 'failed' | 'paused' | 'disabled' | 'new'

/** A source as the list shows it: its own fields joined with those of its job. */
export interface SourceRow {
  id: string
  name: string
  url: string
  kind?: string
  enabled: boolean
  /** Null: as its group, or else normal. */
  priority: Priority | null
  tags?: string[]
  rate_limit?: number | null
  max_depth?: number | null
  status: HealthStatus
  /** Why the status is what it is, in words. */
  status_reason: string | null
  job_id: string | null
  job_status: JobStatus | null
  interval_minutes: number | null
  last_run_at: string | null
  last_run_status: string | null
  next_run_at: string | null
  items_24h: number
  /** Items per hour over the last 24 hours, oldest first. */
  items_by_hour: number[]
  breaker_state: 'closed' | 'open' | 'half_open'
  created_at?: string
  updated_at?: string
  /** Raised by every write; a PATCH that names an older one is refused. */
  version?: number
}

export interface SourceDetail extends SourceRow {
  preferred_method?: string | null
  tier?: string | null
  disabled_reason?: string | null
  auto_disabled_reason?: string | null
  /** What holds after inheritance, and where each value comes from. */
  effective?: Record<string, EffectiveValue>
  [field: string]: unknown
}

export interface EffectiveValue {
  value: unknown
  from: 'source' | 'group' | 'default'
}

export type JobStatus =
  'pending' | 'scheduled' | 'running' | 'completed' | 'failed' | 'paused' | 'cancelled'

export interface ScheduleStep {
  step: string
  /** Missing for the base, which multiplies nothing. */
  factor?: number
  /** The interval after this step. */
  minutes: number
  why: string
}

export interface JobRow {
  id: string
  source_id: string
  source_name: string
  url: string
  status: JobStatus
  interval_minutes: number | null
  next_run_at: string | null
  health: 'healthy' | 'warning' | 'failed'
  last_run_at: string | null
  auto_managed: boolean
  priority: number
  failure_count: number
  last_error?: string | null
  backoff_until?: string | null
  override?: { interval_minutes?: number; reason?: string; by?: string; at?: string } | null
  schedule?: { explanation: string; chain: ScheduleStep[] }
  waiting_for?: 'backoff' | 'crawl_window' | null
  waiting_until?: string | null
  adaptive_reason?: string | null
  adaptive_interval_minutes?: number | null
  unchanged_count?: number
  crawl_window_start?: number | null
  crawl_window_end?: number | null
  paused_reason?: string | null
  allowed_actions?: string[]
}

export interface JobHealth {
  status: HealthStatus
  last_run_at: string | null
  last_run_status: string | null
  last_24h_runs: number
  last_24h_failures: number
  last_24h_articles: number
  success_rate: number | null
  avg_duration_seconds: number | null
}

export interface RunSummary {
  id: string
  started_at: string | null
  completed_at: string | null
  status: string
  articles_count?: number
  duration_seconds?: number | null
  error_message?: string | null
}

export interface JobBySource {
  job: JobRow
  health: JobHealth
  recent_executions: RunSummary[]
}

export interface JobStats {
  total_sources: number
  total_jobs: number
  jobs_by_status: Partial<Record<JobStatus, number>>
  health: { healthy: number; warning: number; failed: number }
  sources_by_status: Record<HealthStatus, number>
  last_24h: RunTotals
  last_7d: RunTotals
  throughput: { articles_per_hour: number; runs_per_hour: number; by_hour: number[] }
}

export interface RunTotals {
  total_runs: number
  successful_runs: number
  failed_runs: number
  articles_extracted: number
  success_rate: number | null
}

export interface SourceEventRow {
  event_id: string
  event_type: string
  source_id: string
  source_name?: string | null
  timestamp: string
  origin?: string
  status: 'pending' | 'applied' | 'ignored' | 'quarantined'
  processed_at?: string | null
  payload?: Record<string, unknown> | null
  /** What handling it did to the job, or why it did nothing. */
  outcome?: Record<string, unknown> | null
}

export interface QuarantineRow {
  id: string
  event_id?: string | null
  raw: string
  reason: string
  created_at: string
}

export interface ImportResult {
  preview: boolean
  format: string
  rows: number
  valid: number
  created: number
  errors: { line: number; field: string; message: string }[]
  unknown_columns: { column: string; did_you_mean: string | null }[]
  sample: { line: number; name: string; url: string }[]
}

export interface DemoState {
  available: boolean
  loaded: boolean
  sites: { name: string; url: string; description?: string }[]
}

export interface RunYield {
  run_id: string
  at: string
  items: number
  pages: number
  /** Items by the strategy that found them. */
  strategies: Record<string, number>
}

export interface SourceBreaker {
  kind: 'source' | 'host' | 'service'
  key: string
  state: 'closed' | 'open' | 'half_open'
  failure_count: number
  last_error: string | null
  cooldown_until: string | null
}

/** How a source is read. */
export interface SourceInsight {
  learning: {
    winning_strategy: string | null
    learned_method: string | null
    tier: string
    tier_since: string | null
    tier_retry_at: string | null
  } | null
  drift: {
    status: 'normal' | 'low' | 'empty' | 'unknown'
    cause: string | null
    expected: number
    actual: number
    missing_fields: string[]
    detail: string
  }
  runs: RunYield[]
  breakers: SourceBreaker[]
}
