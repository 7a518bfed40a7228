/** An address that a search gave and that may become a source. */
export interface CandidateRow {
  id: string
  url: string
  title: string
  place: string | null
  query: string
  /** 0 to 1. */
  confidence: number
  reasons: string[]
  needs_review: boolean
  settings: Record<string, unknown>
  status: 'new' | 'accepted' | 'rejected'
  source_id: string | null
  note: string | null
  decided_at: string | null
  created_at: string
}

export interface PlaceRow {
  id: string
  name: string
  country: string
  population: number
  queries: string[]
  status: 'pending' | 'processing' | 'completed' | 'failed'
  searched: number
  found: number
  error: string | null
  searched_at: string | null
}
