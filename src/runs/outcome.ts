import { Permanent, RetryLater, codeOf, messageOf } from '../kernel/errors.ts'
import type { ClaimedRun, Outcome, RunResult } from './types.ts'
import type { Usage } from './usage.ts'

export interface RetryRule {
  maxRetries: number
  backoffSeconds: number
}

/** The wait before retry number n, or null when the tries are used up. */
export type RetryDelay = (retry: number, rule: RetryRule) => number | null

const maxStackLength = 8_000

export function completed(run: ClaimedRun, result: RunResult, usage: Usage | null): Outcome {
  const { itemsSeen, itemsNew } = result
  return {
    ...held(run, usage),
    status: 'completed',
    ...(result.itemsCrawled !== undefined && { items_crawled: result.itemsCrawled }),
    ...(result.itemsIndexed !== undefined && { items_indexed: result.itemsIndexed }),
    ...((result.counters !== undefined || itemsSeen !== undefined || itemsNew !== undefined) && {
      counters: {
        ...result.counters,
        ...(itemsSeen !== undefined && { items_seen: itemsSeen }),
        ...(itemsNew !== undefined && { items_new: itemsNew }),
      },
    }),
    ...(result.contentHash !== undefined && { content_hash: result.contentHash }),
    ...(result.metadata !== undefined && { metadata: result.metadata }),
  }
}

/** What an error means next: a permanent one ends the run, any other is tried again while retries are left. */
export function failed(
  run: ClaimedRun,
  error: unknown,
  usage: Usage | null,
  retryDelay: RetryDelay,
  now: Date,
): Outcome {
  if (isOurOutage(error))
    return handedBack(run, usage, `our database was away: ${messageOf(error)}`)
  const rule = { maxRetries: run.maxRetries, backoffSeconds: run.retryBackoffSeconds }
  const wait = error instanceof Permanent ? null : retryDelay(run.retryCount + 1, rule)
  const reason = messageOf(error)
  const report: Outcome = {
    ...held(run, usage),
    status: wait === null ? 'failed' : 'pending',
    reason,
    error_message: reason,
    ...(error instanceof Error &&
      error.stack !== undefined && { stack_trace: error.stack.slice(0, maxStackLength) }),
    ...(error instanceof Permanent && { metadata: { ...run.metadata, permanent: true } }),
  }
  if (wait === null) return report
  const asked = error instanceof RetryLater ? (error.retryAfterMs ?? 0) : 0
  return {
    ...report,
    retries: 1,
    run_at: new Date(now.getTime() + Math.max(wait, asked)).toISOString(),
  }
}

/** Our own database going away says nothing about the source and costs it no retry. */
function isOurOutage(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (/^(CONNECTION_(CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT|57P0[123]|08...)$/.test(code))
    return true
  // A refused connection is a plain error of the system; one to the database carries the query it was for.
  return /^E[A-Z_]+$/.test(code) && typeof error === 'object' && error !== null && 'query' in error
}

/** The run goes on elsewhere, at its old place in the queue, with all its retries. */
export function handedBack(run: ClaimedRun, usage: Usage | null, reason: string): Outcome {
  return { ...held(run, usage), status: 'pending', retries: 0, reason }
}

function held(run: ClaimedRun, usage: Usage | null): Pick<Outcome, 'id' | 'token'> {
  return {
    id: run.id,
    token: run.leaseToken,
    ...(usage !== null && { cpu_time_ms: usage.cpuMs, memory_peak_mb: usage.memoryPeakMb }),
  }
}
