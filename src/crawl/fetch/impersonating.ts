import { Impit, type ImpitResponse } from 'impit'
import { MissedSlot, useSlot } from '../politeness/slot.ts'
import { TooLarge, TotalTimeout, type ExchangeLimits, type RawResponse } from './exchange.ts'
import { followed } from './follow.ts'
import type { Guard } from './guard.ts'
import { refusalHeader } from './guarded-proxy.ts'
import type { Relays } from './relays.ts'
import type { FetchRequest, FetchTier, TierName } from './types.ts'

export interface ImpersonatingTierOptions {
  guard: Guard
  relays: Relays
  timeoutMs: number
  maxBytes: number
  maxRedirects: number
  followRedirects: boolean
}

/** HTTP with the TLS handshake, header order and headers of Chrome, for sites that look at those. */
export function createImpersonatingTier(
  options: ImpersonatingTierOptions,
  tier: TierName = 'impersonating',
): FetchTier {
  const clients = new Map<string, Impit>()
  const clientFor = async (proxy: string | null): Promise<Impit> => {
    const proxyUrl = await options.relays.urlFor(proxy)
    let client = clients.get(proxyUrl)
    if (client === undefined) {
      client = new Impit({ browser: 'chrome142', proxyUrl, followRedirects: false })
      clients.set(proxyUrl, client)
    }
    return client
  }
  return {
    name: tier,
    fetch: (request) =>
      followed(request, {
        ...options,
        tier,
        send: async (url, hop, limits) => {
          // Asked here too, because a refusal inside a tunnel does not say why.
          await options.guard.resolve(url.hostname, portOf(url))
          const client = await clientFor(request.proxy ?? null)
          return answerOf(client, url, headersFor(request, hop), limits, request.signal)
        },
      }),
    close: async () => clients.clear(),
  }
}

async function answerOf(
  client: Impit,
  url: URL,
  headers: Record<string, string>,
  limits: ExchangeLimits,
  signal: AbortSignal | undefined,
): Promise<RawResponse> {
  const started = performance.now()
  const limit = AbortSignal.timeout(Math.ceil(limits.totalMs))
  try {
    useSlot(limits.slot ?? null)
    const response = await client.fetch(url.href, {
      headers,
      timeout: Math.ceil(limits.totalMs),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    const refusal = response.headers.get(refusalHeader)
    if (refusal !== null)
      throw Object.assign(new Error(`${url.host}: ${refusal}`), { code: codes[refusal] })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers.entries()),
      setCookies: response.headers.getSetCookie(),
      body: await readBody(response, limits.maxBytes),
    }
  } catch (error) {
    if (error instanceof MissedSlot) throw error
    // The client has a clock of its own, a little ahead of ours, and calls it a broken body when it rings in one.
    const outOfTime = performance.now() - started >= limits.totalMs * 0.99
    if (limit.aborted || outOfTime || (error instanceof Error && /Timeout/.test(error.name)))
      throw new TotalTimeout(limits.totalMs)
    throw coded(error)
  }
}

/** The body arrives decompressed, so the limit counts what a bomb unfolds to. */
async function readBody(response: ImpitResponse, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      response.abort()
      throw new TooLarge(maxBytes)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const codes: Record<string, string> = {
  private_address: 'PRIVATE_ADDRESS',
  dns: 'ENOTFOUND',
  refused: 'ECONNREFUSED',
  timeout: 'ETIMEDOUT',
  tls: 'EPROTO',
}

/** Gives the client's errors the codes that the rest of the crawler knows. */
function coded(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error
  if (/certificate|tls|ssl/i.test(error.message)) return Object.assign(error, { code: 'EPROTO' })
  if (/^(Connect|Proxy|Network|Read|Write|Close)/.test(error.name))
    return Object.assign(error, { code: 'ECONNRESET' })
  return error
}

function headersFor(
  request: FetchRequest,
  hop: { first: boolean; cookie: string },
): Record<string, string> {
  return {
    'accept-language': 'nl,en;q=0.8',
    ...(hop.cookie !== '' && { cookie: hop.cookie }),
    ...(hop.first && request.etag && { 'if-none-match': request.etag }),
    ...(hop.first && request.lastModified && { 'if-modified-since': request.lastModified }),
    ...request.headers,
  }
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80))
}
