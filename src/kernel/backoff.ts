export interface BackoffOptions {
  baseMs: number
  maxMs: number
  /** 0 keeps the exact value; 0.2 spreads it by up to 20 % either way. */
  jitter?: number
  random?: () => number
}

/** The wait before attempt `attempt + 1`: base × 2^(attempt − 1), capped; attempts count from 1. */
export function backoffMs(attempt: number, options: BackoffOptions): number {
  const exponent = Math.min(Math.max(attempt, 1) - 1, 40)
  const exact = Math.min(options.baseMs * 2 ** exponent, options.maxMs)
  const jitter = options.jitter ?? 0
  if (jitter === 0) return exact
  const random = options.random ?? Math.random
  return Math.round(Math.min(exact * (1 + jitter * (2 * random() - 1)), options.maxMs))
}
