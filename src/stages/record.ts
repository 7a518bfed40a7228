import type { Tx } from '../db/pool.ts'
import { insertArticles, knownHours, lockMarks, type Marks } from './article-marks.ts'
import { changesOf, lanesOfEvent, type KnownHours } from './changes.ts'
import { addressOf, idempotencyKeyOf, keyHash, type Address, type StageEvent } from './event.ts'
import { factsOf } from './facts.ts'
import { identify, type Identities } from './identities.ts'
import { hourOf, initialLane, stageNumber } from './kinds.ts'
import { applyChanges, insertEvents, knownIdentities, type EventRow } from './write.ts'

export type { StageEvent, StageSource } from './event.ts'
export { itemAddress } from './event.ts'

export type RecordOutcome = 'created' | 'duplicate'

/**
 * Stores stage events and everything the funnel sums up from them, in the caller's transaction: both or neither.
 * One outcome per event, in their order; an event whose key is known changes nothing.
 */
export async function recordStage(
  tx: Tx,
  events: readonly StageEvent[],
  receivedAt: Date = new Date(),
): Promise<RecordOutcome[]> {
  if (events.length === 0) return []
  const addresses = events.map((event) => addressOf(event.url))
  const identities = await identify(tx, textsOf(events))
  const marks = await findMarks(tx, newArticles(events, addresses, identities))
  const rows = events.map((event, index) =>
    toRow(event, marksOf(marks, addresses[index]), identities),
  )
  const [known, old] = await Promise.all([hoursOfLateOnes(tx, rows), knownIdentities(tx, rows)])
  const fresh = rows.filter((row) => !old.has(row.identity))
  const created = fresh.length === 0 ? new Set<string>() : await insertEvents(tx, fresh, receivedAt)

  const outcomes: RecordOutcome[] = []
  const stored = new Map<Marks, StageEvent[]>()
  for (const row of rows) {
    // Two events of one batch may share a key: the first of them is the one that was stored.
    const isNew = created.delete(row.identity)
    outcomes.push(isNew ? 'created' : 'duplicate')
    if (!isNew) continue
    const siblings = stored.get(row.marks)
    if (siblings === undefined) stored.set(row.marks, [row.event])
    else siblings.push(row.event)
  }
  if (stored.size > 0) await applyChanges(tx, changesOf(stored, known), identities)
  return outcomes
}

function textsOf(events: readonly StageEvent[]): Parameters<typeof identify>[1] {
  const names = new Set<string>()
  for (const event of events) {
    for (const fact of factsOf({ stage: event.stage, metadata: event.metadata ?? null })) {
      if (fact.model !== undefined) names.add(fact.model)
      if (fact.name !== undefined) names.add(fact.name)
    }
  }
  return {
    services: new Set(events.map((event) => event.serviceName)),
    sources: events.map((event) => event.source),
    names,
  }
}

function newArticles(
  events: readonly StageEvent[],
  addresses: readonly Address[],
  identities: Identities,
): Parameters<typeof insertArticles>[1] {
  const articles = new Map<string, Parameters<typeof insertArticles>[1][number]>()
  for (const [index, event] of events.entries()) {
    const address = addresses[index]
    if (address === undefined || articles.has(address.hash)) continue
    articles.set(address.hash, {
      ...address,
      sourceId: identities.source(event.source),
      firstSeenAt: event.occurredAt,
    })
  }
  return [...articles.values()]
}

/** The marks of all articles, locked; articles that are new get theirs. */
async function findMarks(
  tx: Tx,
  articles: Parameters<typeof insertArticles>[1],
): Promise<Map<string, Marks>> {
  const locked = await lockMarks(
    tx,
    articles.map((article) => article.hash),
  )
  const marks = new Map(locked.map((row) => [row.hash, row]))
  const missing = articles.filter((article) => !marks.has(article.hash))
  if (missing.length === 0) return marks
  // Sent together; the database takes them in this order.
  const [, added] = await Promise.all([
    insertArticles(tx, missing),
    lockMarks(
      tx,
      missing.map((article) => article.hash),
    ),
  ])
  for (const row of added) marks.set(row.hash, row)
  return marks
}

function marksOf(marks: Map<string, Marks>, address: Address | undefined): Marks {
  const found = address && marks.get(address.hash)
  if (!found) throw new Error(`the article ${address?.url ?? ''} was removed meanwhile`)
  return found
}

function toRow(event: StageEvent, marks: Marks, identities: Identities): EventRow {
  const stage = stageNumber(event.stage)
  const key = keyHash(idempotencyKeyOf(event, marks.hash))
  return {
    event,
    marks,
    stage,
    key,
    identity: `${marks.articleId}:${stage}:${key}`,
    serviceId: identities.service(event.serviceName),
  }
}

async function hoursOfLateOnes(tx: Tx, rows: EventRow[]): Promise<KnownHours> {
  const late = new Map<string, { articleId: string; stage: number }>()
  for (const { event, marks, stage } of rows) {
    const hour = hourOf(event.occurredAt)
    if (lanesOfEvent(event).some((lane) => hour < (marks.last[lane] ?? 0)))
      late.set(`${marks.articleId}:${stage}`, { articleId: marks.articleId, stage })
  }
  const hours = new Map<string, Set<number>>()
  if (late.size === 0) return hours
  const add = (key: string, hour: number): void => {
    const set = hours.get(key)
    if (set === undefined) hours.set(key, new Set([hour]))
    else set.add(hour)
  }
  for (const row of await knownHours(tx, [...late.values()])) {
    add(`${row.article_id}:${row.stage}`, row.hour)
    if (row.stage === stageNumber('classified') && !row.reclassification)
      add(`${row.article_id}:${initialLane}`, row.hour)
  }
  return hours
}
