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
  cluster_size?: number
  excerpt?: string | null
  text?: string | null
  author?: string | null
  extracted_by?: string | null
  /** Per field: which strategy found it, where, and how sure it is. */
  provenance?: Record<string, { strategy?: string; path?: string; confidence?: number }> | null
}

export interface CalendarRow {
  id: string
  title: string
  description?: string | null
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
  url?: string | null
  source_id?: string
  source_name?: string | null
}
