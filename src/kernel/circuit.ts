export type CircuitState = 'closed' | 'open' | 'half_open'

export interface CircuitOptions {
  /** Failures in a row that open it. */
  failures: number
  cooldownMs: number
  /** Successes in a row while half open that close it again. */
  successes: number
  now?: () => number
  onChange?: (state: CircuitState) => void
}

/** A breaker for one outside service, in this process: while it is open nobody waits for a dead service. */
export interface Circuit {
  readonly state: CircuitState
  /** True when a call may be tried now. */
  allows(): boolean
  succeeded(): void
  failed(): void
}

export function createCircuit(options: CircuitOptions): Circuit {
  const now = options.now ?? Date.now
  let state: CircuitState = 'closed'
  let failures = 0
  let successes = 0
  let openedAt = 0

  const become = (next: CircuitState): void => {
    if (state === next) return
    state = next
    options.onChange?.(next)
  }
  return {
    get state() {
      return state
    },
    allows: () => {
      if (state !== 'open') return true
      if (now() - openedAt < options.cooldownMs) return false
      successes = 0
      become('half_open')
      return true
    },
    succeeded: () => {
      failures = 0
      successes++
      if (state === 'half_open' && successes >= options.successes) become('closed')
    },
    failed: () => {
      failures++
      if (state === 'half_open' || failures >= options.failures) {
        openedAt = now()
        become('open')
      }
    },
  }
}
