import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { hashPassword } from './access/passwords.ts'
import { jwtSecret } from './access/secret.ts'
import { createTokens } from './access/tokens.ts'
import { createLoginLink, ensureAdmin } from './access/users.ts'
import type { Api, ApiContext } from './api/context.ts'
import { openMetricsPort } from './api/metrics-port.ts'
import type { Config } from './config.ts'
import { createDemoHost } from './demo-host.ts'
import { openDatabase, type Database } from './db/open.ts'
import { startLeadership } from './db/leader.ts'
import { migrate } from './db/migrate.ts'
import { systemClock, type Clock } from './kernel/clock.ts'
import { Stop, codeOf, messageOf } from './kernel/errors.ts'
import { createLog, type Log } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'

export interface App {
  /** Where the API listens; null without the api role. */
  url: string | null
  /** A link that logs the first admin in once. */
  loginUrl: string | null
  database: Database
  log: Log
  context: ApiContext
  stop(): Promise<void>
}

export interface Overrides {
  clock?: Clock
  log?: Log
}

const loginLinkMs = 24 * 3_600_000

/** Builds the whole program from its configuration. What was started last is stopped first. */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = overrides.log ?? createLog({ level: config.logLevel, pretty: isPretty(config) })
  const clock = overrides.clock ?? systemClock
  const instanceId = config.instanceId ?? `${hostname()}-${process.pid}`
  const metrics = createMetrics({ process: true })
  const stopping = new AbortController()
  const stops: { name: string; stop: () => Promise<void> }[] = []

  const stop = async (): Promise<void> => {
    stopping.abort()
    for (const entry of stops.splice(0).reverse()) {
      try {
        await entry.stop()
      } catch (error) {
        log.warn({ part: entry.name, reason: messageOf(error) }, 'did not stop cleanly')
      }
    }
  }

  try {
    mkdirSync(config.dataDir, { recursive: true })
    const parts = loadParts(config)
    const database = await openDatabase(config, instanceId, log)
    stops.push({ name: 'database', stop: database.close })
    await migrate(database.sql)
    const { singletonDuties, startDuties, buildServer } = await parts
    const demo = await createDemoHost({
      sql: database.sql,
      clock,
      log,
      basePort: config.demoPort,
      serves: config.roles.includes('api'),
    })
    stops.push({ name: 'demo', stop: demo.stop })

    const context: ApiContext = {
      sql: database.sql,
      config,
      clock,
      log,
      metrics,
      tokens: createTokens(jwtSecret(config.jwtSecret, config.dataDir)),
      instanceId,
      startedAt: clock.now(),
      stopping: stopping.signal,
      embeddedDatabase: database.embedded,
      demo,
      allowedHosts: demo.allowedHosts,
      singletonDuties,
    }
    if (config.metricsPort > 0) {
      const { port, close } = await openMetricsPort(metrics, {
        port: config.metricsPort,
        host: config.host,
      })
      stops.push({ name: 'metrics', stop: close })
      log.info({ port }, 'metrics are served')
    }
    const duties = await startDuties(context)
    stops.push({ name: 'duties', stop: duties.stop })
    if (duties.singletons.length > 0) {
      const leadership = startLeadership({
        databaseUrl: database.url,
        instanceId,
        duties: duties.singletons,
        log,
      })
      stops.push({ name: 'leadership', stop: leadership.stop })
    }
    if (buildServer === null) return { url: null, loginUrl: null, database, log, context, stop }

    const api = await buildServer(context)
    stops.push({ name: 'api', stop: () => api.close() })
    const url = await listen(api, config)
    return { url, loginUrl: await makeLoginUrl(context, url), database, log, context, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Most of the program is read from disk while the database starts. */
function loadParts(config: Config) {
  const parts = Promise.all([
    import('./duties.ts'),
    config.roles.includes('api') ? import('./api/server.ts') : { buildServer: null },
  ]).then(([duties, server]) => ({ ...duties, buildServer: server.buildServer }))
  // When the database fails first, that is what the operator hears.
  parts.catch(() => {})
  return parts
}

function isPretty(config: Config): boolean {
  return config.logFormat === 'pretty' || (config.logFormat === 'auto' && process.stdout.isTTY)
}

async function listen(api: Api, config: Config): Promise<string> {
  try {
    await api.listen({ port: config.port, host: config.host })
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') {
      throw new Stop(
        `Port ${config.port} is taken. Set PORT to a free one, for example PORT=${config.port + 1}.`,
        { cause: error },
      )
    }
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EADDRNOTAVAIL') {
      throw new Stop(
        `Cannot listen on ${config.host}:${config.port} (${messageOf(error)}). Check HOST and PORT.`,
        { cause: error },
      )
    }
    throw error
  }
  const address = api.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  const host = ['0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host
  return config.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function makeLoginUrl({ sql, config }: ApiContext, url: string): Promise<string> {
  const passwordHash =
    config.adminPassword === null ? null : await hashPassword(config.adminPassword)
  const admin = await ensureAdmin(sql, config.adminEmail, passwordHash)
  return `${url}/login?token=${await createLoginLink(sql, admin.id, loginLinkMs)}`
}
