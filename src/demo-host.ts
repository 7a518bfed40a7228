import type { DemoWeb } from '../demo/index.ts'
import type { DemoHost } from './api/context.ts'
import { listen, type Listener } from './db/listen.ts'
import type { Sql } from './db/pool.ts'
import type { Clock } from './kernel/clock.ts'
import { messageOf } from './kernel/errors.ts'
import type { Log } from './kernel/log.ts'

const channel = 'millrace_demo'
const seed = 1

interface DemoRow {
  host_key: string
  site_key: string
  seed: number
  made_at: Date
}

export interface RunningDemoHost extends DemoHost {
  allowedHosts: ReadonlySet<string>
  stop(): Promise<void>
}

/**
 * Keeps the demo web of an installation: started by the process with the API, known to all others, so that every
 * worker may fetch its addresses and nobody else's private ones.
 */
export async function createDemoHost(options: {
  sql: Sql
  clock: Clock
  log: Log
  basePort: number
  serves: boolean
}): Promise<RunningDemoHost> {
  const { sql, log } = options
  const allowedHosts = new Set<string>()
  let web: DemoWeb | null = null

  const refresh = async (): Promise<void> => {
    const rows = await readRows(sql)
    allowedHosts.clear()
    for (const row of rows) allowedHosts.add(row.host_key)
  }
  const listener: Listener = await listen(
    sql,
    channel,
    () =>
      void refresh().catch((error: unknown) =>
        log.warn({ reason: messageOf(error) }, 'demo hosts unknown'),
      ),
    log,
  )
  await refresh()

  const start = async (made: { now: Date; seed: number }, basePort: number): Promise<DemoWeb> => {
    const { startDemoWeb } = await import('../demo/index.ts')
    web ??= await startDemoWeb({ seed: made.seed, now: made.now, basePort })
    return web
  }
  if (options.serves) {
    const [row] = await readRows(sql)
    const ports = (await readRows(sql)).map((known) =>
      Number(new URL(`http://${known.host_key}`).port),
    )
    if (row !== undefined) {
      await start({ now: row.made_at, seed: row.seed }, Math.min(...ports)).catch(
        (error: unknown) =>
          log.warn({ reason: messageOf(error) }, 'the demo web could not start again'),
      )
    }
  }
  return {
    allowedHosts,
    state: async () => ({
      loaded: allowedHosts.size > 0,
      sites: (web?.sites ?? []).map(({ key, name, url, description }) => ({
        key,
        name,
        url,
        description,
      })),
    }),
    load: async () => {
      const now = options.clock.now()
      const started = await start({ now, seed }, options.basePort)
      const rows = started.sites.map((site) => ({
        host_key: new URL(site.url).host,
        site_key: site.key,
        seed,
        made_at: now,
      }))
      await sql`insert into demo_sites ${sql(rows)} on conflict do nothing`
      await sql`select pg_notify(${channel}, '')`
      await refresh()
      return started.sites.map((site) => ({ url: site.url, fields: { ...site.sourceDefaults } }))
    },
    stop: async () => {
      await listener.stop()
      await web?.close()
    },
  }
}

function readRows(sql: Sql): Promise<DemoRow[]> {
  return sql<DemoRow[]>`select * from demo_sites order by host_key`
}
