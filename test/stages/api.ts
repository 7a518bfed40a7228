import { afterAll, beforeAll } from 'vitest'
import type { Api } from '../../src/api/context.ts'
import { funnelRoutes } from '../../src/api/routes/funnel.ts'
import { journeyRoutes } from '../../src/api/routes/journey.ts'
import { stageEventRoutes } from '../../src/api/routes/stage-events.ts'
import { statsRoutes } from '../../src/api/routes/stats.ts'
import { buildServer } from '../../src/api/server.ts'
import { useApi, type TestApi, type TestApiOptions } from '../harness/api.ts'
import type { TestDatabase } from '../harness/database.ts'

/** The API with the routes of stage events, whether or not the program registers them already. */
export function useStageApi(database: TestDatabase, options: TestApiOptions): TestApi {
  const server = useApi(database, options)
  let built: Api | null = null

  beforeAll(async () => {
    const api = await buildServer(server.context)
    const groups = [
      ['/api/v1/events', stageEventRoutes],
      ['/api/v1/funnel', funnelRoutes],
      ['/api/v1/stats', statsRoutes],
      ['/api/v1/journey', journeyRoutes],
    ] as const
    for (const [url, routes] of groups)
      if (!api.hasRoute({ method: 'GET', url })) routes(api, server.context)
    await api.ready()
    built = api
  })
  afterAll(async () => {
    await built?.close()
  })
  return {
    get api() {
      if (built === null) throw new Error('the test API exists only inside tests and hooks')
      return built
    },
    get context() {
      return server.context
    },
    as: (role) => server.as(role),
  }
}
