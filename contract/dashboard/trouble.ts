export interface FrontierRow {
  id: string
  url: string
  source_id: string
  source_name?: string | null
  kind?: string
  status: 'waiting' | 'fetched' | 'failed' | 'refused' | 'gone' | 'moved'
  /** Why it was refused, failed or is gone. */
  reason?: string | null
  depth?: number
  next_fetch_at?: string | null
  last_fetched_at?: string | null
  last_status?: number | null
  last_error?: string | null
}

export interface DeadLetterRow {
  id: string
  source_id?: string | null
  source_name?: string | null
  stage: string
  error_type?: string | null
  error_message?: string | null
  error_stack?: string | null
  retry_count?: number
  max_retries?: number
  next_retry_at?: string | null
  status: 'pending' | 'retrying' | 'resolved' | 'discarded'
  created_at: string
  subject?: string | null
  resolved_at?: string | null
  resolution_notes?: string | null
  payload?: unknown
}

export interface DeadLetterCount {
  stage: string
  error_type: string
  count: number
}

export interface BreakerRow {
  kind: 'source' | 'host' | 'service'
  key: string
  /** The name of the source, where the key is its id. */
  name?: string | null
  state: 'closed' | 'open' | 'half_open'
  failure_count: number
  consecutive_opens?: number
  last_failure_at?: string | null
  last_error?: string | null
  opened_at?: string | null
  cooldown_until?: string | null
}

export interface AlertRow {
  id: string
  kind: string
  /** What it is about: a stage, or the id of a channel or a source. */
  subject: string
  title: string
  details: Record<string, unknown>
  opened_at: string
  last_seen_at: string
  closed_at: string | null
  acknowledged_at: string | null
  acknowledged_by: string | null
}

export interface NotificationRow {
  id: string
  target: 'slack' | 'webhook'
  title: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  last_error: string | null
  created_at: string
}
