import { transaction } from '../../db/pool.ts'
import type { Duty } from '../../db/leader.ts'
import { finishFollowUp, leaseFollowUps, postponeFollowUps } from '../../items/follow-ups.ts'
import { eventsToImprove, improveEvent, type EventToImprove } from '../../items/improve.ts'
import type { FieldChanges } from '../../items/types.ts'
import { startLoop } from '../../kernel/loop.ts'
import type { Question, Suggestion } from '../../normalize/ai/assistant.ts'
import { askForDates } from './ask-for-dates.ts'
import { consult, type EnrichDeps } from './consult-ai.ts'

const leaseMs = 5 * 60_000
const retryMs = 15 * 60_000
const maxAttempts = 3

/** Asks the AI where the rules were unsure. Nothing waits for it: items are already kept. */
export function startEnrichment(deps: EnrichDeps): Duty {
  return startLoop({
    name: 'AI enrichment',
    everyMs: 15_000,
    log: deps.log,
    runOnce: async (signal) => {
      const done = (await enrichOnce(deps, signal)) + (await askForDates(deps, signal))
      return done > 0 ? 'again' : undefined
    },
  })
}

/** One batch; gives how many items were improved. */
export async function enrichOnce(deps: EnrichDeps, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = deps
  const leased = await leaseFollowUps(sql, 'enrich', clock.now(), deps.batchSize ?? 10, leaseMs)
  if (leased.length === 0) return 0
  const events = new Map(
    (
      await eventsToImprove(
        sql,
        leased.map((one) => one.itemId),
      )
    ).map((event) => [event.id, event]),
  )
  const answer = await consult(deps, [...events.values()].map(questionOf), signal)
  if (answer.state === 'unavailable') {
    // Down, or out of budget: not the items' fault.
    await postponeFollowUps(sql, 'enrich', leased, {
      at: answer.until,
      countAttempt: false,
      maxAttempts,
    })
    return 0
  }
  const found = new Map(answer.suggestions.map((suggestion) => [suggestion.id, suggestion]))
  let improved = 0
  for (const one of leased) {
    const event = events.get(one.itemId)
    const suggestion = found.get(one.itemId)
    if (event === undefined || suggestion === undefined) {
      const at = new Date(clock.now().getTime() + retryMs)
      await postponeFollowUps(sql, 'enrich', [one], { at, countAttempt: true, maxAttempts })
      continue
    }
    await transaction(sql, async (tx) => {
      if (!(await finishFollowUp(tx, 'enrich', one))) return
      const fields = improvements(event, suggestion)
      if (
        Object.keys(fields).length > 0 &&
        (await improveEvent(tx, event, fields, 'hybrid', clock.now()))
      )
        improved++
    })
  }
  return improved
}

function questionOf(event: EventToImprove): Question {
  return {
    id: event.id,
    title: event.title,
    description: event.description.slice(0, 1500),
    context: `${event.venueName}, ${event.city ?? ''}, ${event.startsAt.toISOString().slice(0, 10)}`,
    wanted: [
      ...(event.categoryUnsure ? (['category'] as const) : []),
      ...(poor(event) ? (['description'] as const) : []),
    ],
  }
}

function improvements(event: EventToImprove, suggestion: Suggestion): FieldChanges {
  const fields: FieldChanges = {}
  if (
    event.categoryUnsure &&
    suggestion.category !== null &&
    suggestion.category !== event.category
  )
    fields['category'] = [event.category, suggestion.category]
  if (poor(event) && suggestion.description !== null)
    fields['description'] = [event.description, suggestion.description]
  return fields
}

function poor(event: EventToImprove): boolean {
  return event.description.length < 40
}
