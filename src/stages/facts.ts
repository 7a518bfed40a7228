import { kinds, stageNumber, type StageName } from './kinds.ts'

/** Something countable in an event. Names become numbers when they are stored. */
export interface Fact {
  kind: number
  model?: string
  name?: string
  value?: number
}

export interface FactualEvent {
  stage: StageName
  metadata?: Record<string, unknown> | null
}

const maxNameLength = 200
const maxTopics = 50
const largestScore = 1_000_000
const suspicious = /[\0\ud800-\udfff]/

/** Everything an event counts for. The one definition: live sums and sums from rows both use it. */
export function factsOf(event: FactualEvent): Fact[] {
  const facts: Fact[] = [{ kind: stageNumber(event.stage) }]
  const metadata = event.metadata ?? null
  if (event.stage === 'classified') {
    if (isReclassification(event)) facts.push({ kind: kinds.reclassified })
    facts.push(...classificationFacts(metadata))
  }
  if (event.stage === 'published') {
    const channel = nameIn(metadata?.['channel'])
    if (channel !== null) facts.push({ kind: kinds.channel, name: channel })
  }
  return facts
}

/** Only a classification can be a repeated one. */
export function isReclassification(event: FactualEvent): boolean {
  return event.stage === 'classified' && event.metadata?.['is_reclassification'] === true
}

function classificationFacts(metadata: Record<string, unknown> | null): Fact[] {
  const version = nameIn(metadata?.['model_version'])
  const model = version === null ? {} : { model: version }
  const facts: Fact[] = version === null ? [] : [{ kind: kinds.model, ...model }]
  const score = metadata?.['quality_score']
  if (typeof score === 'number' && Math.abs(score) <= largestScore)
    facts.push({ kind: kinds.quality, ...model, value: Math.round(score * 100) })
  for (const topic of topicsIn(metadata?.['topics']))
    facts.push({ kind: kinds.topic, ...model, name: topic })
  return facts
}

function topicsIn(topics: unknown): Set<string> {
  if (!Array.isArray(topics)) return new Set()
  const names = topics.slice(0, maxTopics).map(nameIn)
  return new Set(names.filter((name) => name !== null))
}

/** Empty names and bytes the database cannot hold count for nothing. */
function nameIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const short = value.length > maxNameLength ? value.slice(0, maxNameLength) : value
  // The first look needs no Unicode tables and settles nearly all names.
  const name = (suspicious.test(short) ? short.replace(/[\0\p{Cs}]/gu, '') : short).trim()
  return name === '' ? null : name
}

/** Tenths of a minute from one first event to the next; skewed clocks cannot make it negative. */
export function latencyTenths(from: Date, to: Date): number {
  return Math.round(Math.max(0, to.getTime() - from.getTime()) / 6000)
}
