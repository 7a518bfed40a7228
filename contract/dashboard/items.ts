/** Per field: which strategy found it, where, what stood there, and how sure it is. */
export type Provenance = Record<
  string,
  { strategy?: string; path?: string; snippet?: string; confidence?: number }
>

export interface ArticleRow {
  id: string
  title: string
  url: string
  source_id?: string
  source_name?: string | null
  published_at?: string | null
  first_seen_at?: string | null
  language?: string | null
  word_count?: number | null
  topics?: string[]
  quality_score?: number | null
  cluster_id?: string | null
  cluster_size?: number
  section?: string | null
  tags?: string[]
  excerpt?: string | null
  text?: string | null
  author?: string | null
  extracted_by?: string | null
  provenance?: Provenance | null
  /** active, or vanished when its page is gone. */
  status?: string
}

export interface CalendarRow {
  id: string
  title: string
  description?: string | null
  /** The day at the place itself. */
  event_date?: string
  starts_at: string
  ends_at?: string | null
  all_day?: boolean
  venue_name?: string | null
  city?: string | null
  category?: string | null
  /** active, rescheduled, cancelled or vanished. */
  status?: string
  distance_km?: number | null
  price_text?: string | null
  image_url?: string | null
  organizer?: string | null
  uid?: string
  sequence?: number
  structured_location?: { address?: string | null; postal_code?: string | null }
  cluster_id?: string | null
  cluster_size?: number
  provenance?: Provenance | null
  extracted_by?: string | null
  first_seen_at?: string | null
  url?: string | null
  source_id?: string
  source_name?: string | null
}

export type ItemKind = 'article' | 'calendar_event'

export interface ItemChange {
  id: string
  change: string
  /** Per field the value before and after. */
  fields: Record<string, [unknown, unknown]>
  at: string
}

export interface ClusterRow {
  id: string
  kind: ItemKind
  canonical_id: string
  pinned: boolean
  size: number
  title: string | null
  updated_at: string
}

export interface ClusterMember {
  item_id: string
  source_id: string
  source_name: string | null
  title: string
  url: string | null
  at: string
  score: number
  evidence: Record<string, unknown>
  manual: boolean
  canonical: boolean
}

export interface ItemJudgement {
  quality_score: number
  quality_parts: Record<string, number>
  content_type: string
  confidence: number
  topics: string[]
  topic_scores: { topic: string; confidence: number; terms: string[] }[]
  model_version: string
  classified_at: string
}

export interface Place {
  name: string
  country: string
  lat: number
  lng: number
}
