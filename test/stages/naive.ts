import { normalizeUrl } from '../../src/kernel/url.ts'
import type { StageEvent } from '../../src/stages/record.ts'
import { stageNames } from '../../src/stages/kinds.ts'

/** The events that count: the first of each key, per article and stage. */
export function distinctEvents(events: StageEvent[]): StageEvent[] {
  const seen = new Map<string, StageEvent>()
  for (const event of events) {
    const key = [
      normalizeUrl(event.url),
      event.stage,
      event.idempotencyKey ?? naiveKey(event),
    ].join(' ')
    if (!seen.has(key)) seen.set(key, event)
  }
  return [...seen.values()]
}

function naiveKey(event: StageEvent): string {
  const version = event.metadata?.['is_reclassification'] ? event.metadata['model_version'] : ''
  return `${event.serviceName} ${JSON.stringify(version ?? '')} ${event.occurredAt.toISOString()}`
}

export interface NaiveFilter {
  from: Date
  to: Date
  source?: string | null
  excludeReclassifications?: boolean
}

/** The funnel by looking at every event. `sourceOf` tells which source an article belongs to. */
export function naiveFunnel(
  events: StageEvent[],
  filter: NaiveFilter,
  sourceOf: Map<string, string>,
) {
  const inRange = events.filter(
    (event) =>
      event.occurredAt >= filter.from &&
      event.occurredAt < filter.to &&
      (!filter.source || sourceOf.get(normalizeUrl(event.url) ?? '') === filter.source) &&
      !(filter.excludeReclassifications && isAgain(event)),
  )
  return stageNames.map((name) => {
    const passed = inRange.filter((event) => event.stage === name)
    const urls = new Set(passed.map((event) => normalizeUrl(event.url)))
    return { name, count: passed.length, uniqueArticles: urls.size }
  })
}

function isAgain(event: StageEvent): boolean {
  return event.stage === 'classified' && event.metadata?.['is_reclassification'] === true
}

/** Minutes between first events, of articles whose later stage began in the range. */
export function naiveMinutes(
  events: StageEvent[],
  filter: NaiveFilter,
  [early, late]: [string, string],
): number[] {
  const first = (url: string | null, stage: string): number =>
    Math.min(
      ...events
        .filter((event) => normalizeUrl(event.url) === url && event.stage === stage)
        .map((event) => event.occurredAt.getTime()),
    )
  return [...new Set(events.map((event) => normalizeUrl(event.url)))]
    .map((url) => [first(url, early), first(url, late)] as const)
    .filter(([a, b]) => Number.isFinite(a) && b >= filter.from.getTime() && b < filter.to.getTime())
    .map(([a, b]) => Math.round(Math.max(0, b - a) / 6000) / 10)
    .sort((a, b) => a - b)
}

export function middle(sorted: number[]): number | null {
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  const high = sorted[Math.floor(sorted.length / 2)]
  return low === undefined || high === undefined ? null : Math.round(((low + high) / 2) * 10) / 10
}

export function mean(values: number[]): number | null {
  if (values.length === 0) return null
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10
}
