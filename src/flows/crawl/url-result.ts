import type { NewPage } from '../../crawl/pages.ts'
import type { ClaimedUrl, UrlResult } from '../../crawl/frontier/types.ts'
import type {
  FailureKind,
  FailedFetch,
  FetchedResponse,
  FetchResult,
} from '../../crawl/fetch/types.ts'
import { normalizeUrl, sameSite, urlHash } from '../../kernel/url.ts'
import { feedRetryMinutes, feedTrouble } from '../../crawl/feed-trouble.ts'
import { nextInterval, retryInterval } from '../../crawl/recrawl.ts'
import type { StaleCopy } from './stale-copy.ts'
import type { ParsedPage } from '../parse/parse-page.ts'

const maxAttempts = 4
const weekMinutes = 7 * 1440
/** A page that was there and is not found is asked for again, so that a slip of its site costs nothing. */
const lookAgainMinutes = [1440, weekMinutes]

/** Failures that trying again cannot mend. */
const final = new Set<string>([
  'gone',
  'too_many_redirects',
  'private_address',
  'too_large',
  'http_4xx',
  'unparsable',
])

export interface Judged {
  url: UrlResult
  page: NewPage
}

/** What a usable answer means for its URL and for the record. */
export function judgeSuccess(
  claimed: ClaimedUrl,
  response: FetchedResponse,
  parsed: ParsedPage | null,
  now: Date,
): Judged {
  const unchanged = response.notModified || parsed === null || parsed.unchanged
  const interval = nextInterval(claimed.kind, claimed.intervalMinutes, !unchanged)
  return {
    url: {
      id: claimed.id,
      status: 'fetched',
      reason: unchanged ? 'unchanged' : null,
      next_fetch_at: minutesFrom(now, interval),
      interval_minutes: interval,
      attempts: 0,
      last_status: response.status,
      last_error: null,
      etag: response.headers['etag'] ?? null,
      last_modified: response.headers['last-modified'] ?? null,
      content_hash: parsed?.hash ?? null,
      changed: !unchanged,
      ...finalAddress(claimed, response),
    },
    page: {
      ...pageOf(claimed, response, now),
      status: response.status,
      outcome: unchanged ? 'unchanged' : 'fetched',
      reason: unchanged ? 'unchanged' : null,
      content_type: response.headers['content-type'] ?? null,
      charset: parsed?.charset ?? null,
      body_bytes: response.body.length,
      content_hash: parsed?.hash ?? claimed.contentHash,
      archived: parsed !== null,
      headers: keptHeaders(response.headers),
      title: parsed?.title?.slice(0, 500) ?? null,
      links_found: parsed?.links.length ?? 0,
      items_found: parsed?.items.length ?? 0,
      strategy: parsed?.strategy ?? null,
      parse_ms: parsed === null ? null : Math.round(parsed.ms),
    },
  }
}

/** What a failure means: again later, rarely, or never. */
export function judgeFailure(
  claimed: ClaimedUrl,
  failure: FailedFetch,
  reason: FailureKind | 'unparsable',
  now: Date,
): Judged {
  const attempts = claimed.attempts + 1
  return {
    url: {
      id: claimed.id,
      ...whatNext(claimed, failure, reason, attempts, now),
      interval_minutes: null,
      attempts,
      last_status: failure.status,
      last_error: failure.detail.slice(0, 500),
      etag: null,
      last_modified: null,
      content_hash: null,
      changed: false,
      final_url: null,
      final_hash: null,
    },
    page: { ...pageOf(claimed, failure, now), status: failure.status, outcome: 'failed', reason },
  }
}

/** A start page is looked at again, however often it failed; a single page is given up; a feed has rules of its own. */
function whatNext(
  claimed: ClaimedUrl,
  failure: FailedFetch,
  reason: FailureKind | 'unparsable',
  attempts: number,
  now: Date,
): Pick<UrlResult, 'status' | 'reason' | 'next_fetch_at'> {
  if (claimed.kind === 'feed' && claimed.origin !== 'alternative') {
    const trouble = feedTrouble(reason, failure.status)
    const minutes = feedRetryMinutes(trouble, attempts, failure.retryAfterMs)
    return minutes === null
      ? { status: 'refused', reason: 'feed_disabled', next_fetch_at: null }
      : { status: 'failed', reason, next_fetch_at: minutesFrom(now, minutes) }
  }
  const wasThere = failure.status === 404 && claimed.contentHash !== null
  const again = wasThere ? (lookAgainMinutes[attempts - 1] ?? null) : null
  const minutes = final.has(reason) ? again : retryInterval(attempts, maxAttempts)
  const later = claimed.kind === 'page' ? null : weekMinutes
  const wait = minutes ?? later
  return {
    status: reason === 'gone' ? 'gone' : 'failed',
    reason,
    next_fetch_at: wait === null ? null : minutesFrom(now, wait),
  }
}

/** A failure whose page was read from a copy: the URL is tried again as after any failure. */
export function withCopy({ url, page }: Judged, { parsed }: StaleCopy): Judged {
  return {
    url,
    page: {
      ...page,
      stale: true,
      content_hash: parsed.hash,
      archived: true,
      content_type: parsed.contentType,
      charset: parsed.charset,
      title: parsed.title?.slice(0, 500) ?? null,
      links_found: parsed.links.length,
      items_found: parsed.items.length,
      strategy: parsed.strategy,
      parse_ms: Math.round(parsed.ms),
    },
  }
}

/** An answer that turned out to be useless. */
export function asFailure(
  response: FetchedResponse,
  kind: FailureKind,
  detail: string,
): FailedFetch {
  return { ...response, ok: false, kind, detail, retryAfterMs: null }
}

/** The robots.txt of its host could not be read. */
export function withoutRobots(claimed: ClaimedUrl, kind: FailureKind): FailedFetch {
  const answered = kind === 'http_5xx' || kind === 'rate_limited'
  const detail = answered
    ? 'robots.txt cannot be read, so nothing may be fetched yet'
    : 'the host did not answer for its robots.txt'
  return noAnswer(claimed, kind, detail)
}

/** A URL that was never asked for, because its host does not answer anyway. */
export function noAnswer(claimed: ClaimedUrl, kind: FailureKind, detail: string): FailedFetch {
  return {
    ok: false,
    tier: 'static',
    kind,
    detail,
    status: null,
    retryAfterMs: null,
    url: claimed.url,
    finalUrl: claimed.url,
    redirects: [],
    durationMs: 0,
  }
}

/** Never to be fetched, and why. */
export function refusedUrl(claimed: ClaimedUrl, reason: string): { url: UrlResult; page: null } {
  return { url: { ...untouched(claimed), status: 'refused', reason }, page: null }
}

/** Not now: the circuit of its host is open. */
export function postponed(claimed: ClaimedUrl, until: Date): { url: UrlResult; page: null } {
  const next_fetch_at = until.toISOString()
  return {
    url: { ...untouched(claimed), status: 'failed', reason: 'breaker_open', next_fetch_at },
    page: null,
  }
}

function untouched(claimed: ClaimedUrl): UrlResult {
  return {
    id: claimed.id,
    status: 'waiting',
    reason: null,
    next_fetch_at: null,
    interval_minutes: null,
    attempts: claimed.attempts,
    last_status: null,
    last_error: null,
    etag: null,
    last_modified: null,
    content_hash: null,
    changed: false,
    final_url: null,
    final_hash: null,
  }
}

/** Set when redirects led to another page of the same site. */
function finalAddress(
  claimed: ClaimedUrl,
  response: FetchedResponse,
): Pick<UrlResult, 'final_url' | 'final_hash'> {
  const final = response.redirects.length === 0 ? null : normalizeUrl(response.finalUrl)
  if (final === null || final === claimed.url || !sameSite(final, claimed.url))
    return { final_url: null, final_hash: null }
  return { final_url: final, final_hash: urlHash(final) }
}

function pageOf(claimed: ClaimedUrl, result: FetchResult, now: Date): NewPage {
  return {
    frontier_id: claimed.id,
    url: claimed.url,
    final_url: result.finalUrl,
    status: null,
    tier: result.tier,
    outcome: 'failed',
    reason: null,
    content_type: null,
    charset: null,
    body_bytes: null,
    content_hash: null,
    archived: false,
    stale: false,
    headers: null,
    title: null,
    links_found: 0,
    items_found: 0,
    strategy: null,
    redirects: result.redirects.length === 0 ? null : result.redirects,
    fetch_ms: result.durationMs,
    parse_ms: null,
    fetched_at: now.toISOString(),
  }
}

const keptNames =
  'content-type content-language content-encoding content-disposition content-location date last-modified etag expires age cache-control vary link server x-robots-tag x-powered-by via x-cache cf-cache-status'.split(
    ' ',
  )
const longestHeader = 500

function keptHeaders(headers: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of keptNames) {
    const value = headers[name]
    if (value !== undefined && value.length <= longestHeader) kept[name] = value
  }
  return kept
}

function minutesFrom(now: Date, minutes: number): string {
  return new Date(now.getTime() + minutes * 60_000).toISOString()
}
