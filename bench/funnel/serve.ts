import { request } from 'undici'
import { createTokens } from '../../src/access/tokens.ts'
import type { ApiContext } from '../../src/api/context.ts'
import { buildServer } from '../../src/api/server.ts'
import { loadConfig } from '../../src/config.ts'
import type { Sql } from '../../src/db/pool.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'

export interface BenchApi {
  url: string
  token: string
  get(path: string): Promise<unknown>
  stop(): Promise<void>
}

/** The API on a port of its own, with limits out of the way. */
export async function startBenchApi(sql: Sql): Promise<BenchApi> {
  const tokens = createTokens('a-secret-for-the-bench')
  const token = tokens.signService('bench', 'operator', 3_600_000)
  const stopping = new AbortController()
  const context: ApiContext = {
    sql,
    config: loadConfig({
      AUTH_RATE_LIMIT_PER_MINUTE: '10000000',
      PIPELINE_EVENTS_PER_SECOND: '1000000',
    }),
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics({ process: false }),
    tokens,
    instanceId: 'bench',
    startedAt: new Date(),
    stopping: stopping.signal,
    embeddedDatabase: true,
    singletonDuties: [],
    demo: { state: async () => ({ loaded: false, sites: [] }), load: async () => [] },
    allowedHosts: new Set(),
  }
  const api = await buildServer(context)
  const url = await api.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    token,
    get: async (path) => {
      const answer = await request(url + path, { headers: { authorization: `Bearer ${token}` } })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`)
      return JSON.parse(text) as unknown
    },
    stop: async () => {
      stopping.abort()
      await api.close()
    },
  }
}
