import { latencyTenths, type Fact } from './facts.ts'
import { hourOf, initialLane, kinds, never } from './kinds.ts'
import type { Marks } from './article-marks.ts'
import { recordSightings, type PairChange } from './sightings.ts'
import type { StageEvent } from './event.ts'

export interface Tally {
  /** 0: all sources together. */
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
  stage: number
  hour: number
  reclassification: boolean
  facts: readonly Fact[]
}

export interface SumChanges {
  tallies: Tally[]
  pairs: Pair[]
}

export interface Changes {
  marks: Marks[]
  all: SumChanges
  bySource: SumChanges
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
    const source = sums.of(before.sourceId)
    const after: Marks = { ...before, last: [...before.last], first: [...before.first] }
    for (const { facts, hour } of events)
      for (const { kind, model, name, value } of facts)
        source.tally(kind, model, name, value ?? 0, hour, 1)
    for (const [lane, hours] of lanesOf(events)) {
      const seen = recordSightings(
        before.last[lane] ?? 0,
        hours,
        known.get(`${before.articleId}:${lane}`) ?? null,
      )
      after.last[lane] = seen.last
      for (const change of seen.changes) source.pair(lane, change)
    }
    for (const counted of events) moveFirst(after, counted)
    eachLatency(before, (kind, tenths, hour) =>
      source.tally(kind, undefined, undefined, tenths, hour, -1),
    )
    eachLatency(after, (kind, tenths, hour) =>
      source.tally(kind, undefined, undefined, tenths, hour, 1),
    )
    if (before.isNew || isChanged(before, after)) marks.push(after)
  }
  return { marks, ...sums.result() }
}

/** The lanes an event counts in: its stage, and for a first classification one more. */
export function lanesOfEvent({
  stage,
  reclassification,
}: Pick<CountedEvent, 'stage' | 'reclassification'>): number[] {
  return stage === kinds.classified && !reclassification ? [stage, initialLane] : [stage]
}

function lanesOf(events: readonly CountedEvent[]): Map<number, number[]> {
  const lanes = new Map<number, number[]>()
  for (const counted of events) {
    for (const lane of lanesOfEvent(counted)) {
      const hours = lanes.get(lane)
      if (hours === undefined) lanes.set(lane, [counted.hour])
      else hours.push(counted.hour)
    }
  }
  return lanes
}

function moveFirst(marks: Marks, { event, stage }: CountedEvent): void {
  if (stage % 2 === 0) return
  const first = marks.first[stage] ?? null
  if (first === null || event.occurredAt < first) marks.first[stage] = event.occurredAt
}

function eachLatency(
  marks: Marks,
  use: (kind: number, tenths: number, hour: number) => void,
): void {
  const [, crawled, , classified, , published] = marks.first
  const between = (kind: number, from: Date | null | undefined, to: Date | null | undefined) => {
    if (from && to) use(kind, latencyTenths(from, to), hourOf(to))
  }
  between(kinds.crawlToClassify, crawled, classified)
  between(kinds.classifyToPublish, classified, published)
  between(kinds.crawlToPublish, crawled, published)
}

function isChanged(before: Marks, after: Marks): boolean {
  return (
    after.last.some((hour, lane) => hour !== before.last[lane]) ||
    after.first.some((time, stage) => time?.getTime() !== before.first[stage]?.getTime())
  )
}

interface SourceSums {
  tally(
    kind: number,
    model: string | undefined,
    name: string | undefined,
    value: number,
    hour: number,
    n: number,
  ): void
  pair(lane: number, change: PairChange): void
}

/** Adds up within a batch, for the source and for all sources; what cancels out is not written. */
function createSums(): {
  of(sourceId: number): SourceSums
  result(): { all: SumChanges; bySource: SumChanges }
} {
  const all = keyedSums(0)
  const sources = new Map<number, KeyedSums>()
  const sumsOf = (sourceId: number): KeyedSums => {
    const known = sources.get(sourceId)
    if (known !== undefined) return known
    const fresh = keyedSums(sourceId)
    sources.set(sourceId, fresh)
    return fresh
  }
  return {
    of: (sourceId) => {
      const both = [all, sumsOf(sourceId)]
      return {
        tally: (kind, model, name, value, hour, n) => {
          const key = tallyKey(kind, model, name, value, hour)
          for (const sums of both) {
            const sum = sums.tallies.get(key)
            if (sum !== undefined) sum.n += n
            else sums.tallies.set(key, { sourceId: sums.id, kind, model, name, value, hour, n })
          }
        },
        pair: (lane, { hour, nextHour, n }) => {
          const key = pairKey(lane, hour, nextHour)
          for (const sums of both) {
            const sum = sums.pairs.get(key)
            if (sum !== undefined) sum.n += n
            else sums.pairs.set(key, { sourceId: sums.id, lane, hour, nextHour, n })
          }
        },
      }
    },
    result: () => ({ all: changed([all]), bySource: changed([...sources.values()]) }),
  }
}

interface KeyedSums {
  id: number
  tallies: Map<string | number, Tally>
  pairs: Map<number, Pair>
}

/** Numbers where nothing is named, which is most of the time: they cost a tenth of a text. */
function tallyKey(
  kind: number,
  model: string | undefined,
  name: string | undefined,
  value: number,
  hour: number,
): string | number {
  const isPlain = model === undefined && name === undefined && value >= 0 && value < valueLimit
  return isPlain
    ? (hour * 64 + kind) * valueLimit + value
    : `${kind}:${hour}:${value}:${model ?? ''}\0${name ?? ''}`
}

function pairKey(lane: number, hour: number, nextHour: number): number {
  return (hour * hourLimit + (nextHour === never ? 0 : nextHour)) * 8 + lane
}

const valueLimit = 2 ** 26
const hourLimit = 2 ** 21

function keyedSums(id: number): KeyedSums {
  return { id, tallies: new Map(), pairs: new Map() }
}

function changed(sums: KeyedSums[]): SumChanges {
  const isChange = (sum: { n: number }): boolean => sum.n !== 0
  return {
    tallies: sums.flatMap(({ tallies }) => [...tallies.values()].filter(isChange)),
    pairs: sums.flatMap(({ pairs }) => [...pairs.values()].filter(isChange)),
  }
}
