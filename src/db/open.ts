import type { Config } from '../config.ts'
import { Stop, messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { startEmbeddedPostgres } from './embedded/launch.ts'
import { connect, type Sql } from './pool.ts'

export interface Database {
  sql: Sql
  url: string
  embedded: boolean
  close(): Promise<void>
}

const oldestVersion = 150_000

/** The embedded server, or the outside one that DATABASE_URL names: the same from here on. */
export async function openDatabase(
  config: Config,
  instanceId: string,
  log: Log,
): Promise<Database> {
  if (config.databaseUrl !== null) return openOutside(config.databaseUrl, config, instanceId)
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const sql = connect(server.url, {
    max: config.databasePoolSize,
    applicationName: `millrace:${instanceId}`,
  })
  return {
    sql,
    url: server.url,
    embedded: true,
    close: async () => {
      await sql.end({ timeout: 2 })
      await server.stop()
    },
  }
}

async function openOutside(url: string, config: Config, instanceId: string): Promise<Database> {
  const sql = connect(url, {
    max: config.databasePoolSize,
    applicationName: `millrace:${instanceId}`,
  })
  try {
    const [row] = await sql<{ version: number; text: string }[]>`
      select current_setting('server_version_num')::int as version, current_setting('server_version') as text`
    if (row === undefined || row.version < oldestVersion) {
      throw new Stop(
        `DATABASE_URL points to PostgreSQL ${row?.text ?? '?'}; Millrace needs 15 or newer.`,
      )
    }
  } catch (error) {
    await sql.end({ timeout: 1 })
    if (error instanceof Stop) throw error
    throw new Stop(`The database in DATABASE_URL cannot be reached: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return { sql, url, embedded: false, close: () => sql.end({ timeout: 2 }) }
}
