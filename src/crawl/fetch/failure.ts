import { codeOf, messageOf } from '../../kernel/errors.ts'
import { TooLarge, TotalTimeout } from './exchange.ts'
import type { FailureKind } from './types.ts'

const byCode: Record<string, FailureKind> = {
  PRIVATE_ADDRESS: 'private_address',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  EPIPE: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  PROXY_FAILED: 'refused',
  UND_ERR_SOCKET: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  EPROTO: 'tls',
}

/** Names what went wrong below HTTP. */
export function failureOf(error: unknown, aborted: boolean): { kind: FailureKind; detail: string } {
  const detail = messageOf(error)
  if (error instanceof TooLarge) return { kind: 'too_large', detail }
  if (error instanceof TotalTimeout) return { kind: 'timeout', detail }
  if (aborted) return { kind: 'stopped', detail: 'the run was stopped' }
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : null) ?? ''
  const kind =
    byCode[code] ??
    (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|HOSTNAME)/.test(code)
      ? 'tls'
      : 'bad_response')
  return { kind, detail: code === '' ? detail : `${code}: ${detail}` }
}

/** Names what an HTTP status means for us; null when the response is usable. */
export function statusFailure(status: number): FailureKind | null {
  if (status === 304 || (status >= 200 && status < 300)) return null
  if (status === 404 || status === 410) return 'gone'
  if (status === 429) return 'rate_limited'
  if (status === 401 || status === 403 || status === 451) return 'blocked'
  if (status >= 500) return 'http_5xx'
  return status >= 400 ? 'http_4xx' : 'bad_response'
}

/** Retry-After in milliseconds, as seconds or as a date; an hour at most is believed. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  if (Number.isNaN(seconds)) return null
  return Math.min(Math.max(seconds, 0), 3600) * 1000
}
