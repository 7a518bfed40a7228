import type { FailedFetch, FetchRequest, FetchResult, FetchTier } from './types.ts'

export interface ProxyTierOptions {
  /** HTTP and SOCKS5 proxies, taken in turn. */
  proxies: readonly string[]
  /** Sends through the proxy named in the request, looking like a browser. */
  through: FetchTier
  /** Address of a scraping service with `{url}` where the page goes; asked when no proxy helped. */
  apiTemplate?: string | null
  /** Asks the scraping service. */
  direct: FetchTier
}

/** Other doors to the same site: what one address is refused, another may get. */
const mostProxies = 3
const worthAnother = new Set<string>([
  'refused',
  'timeout',
  'blocked',
  'rate_limited',
  'bad_response',
])

/** The last resort: proxies in turn, then a scraping service; null when neither is configured. */
export function createProxyTier(options: ProxyTierOptions): FetchTier | null {
  const next = rotation(options.proxies)
  const template = options.apiTemplate ?? null
  if (options.proxies.length === 0 && template === null) return null
  return {
    name: 'proxy',
    fetch: async (request) => {
      let result: FetchResult | null = null
      const tries = Math.min(mostProxies, options.proxies.length)
      for (let tried = 0; tried < tries; tried++) {
        result = await options.through.fetch({ ...request, proxy: next() })
        if (result.ok || !worthAnother.has(result.kind)) break
      }
      if (template !== null && !result?.ok && result?.kind !== 'private_address')
        result = await askService(options.direct, template, request)
      return { ...(result ?? unconfigured(request)), tier: 'proxy' }
    },
    close: () => options.through.close(),
  }
}

/** One after the other, for ever. */
export function rotation(proxies: readonly string[]): () => string | null {
  let turn = 0
  return () => (proxies.length === 0 ? null : (proxies[turn++ % proxies.length] ?? null))
}

async function askService(
  direct: FetchTier,
  template: string,
  request: FetchRequest,
): Promise<FetchResult> {
  const answer = await direct.fetch({
    url: template.replaceAll('{url}', encodeURIComponent(request.url)),
    // Services render before they answer.
    timeoutMs: Math.max(request.timeoutMs ?? 0, 60_000),
    ...(request.maxBytes !== undefined && { maxBytes: request.maxBytes }),
    ...(request.signal !== undefined && { signal: request.signal }),
  })
  const own = { url: request.url, finalUrl: request.url, redirects: [] }
  if (!answer.ok) {
    const quota = answer.status === 401 || answer.status === 402 || answer.status === 429
    // The service's address carries a key, so its own words stay out of records.
    const detail = quota
      ? 'the scraping service is out of credit'
      : `scraping service: ${answer.kind}`
    return {
      ...answer,
      ...own,
      kind: quota ? 'rate_limited' : answer.kind,
      detail,
      retryAfterMs: null,
    }
  }
  const resolved = answer.headers['spb-resolved-url']
  return {
    ...answer,
    ...own,
    ...(resolved !== undefined && URL.canParse(resolved) && { finalUrl: resolved }),
    headers: { 'content-type': answer.headers['content-type'] ?? 'text/html' },
  }
}

function unconfigured(request: FetchRequest): FailedFetch {
  return {
    ok: false,
    tier: 'proxy',
    kind: 'refused',
    detail: 'no proxy is configured',
    status: null,
    retryAfterMs: null,
    url: request.url,
    finalUrl: request.url,
    redirects: [],
    durationMs: 0,
  }
}
