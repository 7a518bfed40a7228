import { mayTry, recordOutcomes } from '../../breakers/store.ts'
import type { Sql } from '../../db/pool.ts'
import type { Duty } from '../../db/leader.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Assistant } from '../../normalize/ai/assistant.ts'
import type { Geocoder } from '../../normalize/geocode/nominatim.ts'
import { recordStage } from '../../stages/record.ts'
import { dedupStage } from './dedup-items.ts'
import { startEmbedding } from './embed-items.ts'
import { startEnrichment } from './enrich-items.ts'
import { startGeocoding } from './geocode-items.ts'
import { refineStage, type RefineOptions } from './refine-items.ts'
import { startStage, type StageDeps } from './stage.ts'

export interface RefinementDeps {
  sql: Sql
  clock: Clock
  log: Log
  metrics: Metrics
  batchSize?: number
  geocoder: Geocoder | null
  assistant: Assistant | null
  /** Ask the assistant's endpoint for vectors too. */
  embeddings: boolean
  aiBudgetPerDay: number
  geocoderMinDelayMs: number
}

/** While one waits for the database the other reads its items. */
export const refineLoops = 2

/** Every refine stage of this process, and the helpers that are configured. */
export async function startRefinement(deps: RefinementDeps): Promise<Duty> {
  const { sql, clock, log, metrics, geocoder, assistant } = deps
  const stages: StageDeps = {
    sql,
    clock,
    log,
    metrics,
    paused: async (stage) =>
      (await mayTry(sql, 'service', `refine ${stage}`, clock.now())) === 'open',
    report: async (stage, ok, error) => {
      await recordOutcomes(
        sql,
        [{ kind: 'service', key: `refine ${stage}`, ok, error }],
        clock.now(),
      )
    },
  }
  const options: RefineOptions = {
    recordStage,
    geocoder: geocoder !== null,
    ai: assistant !== null,
    embeddings: assistant !== null && deps.embeddings,
    ...(deps.batchSize !== undefined && { batchSize: deps.batchSize }),
  }
  const duties: Duty[] = []
  for (let n = 0; n < refineLoops; n++) duties.push(await startStage(refineStage(options), stages))
  duties.push(await startStage(dedupStage(), stages))
  if (geocoder !== null)
    duties.push(startGeocoding({ sql, clock, log, geocoder, minDelayMs: deps.geocoderMinDelayMs }))
  if (assistant !== null) {
    duties.push(startEnrichment({ sql, clock, log, assistant, budget: deps.aiBudgetPerDay }))
    if (deps.embeddings) duties.push(startEmbedding({ sql, clock, log, assistant }))
  }
  return {
    stop: async () => {
      for (const duty of duties.reverse()) await duty.stop()
    },
  }
}
