import { isReclassification, latencyTenths, type Fact } from './facts.ts'
import { hourOf, initialLane, kinds, stageNumber } from './kinds.ts'
import type { Marks } from './article-marks.ts'
import { recordSightings } from './sightings.ts'
import type { StageEvent } from './event.ts'

export interface Tally {
  sourceId: number
  kind: number
  model: string | undefined
  name: string | undefined
  value: number
  hour: number
  n: number
}

export interface Pair {
  sourceId: number
  lane: number
  hour: number
  nextHour: number
  n: number
}

/** An event and what it counts for. */
export interface CountedEvent {
  event: StageEvent
  facts: readonly Fact[]
}

export interface Changes {
  marks: Marks[]
  tallies: Tally[]
  pairs: Pair[]
}

/** Hours known per `article:lane`, for articles with late events. */
export type KnownHours = ReadonlyMap<string, ReadonlySet<number>>

/** What newly stored events change in the sums: a pure function of them and of how far their articles had come. */
export function changesOf(
  stored: ReadonlyMap<Marks, readonly CountedEvent[]>,
  known: KnownHours,
): Changes {
  const sums = createSums()
  const marks: Marks[] = []
  for (const [before, events] of stored) {
    const after: Marks = { ...before, last: [...before.last], first: [...before.first] }
    for (const counted of events) countFacts(sums, before.sourceId, counted)
    for (const [lane, hours] of lanesOf(events)) {
      const seen = recordSightings(
        before.last[lane] ?? 0,
        hours,
        known.get(`${before.articleId}:${lane}`) ?? null,
      )
      after.last[lane] = seen.last
      for (const change of seen.changes) sums.pair(before.sourceId, lane, change)
    }
    for (const { event } of events) moveFirst(after, event)
    for (const latency of latencies(before)) sums.tally(before.sourceId, latency, -1)
    for (const latency of latencies(after)) sums.tally(before.sourceId, latency, 1)
    if (isChanged(before, after)) marks.push(after)
  }
  return { marks, ...sums.result() }
}

function countFacts(sums: Sums, sourceId: number, { event, facts }: CountedEvent): void {
  const hour = hourOf(event.occurredAt)
  for (const fact of facts) {
    const counted = {
      kind: fact.kind,
      model: fact.model,
      name: fact.name,
      value: fact.value ?? 0,
      hour,
    }
    sums.tally(sourceId, counted, 1)
  }
}

/** The lanes an event counts in: its stage, and for a first classification one more. */
export function lanesOfEvent(event: StageEvent): number[] {
  const stage = stageNumber(event.stage)
  const initial =
    event.stage === 'classified' &&
    !isReclassification({ stage: event.stage, metadata: event.metadata ?? null })
  return initial ? [stage, initialLane] : [stage]
}

function lanesOf(events: readonly CountedEvent[]): Map<number, number[]> {
  const lanes = new Map<number, number[]>()
  for (const { event } of events) {
    for (const lane of lanesOfEvent(event)) {
      const hours = lanes.get(lane)
      if (hours === undefined) lanes.set(lane, [hourOf(event.occurredAt)])
      else hours.push(hourOf(event.occurredAt))
    }
  }
  return lanes
}

function moveFirst(marks: Marks, event: StageEvent): void {
  const stage = stageNumber(event.stage)
  if (stage % 2 === 0) return
  const first = marks.first[stage] ?? null
  if (first === null || event.occurredAt < first) marks.first[stage] = event.occurredAt
}

type Counted = Omit<Tally, 'sourceId' | 'n'>

function latencies(marks: Marks): Counted[] {
  const [, crawled, , classified, , published] = marks.first
  const between = (kind: number, from: Date | null | undefined, to: Date | null | undefined) =>
    from && to
      ? [
          {
            kind,
            model: undefined,
            name: undefined,
            value: latencyTenths(from, to),
            hour: hourOf(to),
          },
        ]
      : []
  return [
    ...between(kinds.crawlToClassify, crawled, classified),
    ...between(kinds.classifyToPublish, classified, published),
    ...between(kinds.crawlToPublish, crawled, published),
  ]
}

function isChanged(before: Marks, after: Marks): boolean {
  return (
    after.last.some((hour, lane) => hour !== before.last[lane]) ||
    after.first.some((time, stage) => time?.getTime() !== before.first[stage]?.getTime())
  )
}

interface Sums {
  tally(sourceId: number, counted: Counted, n: number): void
  pair(sourceId: number, lane: number, change: { hour: number; nextHour: number; n: number }): void
  result(): { tallies: Tally[]; pairs: Pair[] }
}

/** Adds up within a batch, for the source and for all sources; what cancels out is not written. */
function createSums(): Sums {
  const tallies = new Map<string, Tally>()
  const pairs = new Map<string, Pair>()
  const addPair = (pair: Pair): void => {
    const key = `${pair.sourceId}:${pair.lane}:${pair.hour}:${pair.nextHour}`
    const sum = pairs.get(key)
    if (sum === undefined) pairs.set(key, pair)
    else sum.n += pair.n
  }
  const addTally = (sourceId: number, key: string, counted: Counted, n: number): void => {
    const sum = tallies.get(key)
    if (sum === undefined) tallies.set(key, { sourceId, ...counted, n })
    else sum.n += n
  }
  return {
    tally: (sourceId, counted, n) => {
      const { kind, hour, value, model, name } = counted
      const key = `:${kind}:${hour}:${value}:${model ?? ''}\0${name ?? ''}`
      addTally(0, `0${key}`, counted, n)
      addTally(sourceId, sourceId + key, counted, n)
    },
    pair: (sourceId, lane, change) => {
      addPair({ sourceId: 0, lane, ...change })
      addPair({ sourceId, lane, ...change })
    },
    result: () => ({
      tallies: [...tallies.values()].filter((sum) => sum.n !== 0),
      pairs: [...pairs.values()].filter((sum) => sum.n !== 0),
    }),
  }
}
