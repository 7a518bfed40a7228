import type { ItemKind } from './items.ts'

/** Everything named must hold; naming nothing matches nothing. */
export interface RouteFilters {
  topics_any?: string[]
  topics_all?: string[]
  topics_none?: string[]
  min_quality?: number
  max_quality?: number
  content_types?: string[]
  kinds?: ItemKind[]
  sources?: string[]
  sources_none?: string[]
  tags_any?: string[]
  tags_none?: string[]
  languages?: string[]
  categories?: string[]
  near?: { lat: number; lng: number; radius_km: number }
  text?: string
}

export interface RouteRow {
  id: string
  name: string
  channel_id: string | null
  channel: string
  filters: RouteFilters
  enabled: boolean
  version: number
  item_count: number
  feeds: { rss: string; atom: string; json: string; ics: string }
  updated_at: string
}

/** What a route would have taken from the latest items. */
export interface RouteDryRun {
  examined: number
  matched: number
  examples: { item_id: string; title: string; topics: string[]; quality_score: number }[]
}

export interface RouteAnswer {
  item_id: string
  enabled: boolean
  matches: boolean
  filters: { filter: string; passed: boolean; expected: unknown; actual: unknown }[]
}

export interface RuleFields {
  name: string
  topic: string
  keywords: { term: string; weight: number }[]
  priority: number
  min_confidence: number
  languages: string[]
  enabled: boolean
}

export interface RuleRow extends RuleFields {
  id: string
  version: number
  updated_at: string
}

export interface RulePreview {
  examined: number
  matched: number
  changed: number
  examples: { item_id: string; title: string; before: string[]; after: string[] }[]
}

export interface Reclassification {
  id: string
  status: 'running' | 'completed' | 'cancelled'
  total: number
  done: number
  changed: number
  requested_by: string | null
  created_at: string
  finished_at: string | null
}

export interface ChannelConfig {
  topic?: string
  max_length?: number
  url?: string
  headers?: Record<string, string>
  timeout_ms?: number
  concurrency?: number
}

export interface ChannelRow {
  id: string
  name: string
  kind: 'webhook' | 'redis_pubsub' | 'redis_stream'
  config: ChannelConfig
  has_secret: boolean
  enabled: boolean
  disabled_reason: string | null
  consecutive_failures: number
  failing_since: string | null
  resume_at: string | null
  last_delivered_at: string | null
  last_error: string | null
  pending_deliveries: number
  route_count: number
}

export interface ChannelTest {
  ok: boolean
  error: string | null
  response_code: number | null
  redis_subscribers: number | null
  took_ms: number
}

export interface DeliveryRow {
  id: string
  idempotency_id: string
  route_id: string
  route: string
  channel_id: string | null
  channel: string | null
  item_id: string
  item_kind: ItemKind
  title: string | null
  change: string
  status: string
  attempts: number
  next_attempt_at: string | null
  created_at: string
  delivered_at: string | null
  last_error: string | null
  response_code: number | null
  matched_topics: string[]
}

export interface DeliveryDetail extends DeliveryRow {
  failures: {
    attempt: number
    error: string
    response_code: number | null
    took_ms: number
    failed_at: string
  }[]
}
