import { mayTry, recordOutcomes } from '../../breakers/store.ts'
import { transaction, type Sql } from '../../db/pool.ts'
import type { Duty } from '../../db/leader.ts'
import { storeEmbeddings } from '../../items/dedup/embeddings.ts'
import { enqueueDedup } from '../../items/dedup/queue.ts'
import { finishFollowUp, leaseFollowUps, postponeFollowUps } from '../../items/follow-ups.ts'
import { eventsToImprove } from '../../items/improve.ts'
import type { Clock } from '../../kernel/clock.ts'
import { messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import type { Assistant } from '../../normalize/ai/assistant.ts'

export interface EmbedDeps {
  sql: Sql
  clock: Clock
  log: Log
  assistant: Pick<Assistant, 'model' | 'embed'>
}

export const embeddingsBreaker = { kind: 'service', key: 'embeddings' } as const

const batch = 64
const leaseMs = 5 * 60_000
const retryMs = 15 * 60_000

/** Vectors of a real model for kept events; until they exist the local ones decide about duplicates. */
export function startEmbedding(deps: EmbedDeps): Duty {
  return startLoop({
    name: 'embeddings',
    everyMs: 15_000,
    log: deps.log,
    runOnce: async (signal) => ((await embedOnce(deps, signal)) > 0 ? 'again' : undefined),
  })
}

export async function embedOnce(
  { sql, clock, log, assistant }: EmbedDeps,
  signal?: AbortSignal,
): Promise<number> {
  if ((await mayTry(sql, embeddingsBreaker.kind, embeddingsBreaker.key, clock.now())) === 'open')
    return 0
  const leased = await leaseFollowUps(sql, 'embed', clock.now(), batch, leaseMs)
  if (leased.length === 0) return 0
  const events = await eventsToImprove(
    sql,
    leased.map((one) => one.itemId),
  )
  try {
    const vectors = await assistant.embed(
      events.map(
        (event) =>
          `${event.title}. ${event.venueName}, ${event.city ?? ''}. ${event.description.slice(0, 300)}`,
      ),
      signal,
    )
    await recordOutcomes(sql, [{ ...embeddingsBreaker, ok: true }], clock.now())
    await transaction(sql, async (tx) => {
      for (const one of leased) await finishFollowUp(tx, 'embed', one)
      const items = events.flatMap(({ id }, index) => {
        const vector = vectors[index]
        return vector === undefined ? [] : [{ id, vector }]
      })
      await storeEmbeddings(tx, assistant.model, items, clock.now())
      await enqueueDedup(
        tx,
        'calendar_event',
        events.map((event) => ({ itemId: event.id, sourceId: event.sourceId })),
      )
    })
    return leased.length
  } catch (error) {
    log.info({ reason: messageOf(error) }, 'embeddings not available; local vectors decide')
    await recordOutcomes(
      sql,
      [{ ...embeddingsBreaker, ok: false, error: messageOf(error) }],
      clock.now(),
    )
    const at = new Date(clock.now().getTime() + retryMs)
    await postponeFollowUps(sql, 'embed', leased, { at, countAttempt: false, maxAttempts: 1000 })
    return 0
  }
}
