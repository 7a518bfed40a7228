import { mayTry, recordOutcomes } from '../../breakers/store.ts'
import type { Sql } from '../../db/pool.ts'
import { countAiUsage, spendAiRequest } from '../../items/improve.ts'
import type { Clock } from '../../kernel/clock.ts'
import { messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Assistant, Question, Suggestion } from '../../normalize/ai/assistant.ts'

export interface EnrichDeps {
  sql: Sql
  clock: Clock
  log: Log
  assistant: Assistant
  /** Requests a day. */
  budget: number
  batchSize?: number
}

export const aiBreaker = { kind: 'service', key: 'ai' } as const

const retryMs = 15 * 60_000

export type Answer =
  { state: 'answered'; suggestions: Suggestion[] } | { state: 'unavailable'; until: Date }

/** One request, if the circuit and the budget allow it. Nonsense is discarded and counted, and is not an outage. */
export async function consult(
  deps: EnrichDeps,
  questions: readonly Question[],
  signal?: AbortSignal,
): Promise<Answer> {
  const { sql, clock } = deps
  const later = new Date(clock.now().getTime() + retryMs)
  if (questions.length === 0) return { state: 'answered', suggestions: [] }
  if ((await mayTry(sql, aiBreaker.kind, aiBreaker.key, clock.now())) === 'open')
    return { state: 'unavailable', until: later }
  if (!(await spendAiRequest(sql, clock.now(), deps.budget)))
    return { state: 'unavailable', until: tomorrow(clock.now()) }
  try {
    const { suggestions, tokens, discarded } = await deps.assistant.ask(questions, signal)
    await recordOutcomes(sql, [{ ...aiBreaker, ok: true }], clock.now())
    await countAiUsage(sql, clock.now(), { tokens, discarded })
    if (discarded > 0)
      deps.log.info(
        { discarded, asked: questions.length },
        'AI answers that did not fit were discarded',
      )
    return { state: 'answered', suggestions }
  } catch (error) {
    // A question that we broke off ourselves says nothing about the service.
    if (signal?.aborted === true) return { state: 'unavailable', until: clock.now() }
    deps.log.info({ reason: messageOf(error) }, 'AI not available; rules stand')
    await recordOutcomes(sql, [{ ...aiBreaker, ok: false, error: messageOf(error) }], clock.now())
    return { state: 'unavailable', until: later }
  }
}

function tomorrow(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}
