import { Agent, type Dispatcher } from 'undici'
import { decompress, acceptEncoding } from './decompress.ts'
import { exchange, type RawResponse } from './exchange.ts'
import { failureOf, retryAfterMs, statusFailure } from './failure.ts'
import type { Guard } from './guard.ts'
import type { FailedFetch, FetchRequest, FetchResult, FetchTier, Redirect } from './types.ts'

export interface StaticTierOptions {
  guard: Guard
  userAgent: () => string
  timeoutMs: number
  maxBytes: number
  maxRedirects: number
  followRedirects: boolean
  connectionsPerHost?: number
}

const idleMs = 15_000

/** Plain HTTP with pooled connections: the cheapest way, and the one tried first. */
export function createStaticTier(options: StaticTierOptions): FetchTier {
  const agent = new Agent({
    connect: options.guard.connector,
    connections: options.connectionsPerHost ?? 16,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    allowH2: true,
  })
  return {
    name: 'static',
    fetch: (request) => followed(agent, request, options),
    close: () => agent.destroy(),
  }
}

/** Follows redirects by hand, because every hop passes the guard again. */
async function followed(
  agent: Dispatcher,
  request: FetchRequest,
  options: StaticTierOptions,
): Promise<FetchResult> {
  const started = performance.now()
  const redirects: Redirect[] = []
  const maxBytes = request.maxBytes ?? options.maxBytes
  let url = request.url
  const failed = (
    kind: FailedFetch['kind'],
    detail: string,
    response?: RawResponse,
  ): FailedFetch => ({
    ok: false,
    tier: 'static',
    kind,
    detail,
    status: response?.status ?? null,
    retryAfterMs: retryAfterMs(response?.headers['retry-after'], Date.now()),
    url: request.url,
    finalUrl: url,
    redirects,
    durationMs: Math.round(performance.now() - started),
  })

  for (;;) {
    const refused = options.guard.refuses(url)
    if (refused !== null) return failed('private_address', refused)
    let response: RawResponse
    try {
      const remaining = (request.timeoutMs ?? options.timeoutMs) - (performance.now() - started)
      const limits = { maxBytes, totalMs: Math.max(remaining, 1), idleMs }
      response = await exchange(
        agent,
        new URL(url),
        await headersFor(request, url, redirects.length === 0, options),
        limits,
        request.signal,
      )
      response.body = await decompress(
        response.body,
        response.headers['content-encoding'],
        maxBytes,
      )
    } catch (error) {
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
      continue
    }
    const failure = target === null ? statusFailure(response.status) : 'bad_response'
    if (failure !== null) return failed(failure, `HTTP ${response.status}`, response)
    return {
      ok: true,
      tier: 'static',
      status: response.status,
      headers: response.headers,
      body: response.body,
      url: request.url,
      finalUrl: url,
      redirects,
      notModified: response.status === 304,
      wireBytes: Number(response.headers['content-length'] ?? response.body.length),
      durationMs: Math.round(performance.now() - started),
    }
  }
}

async function headersFor(
  request: FetchRequest,
  url: string,
  first: boolean,
  options: StaticTierOptions,
): Promise<Record<string, string>> {
  const cookie = (await request.cookies?.headerFor(url)) ?? ''
  return {
    'user-agent': options.userAgent(),
    accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.5',
    'accept-encoding': acceptEncoding,
    'accept-language': 'nl,en;q=0.8',
    ...(cookie !== '' && { cookie }),
    ...(first && request.etag && { 'if-none-match': request.etag }),
    ...(first && request.lastModified && { 'if-modified-since': request.lastModified }),
    ...request.headers,
  }
}

function redirectTarget(response: RawResponse, url: string): string | null {
  if (![301, 302, 303, 307, 308].includes(response.status)) return null
  const location = response.headers['location']
  return location === undefined ? null : (URL.parse(location, url)?.href ?? null)
}
