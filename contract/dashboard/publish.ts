export interface RouteRow {
  id: string
  name: string
  channel_id: string | null
  channel: string
  enabled: boolean
  version: number
  item_count: number
  feeds: { rss: string; atom: string; json: string; ics: string }
  updated_at: string
}

export interface DeliveryRow {
  id: string
  route_id: string
  route: string
  channel: string | null
  item_id: string
  title: string | null
  change: string
  status: string
  attempts: number
  next_attempt_at: string | null
  created_at: string
  delivered_at: string | null
  last_error: string | null
}

/** What a route would have taken from the latest items. */
export interface RouteDryRun {
  examined: number
  matched: number
  examples: { item_id: string; title: string; topics: string[]; quality_score: number }[]
}
