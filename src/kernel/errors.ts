// A thrown class says what happens next; an expected outcome is a return value instead.

/** The same work may succeed later: try again, not before `retryAfterMs` when it is known. */
export class RetryLater extends Error {
  readonly retryAfterMs: number | null
  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, { cause: options.cause })
    this.name = 'RetryLater'
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/** The same work will fail again: do not repeat it. */
export class Permanent extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'Permanent'
  }
}

/** The program cannot go on, and the operator has to act: the message says how. */
export class Stop extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'Stop'
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ')
  }
  return error instanceof Error ? error.message : String(error)
}

/** The short machine-readable code of a system or database error, such as ECONNREFUSED or 23505. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
