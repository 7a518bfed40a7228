import type { Dispatcher } from 'undici'
import { MissedSlot, isOver, type Slot } from '../politeness/slot.ts'

export interface RawResponse {
  status: number
  headers: Record<string, string>
  setCookies: string[]
  body: Buffer
}

export interface ExchangeLimits {
  maxBytes: number
  totalMs: number
  idleMs: number
  /** Of the host: nothing is sent after it. */
  slot?: Slot | null
}

export class TooLarge extends Error {
  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes`)
    this.name = 'TooLarge'
  }
}

export class TotalTimeout extends Error {
  constructor(ms: number) {
    super(`no complete answer within ${ms} ms`)
    this.name = 'TotalTimeout'
  }
}

/**
 * One request, one response, collected in memory up to a limit. It uses undici's dispatch directly: streams and
 * fetch cost a third of the pages per second (see bench/README).
 */
export function exchange(
  dispatcher: Dispatcher,
  url: URL,
  headers: Record<string, string>,
  limits: ExchangeLimits,
  signal?: AbortSignal,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const slot = limits.slot ?? null
    const chunks: Buffer[] = []
    let bytes = 0
    let status = 0
    let responseHeaders: Record<string, string | string[]> = {}
    let abortRequest: ((reason: Error) => void) | null = null
    let failure: Error | null = null

    const fail = (error: Error): void => {
      failure ??= error
      abortRequest?.(error)
      finish(() => reject(failure ?? error))
    }
    const onAbort = (): void =>
      fail(signal?.reason instanceof Error ? signal.reason : new Error('stopped'))
    const timer = setTimeout(() => fail(new TotalTimeout(limits.totalMs)), limits.totalMs)
    let settled = false
    const finish = (settle: () => void): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    if (signal?.aborted) return onAbort()
    // Before a connection is given up for it.
    if (isOver(slot)) return fail(new MissedSlot())
    signal?.addEventListener('abort', onAbort, { once: true })

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers,
        headersTimeout: limits.idleMs,
        bodyTimeout: limits.idleMs,
      },
      {
        onRequestStart: (controller) => {
          abortRequest = (reason) => controller.abort(reason)
          if (failure !== null) return controller.abort(failure)
          if (isOver(slot)) return fail(new MissedSlot())
          slot?.used()
        },
        onResponseStart: (_controller, statusCode, received) => {
          status = statusCode
          responseHeaders = received as Record<string, string | string[]>
        },
        onResponseData: (_controller, chunk) => {
          bytes += chunk.length
          if (bytes > limits.maxBytes) fail(new TooLarge(limits.maxBytes))
          else chunks.push(chunk)
        },
        onResponseEnd: () =>
          finish(() =>
            resolve({
              status,
              ...flatten(responseHeaders),
              body: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks),
            }),
          ),
        onResponseError: (_controller, error) => finish(() => reject(failure ?? error)),
      },
    )
  })
}

function flatten(headers: Record<string, string | string[]>): {
  headers: Record<string, string>
  setCookies: string[]
} {
  const flat: Record<string, string> = {}
  let setCookies: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (key === 'set-cookie') setCookies = Array.isArray(value) ? value : [value]
    else flat[key] = Array.isArray(value) ? value.join(', ') : value
  }
  return { headers: flat, setCookies }
}
