import type { ApiContext } from '../api/context.ts'
import type { Duty } from '../db/leader.ts'
import type { DutyPlan } from '../duties.ts'
import { createGuard } from '../crawl/fetch/guard.ts'
import { createGuardedFetch } from '../crawl/fetch/guarded-fetch.ts'
import { startRawItemPruner } from '../flows/refine/prune-raw-items.ts'
import { startMirroring } from '../flows/mirror-items.ts'
import { startDeadLetterRetries } from '../flows/refine/retry-dead-letters.ts'
import { startRefinement } from '../flows/refine/start.ts'
import { startCalendarSweeps } from '../flows/refine/sweep-calendar.ts'
import type { Assistant, AssistantOptions } from '../normalize/ai/assistant.ts'
import { connectElastic } from '../mirror/elastic.ts'
import { createGeocoder } from '../normalize/geocode/nominatim.ts'

/** Raw items become articles and calendar events people can trust. */
export const refineDuties: DutyPlan[] = [
  { name: 'refine', role: 'worker', singleton: false, start: startRefining },
  {
    name: 'dead letters',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log }) => startDeadLetterRetries({ sql, clock, log }),
  },
  {
    name: 'calendar sweep',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config }) =>
      startCalendarSweeps({ sql, clock, log, vanishAfterRuns: config.calendarVanishAfterRuns }),
  },
  { name: 'search mirror', role: 'scheduler', singleton: true, start: startMirror },
  {
    name: 'raw item retention',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config }) =>
      startRawItemPruner({ sql, clock, log, retentionDays: config.rawItemDays }),
  },
]

async function startMirror({ sql, clock, log, config }: ApiContext): Promise<Duty> {
  if (config.elasticsearchUrl === null) return { stop: () => Promise.resolve() }
  return startMirroring({ sql, clock, log, elastic: connectElastic(config.elasticsearchUrl) })
}

async function startRefining({ sql, clock, log, metrics, config, allowedHosts }: ApiContext) {
  const fetch = createGuardedFetch(
    createGuard({ allowPrivate: config.allowPrivateNetworks, allowedHosts }),
  )
  const { geocoderUrl, aiBaseUrl, aiModel, userAgent } = config
  return startRefinement({
    sql,
    clock,
    log,
    metrics,
    geocoder:
      geocoderUrl === null ? null : createGeocoder({ baseUrl: geocoderUrl, userAgent, fetch }),
    assistant:
      aiBaseUrl === null || aiModel === null
        ? null
        : await openAssistant({
            baseUrl: aiBaseUrl,
            apiKey: config.aiApiKey,
            model: aiModel,
            embeddingModel: config.embeddingsModel,
            fetch,
          }),
    embeddings: config.embeddingsModel !== null,
    aiBudgetPerDay: config.aiBudgetPerDay,
    geocoderMinDelayMs: config.geocoderMinDelayMs,
  })
}

/** Loaded only where one is configured. */
async function openAssistant(options: AssistantOptions): Promise<Assistant> {
  const { createAssistant } = await import('../normalize/ai/assistant.ts')
  return createAssistant(options)
}
