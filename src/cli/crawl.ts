import { chmodSync, createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { loadConfig, type Config } from '../config.ts'
import { startWorker, type WorkerDeps } from '../duties/crawl.ts'
import { startEmbeddedPostgres } from '../db/embedded/launch.ts'
import { migrate } from '../db/migrate.ts'
import { connect, type Sql } from '../db/pool.ts'
import { systemClock } from '../kernel/clock.ts'
import { Stop, codeOf, messageOf } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { privateUrlReason } from '../kernel/private-address.ts'
import { hostKey, normalizeUrl } from '../kernel/url.ts'
import { enqueueRuns } from '../runs/enqueue.ts'
import { createLines, follow } from './follow-crawl.ts'

export interface CrawlOptions {
  depth: string
  maxPages: string
  output?: string
  quiet?: boolean
}

/** What a shell expects of a program that was interrupted. */
const interrupted = 130

/**
 * Crawls one site with the real crawler on a database of its own, which is gone afterwards. Items go out as JSON lines.
 * Whoever interrupts it keeps what was found until then.
 */
export async function crawlOnce(address: string, options: CrawlOptions): Promise<void> {
  const config = loadConfig()
  const url = checkAddress(address, config)
  const payload = {
    url,
    depth: count('--depth', options.depth, 0, 20),
    max_pages: count('--max-pages', options.maxPages, 1, 1_000_000),
  }
  const out = openOutput(options.output)
  const stopping = new AbortController()
  const restore = onInterrupt(() => stopping.abort())
  let broken: Error | null = null
  // A reader that has seen enough (`| head`) ends the crawl as well.
  out.on('error', (error) => {
    broken = error
    stopping.abort()
  })
  try {
    const failed = await onOwnDatabase(config, async (sql, own) => {
      if (stopping.signal.aborted) return null
      await migrate(sql)
      const worker = startWorker(workerDeps(sql, own))
      const [runId = ''] = await enqueueRuns(sql, [
        { trigger: 'one_off', hostKey: hostKey(url) ?? '', payload, maxRetries: 0 },
      ])
      const lines = createLines(sql, runId, out)
      const end = await follow(sql, runId, lines, options.quiet ?? false, stopping.signal)
      await worker.stop()
      await lines.write()
      return end
    })
    if (out !== process.stdout && broken === null) {
      out.end()
      await once(out, 'finish')
    }
    if (broken !== null && codeOf(broken) !== 'EPIPE')
      throw new Stop(`The items cannot be written: ${messageOf(broken)}`)
    if (failed !== null) throw new Stop(`The crawl of ${url} failed: ${failed}`)
    if (broken === null && stopping.signal.aborted) {
      process.exitCode = interrupted
      process.stderr.write('Stopped; what was found is written.\n')
    }
  } finally {
    restore()
  }
}

/** A file that cannot be written is told before anything is fetched. */
function openOutput(file: string | undefined): Writable {
  if (file === undefined) return process.stdout
  try {
    return createWriteStream(file, { fd: openSync(file, 'w') })
  } catch (error) {
    throw new Stop(`--output: ${file} cannot be written (${messageOf(error)}).`, { cause: error })
  }
}

/** The first signal ends the crawl in order; a second one ends the program at once. */
function onInterrupt(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const handle = (): void => {
    stop()
    for (const signal of signals) process.off(signal, handle)
  }
  for (const signal of signals) process.on(signal, handle)
  return () => signals.forEach((signal) => process.off(signal, handle))
}

async function onOwnDatabase<T>(
  config: Config,
  work: (sql: Sql, own: Config) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-crawl-'))
  chmodSync(folder, 0o755)
  try {
    const server = await startEmbeddedPostgres({
      dataDir: folder,
      log: silentLog,
      settings: { fsync: 'off', synchronous_commit: 'off' },
    })
    const sql = connect(server.url, { max: config.databasePoolSize })
    try {
      return await work(sql, { ...config, dataDir: folder })
    } finally {
      await sql.end({ timeout: 2 })
      await server.stop()
      rmSync(server.folder, { recursive: true, force: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
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
