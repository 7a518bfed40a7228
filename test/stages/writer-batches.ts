import { stageNames } from '../../src/stages/kinds.ts'
import type { StageEvent } from '../../src/stages/record.ts'

export const batchSize = 20
const start = Date.parse('2026-05-31T20:00:00Z')

/** Overlapping batches: half of each is the next one's too, over the turn of a month, in no order of time. */
export function batchOf(batch: number): StageEvent[] {
  return Array.from({ length: batchSize }, (_, index) => {
    const number = batch * (batchSize / 2) + index
    return {
      url: `https://example.com/${number % 37}`,
      source: { id: null, name: `source-${number % 3}` },
      stage: stageNames[number % 5] ?? 'crawled',
      occurredAt: new Date(start + ((number * 7919) % 480) * 60_000),
      serviceName: 'writer',
      metadata: { quality_score: number % 100, model_version: `v${number % 2}`, topics: ['news'] },
    }
  })
}
