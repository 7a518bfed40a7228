import type { DemoSite, DemoWeb } from '../demo/index.ts'
import type { DemoHost } from './api/context.ts'
import { listen, type Listener } from './db/listen.ts'
import { transaction, type Db, type Sql } from './db/pool.ts'
import type { Clock } from './kernel/clock.ts'
import { Stop, codeOf, messageOf } from './kernel/errors.ts'
import type { Log } from './kernel/log.ts'

const channel = 'millrace_demo'
const seed = 1
const loadLock = 0x64656d6f // "demo": one process starts it, the others find it there

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
  const startAgain = async (rows: readonly DemoRow[]): Promise<void> => {
    const [row] = rows
    if (row === undefined || web !== null) return
    const ports = rows.map((known) => Number(new URL(`http://${known.host_key}`).port))
    try {
      await start({ now: row.made_at, seed: row.seed }, Math.min(...ports))
    } catch (error) {
      // Another process of this installation has it.
      if (codeOf(error) === 'EADDRINUSE') log.info('the demo web is served already')
      else log.warn({ reason: messageOf(error) }, 'the demo web could not start again')
    }
  }
  const startNew = async (tx: Db): Promise<void> => {
    const now = options.clock.now()
    const started = await start({ now, seed }, options.basePort).catch((error: unknown) => {
      if (codeOf(error) !== 'EADDRINUSE') throw error
      const message = `The demo web needs 25 ports from ${options.basePort} on, and one is taken. Set MILLRACE_DEMO_PORT to others, or to 0 for free ones.`
      throw new Stop(message, { cause: error })
    })
    const rows = started.sites.map((site) => ({
      host_key: new URL(site.url).host,
      site_key: site.key,
      seed,
      made_at: now,
    }))
    await tx`insert into demo_sites ${tx(rows)} on conflict do nothing`
    await tx`select pg_notify(${channel}, '')`
  }
  if (options.serves) await startAgain(await readRows(sql))
  return {
    allowedHosts,
    state: async () => ({
      loaded: allowedHosts.size > 0,
      sites: (await knownSites(sql)).map(({ key, name, url, description }) => ({
        key,
        name,
        url,
        description,
      })),
    }),
    load: async () => {
      await transaction(sql, async (tx) => {
        await tx`select pg_advisory_xact_lock(${loadLock})`
        const rows = await readRows(tx)
        await (rows.length > 0 ? startAgain(rows) : startNew(tx))
      })
      await refresh()
      return (await knownSites(sql)).map((site) => ({
        url: site.url,
        fields: { ...site.sourceDefaults },
      }))
    },
    stop: async () => {
      await listener.stop()
      await web?.close()
    },
  }
}

async function knownSites(db: Db): Promise<Omit<DemoSite, 'truth'>[]> {
  const rows = await readRows(db)
  if (rows.length === 0) return []
  const { describeSites } = await import('../demo/index.ts')
  return describeSites(new Map(rows.map((row) => [row.site_key, `http://${row.host_key}`])))
}

function readRows(db: Db): Promise<DemoRow[]> {
  return db<DemoRow[]>`select * from demo_sites order by host_key`
}
