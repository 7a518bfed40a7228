import { chmodSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import pc from 'picocolors'
import { loadConfig, type Config } from '../config.ts'
import { startWorker, type WorkerDeps } from '../duties/crawl.ts'
import { startEmbeddedPostgres } from '../db/embedded/launch.ts'
import { migrate } from '../db/migrate.ts'
import { connect, type Sql } from '../db/pool.ts'
import { systemClock } from '../kernel/clock.ts'
import { Stop } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { privateUrlReason } from '../kernel/private-address.ts'
import { hostKey, normalizeUrl } from '../kernel/url.ts'
import { enqueueRuns } from '../runs/enqueue.ts'
import type { RunProgress } from '../runs/types.ts'

export interface CrawlOptions {
  depth: string
  maxPages: string
  output?: string
  quiet?: boolean
}

const pollMs = 250
const itemsPerRead = 500

/** Crawls one site with the real crawler on a database of its own, which is gone afterwards. Items go out as JSON lines. */
export async function crawlOnce(address: string, options: CrawlOptions): Promise<void> {
  const config = loadConfig()
  const url = checkAddress(address, config)
  const payload = {
    url,
    depth: count('--depth', options.depth, 0, 20),
    max_pages: count('--max-pages', options.maxPages, 1, 1_000_000),
  }
  const folder = mkdtempSync(join(tmpdir(), 'millrace-crawl-'))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    log: silentLog,
    settings: { fsync: 'off', synchronous_commit: 'off' },
  })
  const sql = connect(server.url, { max: config.databasePoolSize })
  const out = options.output === undefined ? process.stdout : createWriteStream(options.output)
  try {
    await migrate(sql)
    const worker = startWorker(workerDeps(sql, { ...config, dataDir: folder }))
    const [runId = ''] = await enqueueRuns(sql, [
      { trigger: 'one_off', hostKey: hostKey(url) ?? '', payload, maxRetries: 0 },
    ])
    const failed = await follow(sql, runId, out, options.quiet ?? false)
    await worker.stop()
    if (failed !== null) throw new Stop(`The crawl of ${url} failed: ${failed}`)
  } finally {
    if (out !== process.stdout) {
      out.end()
      await once(out, 'finish')
    }
    await sql.end({ timeout: 2 })
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
    rmSync(server.folder, { recursive: true, force: true })
  }
}

function checkAddress(address: string, config: Config): string {
  const url = normalizeUrl(/^https?:\/\//i.test(address) ? address : `https://${address}`)
  if (url === null) throw new Stop(`"${address}" is not an address that can be crawled.`)
  const reason = config.allowPrivateNetworks ? null : privateUrlReason(url)
  if (reason !== null)
    throw new Stop(
      `${url} ${reason}. Set CRAWLER_ALLOW_PRIVATE_NETWORKS=true to crawl your own network.`,
    )
  return url
}

function count(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Stop(`${name}: a whole number from ${min} to ${max}`)
  return value
}

function workerDeps(sql: Sql, config: Config): WorkerDeps {
  return {
    sql,
    clock: systemClock,
    log: silentLog,
    config,
    instanceId: `crawl-${process.pid}`,
    allowedHosts: new Set(),
  }
}

interface RunState {
  status: string
  error_message: string | null
  progress: RunProgress | null
  counters: Record<string, number> | null
}

/** Writes items as they are committed and keeps one line of progress; gives the reason when the run failed. */
async function follow(
  sql: Sql,
  runId: string,
  out: Writable,
  quiet: boolean,
): Promise<string | null> {
  let after = '0'
  for (;;) {
    const [run] = await sql<RunState[]>`
      select status, error_message, progress, counters from runs where id = ${runId}`
    after = await writeItems(sql, runId, after, out)
    const ended = run === undefined || !['pending', 'running'].includes(run.status)
    if (!quiet)
      showProgress(
        ended ? 100 : (run?.progress?.percent ?? 0),
        run?.counters ?? run?.progress?.counters ?? {},
        ended,
      )
    if (ended) return run?.status === 'completed' ? null : (run?.error_message ?? 'it was stopped')
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

async function writeItems(sql: Sql, runId: string, after: string, out: Writable): Promise<string> {
  let last = after
  for (;;) {
    const rows = await sql<{ id: string; url: string; item: Record<string, unknown> }[]>`
      select r.id, p.final_url as url, r.item from raw_items r join pages p on p.id = r.page_id
      where r.run_id = ${runId} and r.id > ${last} order by r.id limit ${itemsPerRead}`
    for (const row of rows) {
      if (!out.write(`${JSON.stringify({ page: row.url, ...row.item })}\n`))
        await once(out, 'drain')
    }
    last = rows.at(-1)?.id ?? last
    if (rows.length < itemsPerRead) return last
  }
}

function showProgress(percent: number, counters: Record<string, number>, ended: boolean): void {
  const { fetched = 0, unchanged = 0, failed = 0, refused = 0, items = 0 } = counters
  const line = `${percent}% · ${fetched + unchanged} pages · ${items} items · ${failed} failed · ${refused} refused`
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[2K${pc.cyan('crawling')} ${line}${ended ? '\n' : ''}`)
  else if (ended) process.stderr.write(`${line}\n`)
}
