import { Agent, type Dispatcher } from 'undici'
import { decompress, acceptEncoding } from './decompress.ts'
import { exchange } from './exchange.ts'
import { followed } from './follow.ts'
import type { Guard } from './guard.ts'
import { tunnelConnector } from './tunnel.ts'
import type { FetchRequest, FetchTier } from './types.ts'

export interface StaticTierOptions {
  guard: Guard
  userAgent: () => string
  timeoutMs: number
  maxBytes: number
  maxRedirects: number
  followRedirects: boolean
  connectionsPerHost?: number
  /** Proxies of the configuration: they may be inside the house. */
  trustedProxies?: readonly string[]
}

/** Plain HTTP with pooled connections: the cheapest way, and the one tried first. */
export function createStaticTier(options: StaticTierOptions): FetchTier {
  const agents = new Map<string | null, Dispatcher>()
  const agentFor = (proxy: string | null): Dispatcher => {
    let agent = agents.get(proxy)
    if (agent === undefined) {
      agent = createAgent(options, proxy)
      agents.set(proxy, agent)
    }
    return agent
  }
  return {
    name: 'static',
    fetch: (request) =>
      followed(request, {
        ...options,
        tier: 'static',
        send: async (url, hop, limits) => {
          const response = await exchange(
            agentFor(request.proxy ?? null),
            url,
            headersFor(request, hop, options),
            limits,
            request.signal,
          )
          const encoding = response.headers['content-encoding']
          response.body = await decompress(response.body, encoding, limits.maxBytes)
          return response
        },
      }),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

function createAgent(options: StaticTierOptions, proxy: string | null): Dispatcher {
  const { guard, trustedProxies = [] } = options
  return new Agent({
    connect:
      proxy === null
        ? guard.connector
        : tunnelConnector(guard, { url: proxy, trusted: trustedProxies.includes(proxy) }),
    connections: options.connectionsPerHost ?? 16,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    allowH2: true,
  })
}

function headersFor(
  request: FetchRequest,
  hop: { first: boolean; cookie: string },
  options: StaticTierOptions,
): Record<string, string> {
  return {
    'user-agent': options.userAgent(),
    accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.5',
    'accept-encoding': acceptEncoding,
    'accept-language': 'nl,en;q=0.8',
    ...(hop.cookie !== '' && { cookie: hop.cookie }),
    ...(hop.first && request.etag && { 'if-none-match': request.etag }),
    ...(hop.first && request.lastModified && { 'if-modified-since': request.lastModified }),
    ...request.headers,
  }
}
