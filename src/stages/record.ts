import type { Tx } from '../db/pool.ts'
import { findMarks, knownHours, type Marks, type NewArticle } from './article-marks.ts'
import { changesOf, lanesOfEvent, type KnownHours } from './changes.ts'
import { addressOf, idempotencyKeyOf, keyHash, type Address, type StageEvent } from './event.ts'
import { factsOf, isReclassification, type Fact } from './facts.ts'
import { identify, type Identities, type Numbers } from './identities.ts'
import { hourOf, initialLane, stageNumber } from './kinds.ts'
import { applyChanges, insertEvents, knownIdentities, type EventRow } from './write.ts'

export type { StageEvent, StageSource } from './event.ts'
export { foundItemAddress, itemAddress } from './event.ts'

export type RecordOutcome = 'created' | 'duplicate'

/**
 * Stores stage events and everything the funnel sums up from them, in the caller's transaction: both or neither.
 * One outcome per event, in their order; an event whose key is known changes nothing.
 */
export async function recordStage(
  tx: Tx,
  events: readonly StageEvent[],
  receivedAt: Date = new Date(),
  numbers: { remembered: Numbers; learned: Numbers } = {
    remembered: new Map(),
    learned: new Map(),
  },
): Promise<RecordOutcome[]> {
  if (events.length === 0) return []
  const addresses = events.map((event) => addressOf(event.url))
  const facts = events.map(factsOf)
  const identities = await identify(tx, textsOf(events, facts), numbers)
  const marks = await findMarks(tx, articlesOf(events, addresses, identities))
  const rows = events.map((event, index) =>
    toRow(event, facts[index] ?? [], marksOf(marks, addresses[index]), identities),
  )
  const [known, old] = await Promise.all([hoursOfLateOnes(tx, rows), knownIdentities(tx, rows)])
  const outcomes: RecordOutcome[] = []
  const fresh: EventRow[] = []
  const stored = new Map<Marks, EventRow[]>()
  for (const row of rows) {
    // Two events of one batch may share a key: the first of them is the one that is stored.
    const isNew = !old.has(row.identity)
    outcomes.push(isNew ? 'created' : 'duplicate')
    if (!isNew) continue
    old.add(row.identity)
    fresh.push(row)
    const siblings = stored.get(row.marks)
    if (siblings === undefined) stored.set(row.marks, [row])
    else siblings.push(row)
  }
  if (fresh.length === 0) return outcomes
  // Sent together: one round trip.
  await Promise.all([
    insertEvents(tx, fresh, receivedAt),
    applyChanges(tx, changesOf(stored, known), identities),
  ])
  return outcomes
}

function textsOf(
  events: readonly StageEvent[],
  facts: readonly (readonly Fact[])[],
): Parameters<typeof identify>[1] {
  const names = new Set<string>()
  for (const { model, name } of facts.flat()) {
    if (model !== undefined) names.add(model)
    if (name !== undefined) names.add(name)
  }
  return {
    services: new Set(events.map((event) => event.serviceName)),
    sources: events.map((event) => event.source),
    names,
  }
}

function articlesOf(
  events: readonly StageEvent[],
  addresses: readonly Address[],
  identities: Identities,
): NewArticle[] {
  const articles = new Map<string, NewArticle>()
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

function marksOf(marks: Map<string, Marks>, address: Address | undefined): Marks {
  const found = address && marks.get(address.hash)
  if (!found) throw new Error(`the article ${address?.url ?? ''} was removed meanwhile`)
  return found
}

function toRow(
  event: StageEvent,
  facts: readonly Fact[],
  marks: Marks,
  identities: Identities,
): EventRow {
  const stage = stageNumber(event.stage)
  const at = event.occurredAt.toISOString()
  const key = keyHash(idempotencyKeyOf(event, marks.hash, at))
  return {
    event,
    facts,
    marks,
    stage,
    hour: hourOf(event.occurredAt),
    reclassification: isReclassification(event),
    at,
    key,
    identity: `${marks.articleId}:${stage}:${key}`,
    serviceId: identities.service(event.serviceName),
  }
}

async function hoursOfLateOnes(tx: Tx, rows: EventRow[]): Promise<KnownHours> {
  const late = new Map<string, { articleId: string; stage: number }>()
  for (const { marks, stage, hour, reclassification } of rows) {
    if (lanesOfEvent({ stage, reclassification }).some((lane) => hour < (marks.last[lane] ?? 0)))
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
