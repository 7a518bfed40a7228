import { backoffMs } from '../../kernel/backoff.ts'
import type { Attempt } from '../channels/send.ts'
import type { Channel, ChannelKind } from '../channels/store.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { ChannelOutcome, Delivered, Undelivered } from './finish.ts'

export interface DeliveryPolicy {
  /** Attempts of one delivery before it is given up while others get through. */
  maxAttempts: number
  retry: { baseMs: number; maxMs: number; jitter: number }
  /** Failures in a row after which the channel as a whole pauses. */
  pauseAfter: number
  pause: { baseMs: number; maxMs: number }
  /** Failures in a row, and how long they must have lasted, before the channel is switched off; null: never. */
  disableAfter: { failures: number; lastingMs: number } | null
  /** Failures in a row after which somebody is told. */
  alertAfter: number
}

/** Redis comes back by itself and is only waited for; a webhook that stays broken is switched off. */
export function defaultPolicy(kind: ChannelKind): DeliveryPolicy {
  const webhook = kind === 'webhook'
  return {
    maxAttempts: 12,
    retry: { baseMs: 5000, maxMs: 6 * 3_600_000, jitter: 0.1 },
    pauseAfter: webhook ? 3 : 1,
    pause: webhook ? { baseMs: 1000, maxMs: 300_000 } : { baseMs: 250, maxMs: 5000 },
    disableAfter: webhook ? { failures: 30, lastingMs: 3_600_000 } : null,
    alertAfter: 10,
  }
}

export interface Verdict {
  delivered: Delivered[]
  undelivered: Undelivered[]
  channel: ChannelOutcome
  alert: { kind: 'disabled' | 'failing'; details: Record<string, unknown> } | null
}

/** What follows from a round of attempts, for each delivery and for the channel. */
export function judgeAttempts(
  channel: Channel,
  attempts: readonly Attempt[],
  batch: ReadonlyMap<string, ClaimedDelivery>,
  policy: DeliveryPolicy,
  now: Date,
): Verdict {
  const delivered: Delivered[] = []
  const failed: Attempt[] = []
  let failures = channel.failures
  for (const attempt of attempts) {
    failures = attempt.ok ? 0 : failures + 1
    if (!attempt.ok) failed.push(attempt)
    else
      delivered.push({
        id: attempt.id,
        attempt: attemptNumber(attempt, batch),
        responseCode: attempt.responseCode,
        subscribers: attempt.subscribers,
      })
  }
  const pausing = failures >= policy.pauseAfter
  const failingSince =
    failures === 0 ? null : delivered.length > 0 ? now : (channel.failingSince ?? now)
  const lastError = failed.at(-1)?.error ?? null
  const disabledReason = reasonToDisable(failed, failures, failingSince, policy, now)
  return {
    delivered,
    undelivered: failed.map((attempt) => {
      const number = attemptNumber(attempt, batch)
      return {
        id: attempt.id,
        attempt: number,
        error: attempt.error ?? 'failed',
        responseCode: attempt.responseCode,
        tookMs: attempt.tookMs,
        nextAttemptAt: nextAttempt(attempt, number, pausing, policy, now),
      }
    }),
    channel: {
      failures,
      failingSince,
      resumeAt: resumeTime(failed, failures, policy, now),
      lastError,
      delivered: delivered.length > 0,
      disabledReason,
    },
    alert: alertFor(disabledReason, failures, lastError, policy),
  }
}

function attemptNumber(attempt: Attempt, batch: ReadonlyMap<string, ClaimedDelivery>): number {
  return (batch.get(attempt.id)?.attempts ?? 0) + 1
}

/** While the whole channel fails its deliveries wait; only one that fails among successes is given up. */
function nextAttempt(
  attempt: Attempt,
  number: number,
  pausing: boolean,
  policy: DeliveryPolicy,
  now: Date,
): Date | null {
  // The channel's own pause decides; the delivery is due when that ends.
  if (pausing || attempt.pauseMs !== null || attempt.goneForGood) return now
  if (number >= policy.maxAttempts) return null
  return new Date(now.getTime() + backoffMs(number, policy.retry))
}

function resumeTime(
  failed: readonly Attempt[],
  failures: number,
  policy: DeliveryPolicy,
  now: Date,
): Date | null {
  const asked = Math.max(0, ...failed.map((attempt) => attempt.pauseMs ?? 0))
  const own =
    failures >= policy.pauseAfter ? backoffMs(failures - policy.pauseAfter + 1, policy.pause) : 0
  const ms = Math.max(asked, own)
  return ms === 0 ? null : new Date(now.getTime() + ms)
}

function reasonToDisable(
  failed: readonly Attempt[],
  failures: number,
  failingSince: Date | null,
  policy: DeliveryPolicy,
  now: Date,
): string | null {
  if (failed.some((attempt) => attempt.goneForGood)) return 'the receiver answered 410: gone'
  const limit = policy.disableAfter
  if (limit === null || failingSince === null || failures < limit.failures) return null
  if (now.getTime() - failingSince.getTime() < limit.lastingMs) return null
  return `${failures} failures in a row`
}

function alertFor(
  disabledReason: string | null,
  failures: number,
  lastError: string | null,
  policy: DeliveryPolicy,
): Verdict['alert'] {
  const details = { failures, last_error: lastError }
  if (disabledReason !== null)
    return { kind: 'disabled', details: { ...details, reason: disabledReason } }
  return failures >= policy.alertAfter ? { kind: 'failing', details } : null
}
