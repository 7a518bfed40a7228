import { request, type Dispatcher } from 'undici'
import { messageOf as errorMessage } from '../../kernel/errors.ts'
import type { ClaimedDelivery } from '../deliveries/claim.ts'
import { messageOf } from '../deliveries/message.ts'
import type { Attempt, Send, SendOptions } from './send.ts'
import { signedHeaders } from './signature.ts'
import type { Channel } from './store.ts'

export const defaultTimeoutMs = 10_000
const defaultConcurrency = 8
/** After this many failures in a row the rest of the batch waits. */
const enoughFailures = 3
const shortestPauseMs = 250
const longestPauseMs = 3_600_000

export interface WebhookOptions {
  /** Refuses private addresses at every connection. */
  dispatcher: Dispatcher
  /** Why this address may not be called, or null. */
  refuses: (url: string) => string | null
  userAgent: string
}

/** POSTs each message, several items at a time, the messages of one item one after the other. */
export function createWebhookSender(options: WebhookOptions): Send {
  return async (channel, batch, limits) => {
    const lanes = laneOf(batch)
    const attempts: Attempt[] = []
    let failuresInARow = 0
    let stop = false
    const workLanes = async (): Promise<void> => {
      for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
        for (const delivery of lane) {
          if (stop || isTooLate(channel, limits)) return
          const attempt = await post(channel, delivery, options, limits)
          attempts.push(attempt)
          failuresInARow = attempt.ok ? 0 : failuresInARow + 1
          stop ||=
            attempt.goneForGood || attempt.pauseMs !== null || failuresInARow >= enoughFailures
          // Later versions of the item wait for this one.
          if (!attempt.ok) break
        }
      }
    }
    const width = channel.config.concurrency ?? defaultConcurrency
    await Promise.all(Array.from({ length: width }, workLanes))
    return attempts
  }
}

function laneOf(batch: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const lanes = new Map<string, ClaimedDelivery[]>()
  for (const delivery of batch) {
    const lane = lanes.get(delivery.itemId)
    if (lane === undefined) lanes.set(delivery.itemId, [delivery])
    else lane.push(delivery)
  }
  return [...lanes.values()]
}

function isTooLate(channel: Channel, { now, deadline }: SendOptions): boolean {
  const timeoutMs = channel.config.timeout_ms ?? defaultTimeoutMs
  return now().getTime() + timeoutMs > deadline.getTime()
}

async function post(
  channel: Channel,
  delivery: ClaimedDelivery,
  options: WebhookOptions,
  { now }: SendOptions,
): Promise<Attempt> {
  const started = performance.now()
  const attempt: Attempt = {
    id: delivery.id,
    ok: false,
    error: null,
    responseCode: null,
    subscribers: null,
    tookMs: 0,
    pauseMs: null,
    goneForGood: false,
  }
  const took = (): number => Math.round(performance.now() - started)
  const url = channel.config.url ?? ''
  const refused = options.refuses(url)
  if (refused !== null) return { ...attempt, error: `the address ${refused}` }
  const message = messageOf(delivery)
  const body = JSON.stringify(message)
  try {
    const response = await request(url, {
      method: 'POST',
      dispatcher: options.dispatcher,
      body,
      headers: {
        ...channel.config.headers,
        'content-type': 'application/json',
        'user-agent': options.userAgent,
        ...signedHeaders(message.id, body, secretsOf(channel, now()), now()),
      },
      signal: AbortSignal.timeout(channel.config.timeout_ms ?? defaultTimeoutMs),
    })
    await response.body.dump({ limit: 64 * 1024 })
    const code = response.statusCode
    const ok = code >= 200 && code < 300
    return {
      ...attempt,
      ok,
      error: ok ? null : reasonOf(code),
      responseCode: code,
      tookMs: took(),
      pauseMs: pauseOf(code, response.headers['retry-after'], now()),
      goneForGood: code === 410,
    }
  } catch (error) {
    const slow = error instanceof Error && error.name === 'TimeoutError'
    return {
      ...attempt,
      error: slow ? 'no answer in time' : errorMessage(error) || 'connection closed',
      tookMs: took(),
    }
  }
}

function secretsOf(channel: Channel, now: Date): string[] {
  const old = channel.oldSecretUntil !== null && channel.oldSecretUntil > now
  return [channel.secret, old ? channel.oldSecret : null].filter((secret) => secret !== null)
}

function reasonOf(code: number): string {
  if (code >= 300 && code < 400)
    return `answered ${code}: redirects are not followed, change the address`
  return `answered ${code}`
}

/** Retry-After in seconds or as a date; 429 without one asks for a little pause as well. */
function pauseOf(code: number, header: string | string[] | undefined, now: Date): number | null {
  if (code !== 429 && code !== 503) return null
  const text = Array.isArray(header) ? header[0] : header
  const seconds = Number(text)
  const ms =
    text === undefined || text === ''
      ? NaN
      : Number.isFinite(seconds)
        ? seconds * 1000
        : Date.parse(text) - now.getTime()
  if (Number.isNaN(ms)) return code === 429 ? 1000 : null
  return Math.min(Math.max(ms, shortestPauseMs), longestPauseMs)
}
