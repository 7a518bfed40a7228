import { mayTry, recordOutcomes } from '../../breakers/store.ts'
import type { Duty } from '../../db/leader.ts'
import type { Sql } from '../../db/pool.ts'
import { backoffMs } from '../../kernel/backoff.ts'
import type { Clock } from '../../kernel/clock.ts'
import { messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import { slackBody, webhookBody } from '../../notify/message.ts'
import {
  claimNotifications,
  settleNotification,
  targets,
  type Notification,
  type Target,
} from '../../notify/outbox.ts'
import { signedHeaders } from '../../publish/channels/signature.ts'

export interface NotifyDeps {
  sql: Sql
  clock: Clock
  log: Log
  /** Passes the guard against private addresses. */
  fetch: typeof fetch
  urls: Partial<Record<Target, string>>
  /** Signs what goes to the webhook. */
  secret: string | null
  userAgent: string
  timeoutMs?: number
}

const everyMs = 5_000
const atOnce = 10
const leaseMs = 2 * 60_000
const maxAttempts = 12
const retry = { baseMs: 15_000, maxMs: 3_600_000, jitter: 0.2 }
const defaultTimeoutMs = 10_000
/** A webhook that is away is asked again soon: its circuit is for storms, not for hours of silence. */
const circuit = { failures: 5, baseCooldownMinutes: 1, maxCooldownMinutes: 30, probeMinutes: 2 }

export function startNotifying(deps: NotifyDeps): Duty {
  return startLoop({
    name: 'notifications',
    everyMs,
    log: deps.log,
    runOnce: async () => {
      for (const target of targets) await notifyOnce(deps, target)
    },
  })
}

/** Sends what is due to one target; gives how many were tried. */
export async function notifyOnce(deps: NotifyDeps, target: Target): Promise<number> {
  const { sql, clock, log } = deps
  const url = deps.urls[target]
  if (url === undefined) return 0
  const now = clock.now()
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const key = `notify ${target}`
  const state = await mayTry(sql, 'service', key, now, circuit)
  if (state === 'open') return 0
  const limit = state === 'probe' ? 1 : atOnce
  const claimed = await claimNotifications(sql, target, { now, leaseUntil, limit })
  for (const notification of claimed) {
    const error = await send(deps, url, notification)
    const at = clock.now()
    const last = notification.attempts >= maxAttempts
    const retryAt = new Date(at.getTime() + backoffMs(notification.attempts, retry))
    const sent = { ok: error === null, error, retryAt: error === null || last ? null : retryAt }
    await settleNotification(sql, notification, sent, at)
    await recordOutcomes(sql, [{ kind: 'service', key, ok: error === null, error }], at, circuit)
    if (error !== null)
      log[last ? 'error' : 'info'](
        { target, attempt: notification.attempts, reason: error },
        last ? 'notification given up' : 'notification not delivered, trying again',
      )
  }
  return claimed.length
}

/** The address is a secret: errors name the target, never where it is. */
async function send(
  deps: NotifyDeps,
  url: string,
  { id, target, message, created_at: createdAt }: Notification,
): Promise<string | null> {
  const body = JSON.stringify(
    target === 'slack' ? slackBody(message) : webhookBody(message, createdAt),
  )
  const signed =
    target === 'webhook' && deps.secret !== null
      ? signedHeaders(id, body, [deps.secret], deps.clock.now())
      : { 'webhook-id': id }
  try {
    const response = await deps.fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': deps.userAgent, ...signed },
      signal: AbortSignal.timeout(deps.timeoutMs ?? defaultTimeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `answered ${response.status}`
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return messageOf(cause).replaceAll(url, 'the address')
  }
}
