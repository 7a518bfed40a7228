export type FrontierKind = 'page' | 'listing' | 'feed' | 'sitemap'
export type FrontierOrigin =
  'start' | 'link' | 'sitemap' | 'feed' | 'submit' | 'alternative' | 'redirect'
export type FrontierStatus = 'waiting' | 'fetched' | 'failed' | 'refused' | 'gone' | 'moved'

/** A URL that a run has in hand. */
export interface ClaimedUrl {
  id: string
  url: string
  kind: FrontierKind
  origin: FrontierOrigin
  depth: number
  attempts: number
  intervalMinutes: number | null
  etag: string | null
  lastModified: string | null
  /** Hex, or null before the first fetch. */
  contentHash: string | null
}

/** A URL somebody found. */
export interface FoundUrl {
  url: string
  kind: FrontierKind
  origin: FrontierOrigin
  depth: number
  priority: number
  anchor?: string | null
  foundOn?: string | null
  /** Set when it is known but must not be fetched. */
  refused?: string | null
  /** A sitemap or feed said it changed then: a known URL becomes due again. */
  changedAt?: Date | null
}

/** What a fetch meant for the URL. */
export interface UrlResult {
  id: string
  status: FrontierStatus
  reason: string | null
  next_fetch_at: string | null
  interval_minutes: number | null
  attempts: number
  last_status: number | null
  last_error: string | null
  etag: string | null
  last_modified: string | null
  content_hash: string | null
  changed: boolean
  /** Where redirects led: the URL is known by this address from now on. */
  final_url: string | null
  final_hash: string | null
}
