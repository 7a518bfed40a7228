import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileArchive } from '../../src/archive/files.ts'
import type { Archive } from '../../src/archive/store.ts'
import { openFetchers } from '../../src/crawl/fetch/fetchers.ts'
import { createRobotsCache } from '../../src/crawl/politeness/robots-cache.ts'
import type { Sql } from '../../src/db/pool.ts'
import type { CrawlDeps } from '../../src/flows/crawl/crawl-deps.ts'
import { createCrawl } from '../../src/flows/crawl/run-crawl.ts'
import { startExecutingRuns } from '../../src/flows/execute-runs.ts'
import { createParsePool } from '../../src/flows/parse/pool.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { createSources } from '../../src/sources/change.ts'
import { sourceInput } from '../../src/sources/fields.ts'
import type { DemoSite } from '../../demo/index.ts'
import { waitFor } from '../harness/wait.ts'

export type TestSite = Pick<DemoSite, 'key' | 'url' | 'sourceDefaults'>

export interface TestCrawler {
  archive: Archive
  /** Crawls the sites once, side by side, and waits for the end of every run. */
  crawl(
    sites: readonly TestSite[],
  ): Promise<Map<string, { sourceId: string; status: string; error: string | null }>>
  stop(): Promise<void>
}

/** A worker with every tier, allowed to reach this machine. */
export function startTestCrawler(sql: Sql, overrides: Partial<CrawlDeps> = {}): TestCrawler {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-archive-'))
  const archive = fileArchive(folder, sql)
  const fetchers = openFetchers({
    allowPrivate: true,
    userAgent: 'MillraceTest/1.0',
    // A page that never comes is waited for eight times this long, by one tier after the other.
    timeoutMs: 4000,
    maxBytes: 3_000_000,
    maxRedirects: 5,
    followRedirects: true,
    now: () => new Date(),
  })
  const pool = createParsePool({ threads: 1 })
  const worker = startExecutingRuns({
    sql,
    clock: systemClock,
    log: silentLog,
    instanceId: 'test',
    concurrency: 30,
    leaseMs: 15_000,
    execute: createCrawl({
      sql,
      clock: systemClock,
      pool,
      robots: createRobotsCache({
        db: sql,
        userAgent: 'MillraceTest',
        fetch: fetchers.fetchRobots,
        now: () => new Date(),
      }),
      ladder: fetchers.ladder,
      userAgent: 'MillraceTest',
      respectRobots: true,
      floorMs: 0,
      maxPages: 500,
      concurrency: 8,
      archive,
      extract: true,
      ...overrides,
    }),
  })
  return {
    archive,
    crawl: async (sites) => {
      const ids = await registerSites(sql, sites)
      const runs = await enqueueRuns(
        sql,
        sites.map((site) => ({
          sourceId: ids.get(site.key) ?? '',
          hostKey: new URL(site.url).host,
          trigger: 'force' as const,
          payload: { url: site.url },
          maxRetries: 0,
        })),
      )
      await waitFor(
        'every run to end',
        async () => {
          const [row] = await sql<
            { open: number }[]
          >`select count(*)::int as open from runs where id = any(${runs}::uuid[]) and status in ('pending', 'running')`
          return row?.open === 0
        },
        { timeoutMs: 170_000, everyMs: 200 },
      )
      const ended = await sql<
        { source_id: string; status: string; error_message: string | null }[]
      >`
        select source_id, status, error_message from runs where id = any(${runs}::uuid[])`
      return new Map(
        sites.map((site) => {
          const run = ended.find((row) => row.source_id === ids.get(site.key))
          return [
            site.key,
            {
              sourceId: ids.get(site.key) ?? '',
              status: run?.status ?? 'missing',
              error: run?.error_message ?? null,
            },
          ]
        }),
      )
    },
    stop: async () => {
      await worker.stop()
      await pool.close()
      await fetchers.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function registerSites(sql: Sql, sites: readonly TestSite[]): Promise<Map<string, string>> {
  const inputs = sites.map((site) =>
    sourceInput.parse({ ...site.sourceDefaults, rate_limit: 1000 }),
  )
  await createSources(sql, inputs, { now: new Date(), by: 'user', autoManage: false })
  const rows = await sql<{ id: string; host_key: string }[]>`select id, host_key from sources`
  return new Map(
    sites.map((site) => [
      site.key,
      rows.find((row) => row.host_key === new URL(site.url).host)?.id ?? '',
    ]),
  )
}
