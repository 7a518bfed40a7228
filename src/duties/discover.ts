import type { ApiContext } from '../api/context.ts'
import type { Duty } from '../db/leader.ts'
import { createGuard } from '../crawl/fetch/guard.ts'
import { createGuardedFetch } from '../crawl/fetch/guarded-fetch.ts'
import { createSearch } from '../discover/search.ts'
import type { DutyPlan } from '../duties.ts'
import { startDiscovering } from '../flows/discover/start-discovering.ts'

/** New sources are looked for, when there is a service to ask. */
export const discoverDuties: DutyPlan[] = [
  { name: 'discovery', role: 'scheduler', singleton: true, start: startDiscovery },
]

const idle: Duty = { stop: async () => {} }

async function startDiscovery(context: ApiContext): Promise<Duty> {
  const { config, sql, clock, log, allowedHosts } = context
  if (config.searchUrl === null) return idle
  const guard = createGuard({ allowPrivate: config.allowPrivateNetworks, allowedHosts })
  const search = createSearch({
    url: config.searchUrl,
    apiKey: config.searchApiKey,
    fetch: createGuardedFetch(guard),
  })
  const { openPreviewTools } = await import('../flows/preview/open-tools.ts')
  const { gazetteer } = await import('../normalize/gazetteer/gazetteer.ts')
  const tools = openPreviewTools(context)
  const loop = startDiscovering(
    { sql, clock, log, search, preview: tools.preview },
    {
      cron: config.discoveryCron,
      places: () => gazetteer().citiesOf(config.discoveryCountry),
      mostPerWeek: config.discoveryPlacesPerWeek,
    },
  )
  return {
    stop: async () => {
      await loop.stop()
      await tools.close()
    },
  }
}
