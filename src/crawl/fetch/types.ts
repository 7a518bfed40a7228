import type { Slot } from '../politeness/slot.ts'
export const tierNames = ['static', 'impersonating', 'browser', 'proxy'] as const
export type TierName = (typeof tierNames)[number]

/** Why a fetch gave nothing usable: a closed list, because breakers, escalation and the funnel count by it. */
export const failureKinds = [
  'timeout',
  'refused',
  'dns',
  'tls',
  'http_4xx',
  'http_5xx',
  'gone',
  'blocked',
  'rate_limited',
  'too_large',
  'too_many_redirects',
  'private_address',
  'bad_response',
  'stopped',
] as const
export type FailureKind = (typeof failureKinds)[number]

export interface FetchRequest {
  url: string
  etag?: string | null
  lastModified?: string | null
  headers?: Record<string, string>
  /** Cookies of the run, shared by its fetches. */
  cookies?: CookieStore
  proxy?: string | null
  timeoutMs?: number
  maxBytes?: number
  signal?: AbortSignal
  /** Of the host. */
  slot?: Slot | null
  /** Before each redirect is followed, and after a missed slot: waits until the host may be asked. */
  beforeHop?: (url: string) => Promise<Slot | null>
  /** A browser also asked for this, to draw the page. */
  alsoAsked?: (url: string) => void
}

export interface Redirect {
  from: string
  to: string
  status: number
}

export interface FetchedResponse {
  ok: true
  tier: TierName
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  /** Decompressed; empty when not modified. */
  body: Uint8Array
  url: string
  finalUrl: string
  redirects: Redirect[]
  notModified: boolean
  wireBytes: number
  durationMs: number
}

export interface FailedFetch {
  ok: false
  tier: TierName
  kind: FailureKind
  detail: string
  status: number | null
  retryAfterMs: number | null
  url: string
  finalUrl: string
  redirects: Redirect[]
  durationMs: number
}

export type FetchResult = FetchedResponse | FailedFetch

/** One way to get a page. It never throws for what the web does; it answers. */
export interface FetchTier {
  name: TierName
  fetch(request: FetchRequest): Promise<FetchResult>
  close(): Promise<void>
}

export interface CookieStore {
  headerFor(url: string): Promise<string>
  keep(url: string, setCookies: readonly string[]): Promise<void>
}
