import { backoffMs } from '../kernel/backoff.ts'

export interface RetryRule {
  maxRetries: number
  /** The wait before the first retry; it doubles with each further one. */
  backoffSeconds: number
}

export const defaultRetryRule: RetryRule = { maxRetries: 3, backoffSeconds: 60 }

const longestWaitMs = 3_600_000
/** Spreads retries of many runs that failed together. */
const jitter = 0.1

/** How long to wait before retry number `retry` (from 1), or null when the tries are used up. */
export function retryDelayMs(
  retry: number,
  rule: RetryRule,
  random: () => number = Math.random,
): number | null {
  if (retry > rule.maxRetries) return null
  return backoffMs(retry, {
    baseMs: rule.backoffSeconds * 1000,
    maxMs: longestWaitMs,
    jitter,
    random,
  })
}
