export interface Distribution {
  /** 0 to 1; below 0.7 a rebalance is worth looking at. */
  distribution_score: number
  total_jobs?: number
  /** Runs that start in each 15-minute slot of the day (UTC). */
  buckets: (number | { bucket?: number; slot?: number; jobs?: number; count?: number })[]
}

export interface RebalanceMove {
  job_id: string
  source_name?: string | null
  from: string
  to: string
}

export interface RebalancePreview {
  score_before: number
  score_after: number
  moves: RebalanceMove[]
  before?: number[]
  after?: number[]
}

export interface SchedulerMetrics {
  jobs?: Record<string, number>
  executions?: { total?: number; success_rate?: number | null; avg_duration_ms?: number | null }
  stale_locks_cleared?: number
  queue_depth?: number
}
