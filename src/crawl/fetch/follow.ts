import { MissedSlot } from '../politeness/slot.ts'
import type { ExchangeLimits, RawResponse } from './exchange.ts'
import { failureOf, retryAfterMs, statusFailure } from './failure.ts'
import type { Guard } from './guard.ts'
import type { FailedFetch, FetchRequest, FetchResult, Redirect, TierName } from './types.ts'

export interface FollowOptions {
  tier: TierName
  guard: Guard
  timeoutMs: number
  maxBytes: number
  maxRedirects: number
  followRedirects: boolean
  /** One request, one decompressed answer; it throws what goes wrong below HTTP. */
  send(
    url: URL,
    hop: { first: boolean; cookie: string },
    limits: ExchangeLimits,
  ): Promise<RawResponse>
}

const idleMs = 15_000

/** Follows redirects by hand, because every hop passes the guard again. */
export async function followed(
  request: FetchRequest,
  options: FollowOptions,
): Promise<FetchResult> {
  const started = performance.now()
  const redirects: Redirect[] = []
  const maxBytes = request.maxBytes ?? options.maxBytes
  let url = request.url
  let slot = request.slot ?? null
  /** For slots of the hosts that redirects lead to: not the time of the fetch. */
  let waitedMs = 0
  const failed = (
    kind: FailedFetch['kind'],
    detail: string,
    response?: RawResponse,
  ): FailedFetch => ({
    ok: false,
    tier: options.tier,
    kind,
    detail,
    status: response?.status ?? null,
    retryAfterMs: retryAfterMs(response?.headers['retry-after'], Date.now()),
    url: request.url,
    finalUrl: url,
    redirects,
    durationMs: Math.round(performance.now() - started - waitedMs),
  })

  const waitForSlot = async (): Promise<void> => {
    const paused = performance.now()
    slot = (await request.beforeHop?.(url)) ?? null
    waitedMs += performance.now() - paused
  }

  for (;;) {
    const refused = options.guard.refuses(url)
    if (refused !== null) return failed('private_address', refused)
    let response: RawResponse
    try {
      const remaining =
        (request.timeoutMs ?? options.timeoutMs) - (performance.now() - started - waitedMs)
      const cookie = (await request.cookies?.headerFor(url)) ?? ''
      const limits = { maxBytes, totalMs: Math.max(remaining, 1), idleMs, slot }
      response = await options.send(new URL(url), { first: redirects.length === 0, cookie }, limits)
    } catch (error) {
      if (error instanceof MissedSlot && request.signal?.aborted !== true) {
        await waitForSlot()
        continue
      }
      const { kind, detail } = failureOf(error, request.signal?.aborted ?? false)
      return failed(kind, detail)
    }
    await request.cookies?.keep(url, response.setCookies)
    const target = redirectTarget(response, url)
    if (target !== null && options.followRedirects) {
      const seen = redirects.filter((hop) => hop.from === target).length + Number(target === url)
      // A cookie wall sends us back to where we were, once, with a cookie.
      const mayReturn = response.setCookies.length > 0 && seen === 1
      if (redirects.length >= options.maxRedirects || (seen > 0 && !mayReturn)) {
        return failed(
          'too_many_redirects',
          `${redirects.length + 1} redirects, last to ${target}`,
          response,
        )
      }
      redirects.push({ from: url, to: target, status: response.status })
      url = target
      await waitForSlot()
      continue
    }
    const failure = target === null ? statusFailure(response.status) : 'bad_response'
    if (failure !== null) return failed(failure, `HTTP ${response.status}`, response)
    return {
      ok: true,
      tier: options.tier,
      status: response.status,
      headers: response.headers,
      body: response.body,
      url: request.url,
      finalUrl: url,
      redirects,
      notModified: response.status === 304,
      wireBytes: Number(response.headers['content-length'] ?? response.body.length),
      durationMs: Math.round(performance.now() - started - waitedMs),
    }
  }
}

function redirectTarget(response: RawResponse, url: string): string | null {
  if (![301, 302, 303, 307, 308].includes(response.status)) return null
  const location = response.headers['location']
  return location === undefined ? null : (URL.parse(location, url)?.href ?? null)
}
