import {
  defaultBreakerRules,
  getBreaker,
  mayTry,
  recordOutcomes,
  type BreakerOutcome,
} from '../../breakers/store.ts'
import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'

/** The circuits of the hosts one run visits. */
export interface HostCircuits {
  /** Null when the host may be asked; else until when it may not. */
  closedUntil(host: string): Promise<Date | null>
  /** How a URL ended: null for content. */
  record(host: string, reason: string | null, detail?: string): void
  /** A URL of the host is done with, whatever came of it: nobody waits for its answer any more. */
  settled(host: string): void
  /** Writes what was recorded; returns the hosts whose circuit opened by it. */
  save(): Promise<string[]>
}

/**
 * How much each kind of failure says about a host. Names and certificates do not mend by asking again; a refusal is
 * meant; the rest may pass. What is not listed is an answer: the host works.
 */
const weights: Record<string, number> = {
  dns: 5,
  tls: 5,
  blocked: 2,
  timeout: 1,
  refused: 1,
  rate_limited: 1,
  http_5xx: 1,
}
/** Our own doing, not the host's. */
const neutral = new Set(['private_address', 'unparsable', 'stopped', 'robots'])

interface Known {
  state: 'closed' | 'probe' | 'open'
  until: Date | null
  /** Set once the first answer is in: with a probe, the others wait for it. */
  answered: Promise<void>
  answer: () => void
  /** Whether success is news. */
  troubled: boolean
}

export function createHostCircuits(deps: { sql: Sql; clock: Clock }): HostCircuits {
  const hosts = new Map<string, Promise<Known>>()
  const ready = new Map<string, Known>()
  let pending: BreakerOutcome[] = []
  let opened: string[] = []

  const write = async (): Promise<void> => {
    const outcomes = merged(pending.splice(0))
    if (outcomes.length === 0) return
    for (const breaker of await recordOutcomes(deps.sql, outcomes, deps.clock.now())) {
      opened.push(breaker.key)
      const known = ready.get(breaker.key)
      if (known !== undefined) Object.assign(known, { state: 'open', until: breaker.cooldownUntil })
    }
  }
  const unwritten = (host: string): number =>
    pending.reduce((sum, outcome) => sum + (outcome.key === host ? (outcome.weight ?? 0) : 0), 0)

  const look = async (host: string): Promise<Known> => {
    const state = await mayTry(deps.sql, 'host', host, deps.clock.now())
    const breaker = state === 'closed' ? null : await getBreaker(deps.sql, 'host', host)
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const known = {
      state,
      until: breaker?.cooldownUntil ?? null,
      answered,
      answer,
      troubled: true,
    }
    ready.set(host, known)
    return known
  }

  return {
    closedUntil: async (host) => {
      const first = !hosts.has(host)
      if (first) hosts.set(host, look(host))
      const known = await hosts.get(host)
      if (known === undefined) return null
      if (known.state === 'probe' && !first) await known.answered
      // Enough to open it: a fast host must not be asked a hundred times more before the next batch is written.
      if (unwritten(host) >= defaultBreakerRules.failures) await write()
      return known.state === 'open' ? (known.until ?? deps.clock.now()) : null
    },
    record: (host, reason, detail) => {
      if (reason !== null && neutral.has(reason)) return
      const known = ready.get(host)
      const weight = reason === null ? 0 : (weights[reason] ?? 0)
      if (weight === 0) {
        // Failures before a success do not count any more.
        pending = pending.filter((outcome) => outcome.key !== host)
        if (known?.troubled !== false) pending.push({ kind: 'host', key: host, ok: true })
        if (known !== undefined) known.troubled = false
      } else {
        const error = `${reason}: ${detail ?? ''}`.slice(0, 300)
        pending.push({ kind: 'host', key: host, ok: false, error, weight })
        if (known !== undefined) known.troubled = true
      }
      if (known?.state === 'probe') known.state = weight === 0 ? 'closed' : 'open'
      known?.answer()
    },
    settled: (host) => ready.get(host)?.answer(),
    save: async () => {
      await write()
      const hostsOpened = opened
      opened = []
      return hostsOpened
    },
  }
}

/** Failures of one host become one, as heavy as all of them. */
function merged(outcomes: readonly BreakerOutcome[]): BreakerOutcome[] {
  const failures = new Map<string, BreakerOutcome>()
  for (const outcome of outcomes) {
    if (outcome.ok) continue
    const weight = (failures.get(outcome.key)?.weight ?? 0) + (outcome.weight ?? 1)
    failures.set(outcome.key, { ...outcome, weight })
  }
  return [...outcomes.filter((outcome) => outcome.ok), ...failures.values()]
}
