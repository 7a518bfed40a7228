// The crawler as it runs in `millrace serve`: its own PostgreSQL with durable commits, the archive on, every page recorded.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/kernel/package-root.ts'

// The built program, because that is what people run; its types are those of the sources.
const built = <T>(path: string): Promise<T> =>
  import(packagePath('dist', 'src', path)) as Promise<T>
const { loadConfig } = await built<typeof import('../../src/config.ts')>('config.js')
const { startEmbeddedPostgres } =
  await built<typeof import('../../src/db/embedded/launch.ts')>('db/embedded/launch.js')
const { migrate } = await built<typeof import('../../src/db/migrate.ts')>('db/migrate.js')
const { connect } = await built<typeof import('../../src/db/pool.ts')>('db/pool.js')
const { startWorker } = await built<typeof import('../../src/duties/crawl.ts')>('duties/crawl.js')
const { enqueueRuns } = await built<typeof import('../../src/runs/enqueue.ts')>('runs/enqueue.js')
const { systemClock } = await built<typeof import('../../src/kernel/clock.ts')>('kernel/clock.js')
const { silentLog } = await built<typeof import('../../src/kernel/log.ts')>('kernel/log.js')
const { hostKey } = await built<typeof import('../../src/kernel/url.ts')>('kernel/url.js')

const [starts = '', maxPages = '5000'] = process.argv.slice(2)
const urls = starts.startsWith('@')
  ? (JSON.parse(readFileSync(starts.slice(1), 'utf8')) as string[])
  : [starts]
const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
chmodSync(folder, 0o755)
const server = await startEmbeddedPostgres({ dataDir: folder, log: silentLog })
const config = { ...loadConfig(), dataDir: folder }
const sql = connect(server.url, { max: config.databasePoolSize })
try {
  await migrate(sql)
  const worker = startWorker({
    sql,
    clock: systemClock,
    log: silentLog,
    config,
    instanceId: 'bench',
    allowedHosts: new Set(),
  })
  const postmaster = Number(
    readFileSync(join(server.folder, 'postmaster.pid'), 'utf8').split('\n')[0],
  )
  await loadTools()
  const started = new Date()
  say({ ready: true, family: [postmaster] })
  await crawl(urls, Number(maxPages))
  const [kept] = await sql<{ pages: number; items: number; archived: number; failed: number }[]>`
    select (select count(*)::int from pages where outcome = 'fetched' and fetched_at >= ${started}) as pages,
      (select count(*)::int from raw_items where created_at >= ${started}) as items,
      (select count(*)::int from pages where archived and fetched_at >= ${started}) as archived,
      (select count(*)::int from runs where status <> 'completed') as failed`
  say({ done: true, ...kept })
  await worker.stop()
} finally {
  await sql.end({ timeout: 2 })
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  rmSync(server.folder, { recursive: true, force: true })
}

async function crawl(starts: readonly string[], pages: number): Promise<void> {
  await enqueueRuns(
    sql,
    starts.map((url) => ({
      trigger: 'one_off' as const,
      hostKey: hostKey(url) ?? '',
      payload: { url, depth: 20, max_pages: pages },
      maxRetries: 0,
    })),
  )
  for (;;) {
    const [left] = await sql<{ count: number }[]>`
      select count(*)::int as count from runs where status in ('pending', 'running')`
    if (left?.count === 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A worker loads its tools and threads with its first run; the programs of the others are loaded when they are ready. */
async function loadTools(): Promise<void> {
  const links = Array.from({ length: 20 }, (_, page) => `<a href="/${page}">${page}</a>`).join('')
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<title>A page</title>${links}`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  await crawl([`http://127.0.0.1:${port}/`], 20)
  site.closeAllConnections()
  site.close()
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
