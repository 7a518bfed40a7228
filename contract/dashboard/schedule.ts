export interface Distribution {
  /** 0 to 1; below 0.7 a rebalance is worth looking at. */
  distribution_score: number
  total_runs_per_day: number
  slot_minutes: number
  /** Runs that start in each slot of the day (UTC). */
  slots: { slot: number; time: string; runs: number }[]
}

export interface RebalanceMove {
  job_id: string
  source_name?: string | null
  from: string
  to: string
}

export interface RebalancePreview {
  moves: RebalanceMove[]
  total_moves: number
  score_before: number
  score_after: number
  /** The load per slot when all moves are made. */
  load_after: number[]
}

export interface SchedulerMetrics {
  jobs: Record<string, number>
  executions: { total: number; success_rate: number | null; avg_duration_ms: number | null }
  queue: { pending: number; running: number; oldest_seconds: number | null }
  workers: { alive: number; slots: number }
}
