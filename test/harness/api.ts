import { afterAll, beforeAll } from 'vitest'
import { createTokens, type Tokens } from '../../src/access/tokens.ts'
import type { RoleName } from '../../src/access/caller.ts'
import type { Api, ApiContext } from '../../src/api/context.ts'
import { buildServer } from '../../src/api/server.ts'
import { loadConfig } from '../../src/config.ts'
import { systemClock, type Clock } from '../../src/kernel/clock.ts'
import { silentLog, type Log } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import type { TestDatabase } from './database.ts'

export interface TestApi {
  readonly api: Api
  readonly context: ApiContext
  /** Headers that log in with a role. */
  as(role: RoleName): { authorization: string }
}

export interface TestApiOptions {
  env?: Record<string, string>
  clock?: Clock
  log?: Log
}

/** The whole API on a test database, called without a socket. */
export function useApi(database: TestDatabase, options: TestApiOptions = {}): TestApi {
  const tokens: Tokens = createTokens('a-secret-for-tests')
  const stopping = new AbortController()
  let built: { api: Api; context: ApiContext } | null = null

  beforeAll(async () => {
    const context: ApiContext = {
      sql: database.sql,
      config: loadConfig({ ...options.env }),
      clock: options.clock ?? systemClock,
      log: options.log ?? silentLog,
      metrics: createMetrics({ process: false }),
      tokens,
      instanceId: 'test',
      startedAt: new Date(),
      stopping: stopping.signal,
      embeddedDatabase: true,
      demo: { state: async () => ({ loaded: false, sites: [] }), load: async () => [] },
      allowedHosts: new Set(),
      singletonDuties: [],
    }
    built = { context, api: await buildServer(context) }
    await built.api.ready()
  })
  afterAll(async () => {
    stopping.abort()
    await built?.api.close()
  })

  const get = (): { api: Api; context: ApiContext } => {
    if (built === null) throw new Error('the test API exists only inside tests and hooks')
    return built
  }
  return {
    get api() {
      return get().api
    },
    get context() {
      return get().context
    },
    as: (role) => ({
      authorization: `Bearer ${tokens.signService(`test-${role}`, role, 3_600_000)}`,
    }),
  }
}
