import { setPayloads, takeUnasked } from '../../deadletters/store.ts'
import { transaction } from '../../db/pool.ts'
import type { RawItem } from '../../extract/types.ts'
import { consult, type EnrichDeps } from './consult-ai.ts'
import { normalizeStage } from './refine-items.ts'
import { retryChosen } from './retry-dead-letters.ts'

/** Events without a readable date: the AI may find it in the text. Then they are refined again with it. */
export async function askForDates(deps: EnrichDeps, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = deps
  const letters = await takeUnasked(sql, normalizeStage, 'no_date', deps.batchSize ?? 10)
  const questions = letters.flatMap((letter) => {
    const item = letter.payload['item'] as RawItem | undefined
    if (
      item === undefined ||
      (item.description ?? '').length + (item.calendar?.start ?? '').length < 10
    )
      return []
    return [
      {
        id: letter.id,
        title: item.title,
        description: (item.description ?? '').slice(0, 1500),
        context: [
          item.calendar?.start,
          item.calendar?.timeText,
          `read on ${letter.createdAt.toISOString().slice(0, 10)}`,
        ]
          .filter((part) => typeof part === 'string')
          .join('; '),
        wanted: ['date' as const],
      },
    ]
  })
  if (letters.length === 0) return 0
  const answer = await consult(deps, questions, signal)
  if (answer.state === 'unavailable') return 0
  const dates = new Map(answer.suggestions.map((suggestion) => [suggestion.id, suggestion.date]))
  const asked = letters.map((letter) => {
    const item = letter.payload['item'] as RawItem
    const date = dates.get(letter.id) ?? null
    const dated =
      date === null || item.calendar === null
        ? item
        : { ...item, calendar: { ...item.calendar, start: date } }
    return {
      id: letter.id,
      payload: { ...letter.payload, item: dated, ai_asked: true, ai_date: date },
    }
  })
  await transaction(sql, (tx) => setPayloads(tx, asked))
  const found = asked.filter(({ payload }) => payload.ai_date !== null).map(({ id }) => id)
  if (found.length > 0) await retryChosen({ sql, clock }, { ids: found })
  return found.length
}
