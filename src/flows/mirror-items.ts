import { mayTry, recordOutcomes, type BreakerRules } from '../breakers/store.ts'
import type { Duty } from '../db/leader.ts'
import { transaction, type Sql } from '../db/pool.ts'
import { resolveRetried, writeDeadLetters } from '../deadletters/store.ts'
import { backoffMs } from '../kernel/backoff.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'
import type { BulkAction, BulkOutcome, Elastic } from '../mirror/elastic.ts'
import {
  dueItems,
  postponeItems,
  queueEverything,
  settleItems,
  startMirror,
  type QueuedItem,
} from '../mirror/store.ts'

export interface MirrorDeps {
  sql: Sql
  clock: Clock
  log: Log
  elastic: Elastic
}

export const mirrorStage = 'mirror'
const service = 'elasticsearch'
const everyMs = 2_000
const batchSize = 500
const maxAttempts = 5
const retry = { baseMs: 5_000, maxMs: 10 * 60_000, jitter: 0.2 }
/** A search server is back in minutes; meanwhile the queue only grows. */
const rules: BreakerRules = {
  failures: 5,
  baseCooldownMinutes: 1,
  maxCooldownMinutes: 30,
  probeMinutes: 2,
}

/** Keeps a copy of every item in Elasticsearch or OpenSearch. It follows behind: nothing ever waits for it. */
export async function startMirroring(deps: MirrorDeps): Promise<Duty> {
  const known = new Set<string>()
  let queued = false
  return startLoop({
    name: 'search mirror',
    everyMs,
    log: deps.log,
    runOnce: async () => {
      if (!queued && (await startMirror(deps.sql, deps.clock.now())))
        await queueEverything(deps.sql)
      queued = true
      return (await mirrorOnce(deps, known)) > 0 ? 'again' : undefined
    },
  })
}

/** One bulk request; gives the number of items that are done with. */
export async function mirrorOnce(deps: MirrorDeps, known: Set<string>): Promise<number> {
  const { sql, clock, elastic } = deps
  if ((await mayTry(sql, 'service', service, clock.now(), rules)) === 'open') return 0
  const items = await dueItems(sql, clock.now(), batchSize)
  if (items.length === 0) return 0
  const steps = items.flatMap(actionsOf)
  for (const index of new Set(
    steps.flatMap(({ action }) => (action.document ? action.index : [])),
  )) {
    if (known.has(index)) continue
    const made = await elastic.ensureIndex(index)
    if (!made.ok) return postponeAll(deps, items, made.error ?? '', null)
    known.add(index)
  }
  // Items that came and went before they were ever sent.
  if (steps.length === 0) return settle(deps, items, new Map())
  const result = await elastic.bulk(steps.map(({ action }) => action))
  if (!result.reached) return postponeAll(deps, items, result.error, result.retryAfterMs)
  await recordOutcomes(sql, [{ kind: 'service', key: service, ok: true }], clock.now(), rules)
  return settle(deps, items, failuresOf(steps, result.outcomes))
}

/** The name of the specification: the source's name, then what it holds. */
export function indexOf(sourceName: string): string {
  const slug = sourceName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return `${slug === '' ? 'source' : slug.slice(0, 200)}_raw_content`
}

interface Step {
  item: QueuedItem
  action: BulkAction
}

/** A source that got another name moves its documents to other indices. */
function actionsOf(item: QueuedItem): Step[] {
  const { itemId: id, knownIndex, sourceName, document, classified } = item
  const index = sourceName === null ? null : indexOf(sourceName)
  const actions: BulkAction[] = []
  if (knownIndex !== null && knownIndex !== index)
    for (const left of [knownIndex, classifiedIndexOf(knownIndex)])
      actions.push({ id, index: left, document: null })
  if (index !== null && document !== null) {
    actions.push({ id, index, document })
    if (classified !== null)
      actions.push({
        id,
        index: classifiedIndexOf(index),
        document: { ...document, ...classified },
      })
  }
  return actions.map((action) => ({ item, action }))
}

/** Beside the index of all that is kept: the same items with what they were classified as. */
function classifiedIndexOf(rawIndex: string): string {
  return rawIndex.replace(/_raw_content$/, '_classified_content')
}

function failuresOf(
  steps: readonly Step[],
  outcomes: readonly BulkOutcome[],
): Map<string, BulkOutcome> {
  const failures = new Map<string, BulkOutcome>()
  for (const [at, { item }] of steps.entries()) {
    const outcome = outcomes[at]
    if (outcome !== undefined && !outcome.ok) failures.set(item.itemId, outcome)
  }
  return failures
}

async function settle(
  { sql, clock }: MirrorDeps,
  items: readonly QueuedItem[],
  failures: ReadonlyMap<string, BulkOutcome>,
): Promise<number> {
  const now = clock.now()
  const done = items.filter((item) => !failures.has(item.itemId))
  const refused = items.filter((item) => {
    const failure = failures.get(item.itemId)
    return failure !== undefined && !failure.temporary && item.attempts + 1 >= maxAttempts
  })
  await transaction(sql, async (tx) => {
    await settleItems(tx, done.map(withIndex))
    await resolveRetried(
      tx,
      mirrorStage,
      done.map((item) => item.itemId),
      now,
    )
    await settleItems(
      tx,
      refused.map((item) => ({ ...item, index: item.knownIndex })),
    )
    await writeDeadLetters(
      tx,
      refused.map((item) => ({
        stage: mirrorStage,
        subject: item.itemId,
        jobId: null,
        sourceId: null,
        errorType: 'refused',
        errorMessage: failures.get(item.itemId)?.error ?? '',
        errorStack: null,
        payload: { item_id: item.itemId, kind: item.kind },
      })),
      now,
    )
    for (const item of items) {
      const failure = failures.get(item.itemId)
      if (failure === undefined || refused.includes(item)) continue
      const at = new Date(now.getTime() + backoffMs(item.attempts + 1, retry))
      await postponeItems(tx, [item.itemId], { at, countAttempt: true })
    }
  })
  return done.length + refused.length
}

function withIndex(item: QueuedItem) {
  return { ...item, index: item.sourceName === null ? null : indexOf(item.sourceName) }
}

/** The server is away or busy: nobody's fault, so no attempt is counted. */
async function postponeAll(
  { sql, clock, log }: MirrorDeps,
  items: readonly QueuedItem[],
  error: string,
  retryAfterMs: number | null,
): Promise<number> {
  const now = clock.now()
  const outcome = { kind: 'service' as const, key: service, ok: false, error }
  const opened = await recordOutcomes(sql, [outcome], now, rules)
  if (opened.length > 0) log.warn({ error }, 'the search mirror rests: its server does not answer')
  const at = new Date(now.getTime() + (retryAfterMs ?? backoffMs(1, retry)))
  await postponeItems(
    sql,
    items.map((item) => item.itemId),
    { at, countAttempt: false },
  )
  return 0
}
