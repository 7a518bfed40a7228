// Items per second from raw to kept, duplicates looked for: with little and with much already kept.
// Usage: tsx bench/refine/run.ts [--small 10000] [--large 1000000, 0 for none] [--items 10000]
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { migrate } from '../../src/db/migrate.ts'
import { connect, transaction, type Sql } from '../../src/db/pool.ts'
import { insertRawItems, type NewRawItem } from '../../src/extract/store.ts'
import { dedupStage } from '../../src/flows/refine/dedup-items.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { refineLoops } from '../../src/flows/refine/start.ts'
import {
  runStageOnce,
  type Stage,
  type StageDeps,
  type StageRow,
} from '../../src/flows/refine/stage.ts'
import { newId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { normalizeUrl, urlHash } from '../../src/kernel/url.ts'
import { recordStage, type StageEvent } from '../../src/stages/record.ts'
import { processorSeconds } from '../crawl/usage.ts'
import { inventItem, seeded } from './items.ts'
import { multiply } from './multiply.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    items: { type: 'string', default: '10000' },
  },
})
const [small, large, items] = [Number(values.small), Number(values.large), Number(values.items)]
const sourceCount = 50
const aimPerSecond = 1500
const from = new Date()

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
chmodSync(dataDir, 0o755)
const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
const postgresPid = Number(
  readFileSync(join(server.folder, 'postmaster.pid'), 'utf8').split('\n')[0],
)
const sql = connect(server.url, { max: 8 })
try {
  await migrate(sql)
  const sources = await addSources(sql)
  const deps: StageDeps = {
    sql,
    clock: { now: () => new Date(Date.now() + 60_000) },
    log: silentLog,
    metrics: createMetrics({ process: false }),
  }
  let next = 0
  const add = async (count: number): Promise<void> => {
    await addRaw(sql, sources, next, count)
    next += count
  }
  await add(small)
  await refineAll(deps)
  await sql`analyze`
  await add(items)
  const withLittle = await refineAll(deps)
  console.log(told(small, withLittle))
  if (large > 0) {
    await multiply(sql, large)
    await add(items)
  }
  const withMuch = large > 0 ? await refineAll(deps) : withLittle
  const [kept] = await sql<{ n: number; clusters: number }[]>`
    select ((select count(*) from calendar_events) + (select count(*) from articles))::int as n,
      (select count(*) from clusters)::int as clusters`
  if (large > 0) console.log(told(kept?.n ?? 0, withMuch))
  const ratios = {
    limit_1500_small: share(withLittle.perSecond, aimPerSecond),
    limit_1500_large: share(withMuch.perSecond, aimPerSecond),
    large_to_small: share(withMuch.perSecond, withLittle.perSecond),
  }
  const figures = {
    items,
    small_kept: small,
    small_items_per_second: withLittle.perSecond,
    large_kept: kept?.n,
    large_items_per_second: withMuch.perSecond,
    clusters: kept?.clusters,
    small_cpu_seconds_per_10000: withLittle.cpuSeconds,
    large_cpu_seconds_per_10000: withMuch.cpuSeconds,
    refine_seconds: withMuch.refineSeconds,
    dedup_seconds: withMuch.dedupSeconds,
  }
  console.log(JSON.stringify({ bench: 'refine', ratios, figures }))
} finally {
  await sql.end({ timeout: 5 })
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(server.folder, { recursive: true, force: true })
}

interface Refined {
  perSecond: number
  refineSeconds: number
  dedupSeconds: number
  /** Processor seconds per 10,000 items: this program's and PostgreSQL's. */
  cpuSeconds: { node: number; postgres: number }
}

function share(reached: number, of: number): number {
  return Math.round((reached / of) * 100) / 100
}

function told(kept: number, { perSecond, cpuSeconds: { node, postgres } }: Refined): string {
  return `${kept} kept: ${perSecond} items/s, processor seconds per 10,000 items: node ${node}, postgres ${postgres}`
}

/** Both stages at once, as in the program, until nothing waits. */
async function refineAll(deps: StageDeps): Promise<Refined> {
  const started = performance.now()
  const ownBefore = process.cpuUsage()
  const postgresBefore = processorSeconds(postgresPid)
  let dedupSeconds = 0
  let refineDone = false
  const refining = (async () => {
    const counts = await Promise.all(
      Array.from({ length: refineLoops }, () => drain(refineStage({ recordStage }), deps)),
    )
    refineDone = true
    return counts.reduce((sum, count) => sum + count, 0)
  })()
  const deduping = (async () => {
    const stage = dedupStage()
    for (;;) {
      const before = refineDone
      const at = performance.now()
      const taken = await runStageOnce(stage, deps)
      if (taken > 0) dedupSeconds += (performance.now() - at) / 1000
      else if (before) return
      else await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const total = await refining
  const refineSeconds = (performance.now() - started) / 1000
  await deduping
  const seconds = (performance.now() - started) / 1000
  const own = process.cpuUsage(ownBefore)
  const per10k = (spent: number): number => Math.round((spent * 1_000_000) / total) / 100
  return {
    cpuSeconds: {
      node: per10k((own.user + own.system) / 1_000_000),
      postgres: per10k(processorSeconds(postgresPid) - postgresBefore),
    },
    perSecond: Math.round(total / seconds),
    refineSeconds: Math.round(refineSeconds * 10) / 10,
    dedupSeconds: Math.round(dedupSeconds * 10) / 10,
  }
}

async function drain<Row extends StageRow>(stage: Stage<Row>, deps: StageDeps): Promise<number> {
  let total = 0
  for (let empty = 0; empty < 3;) {
    const taken = await runStageOnce(stage, deps)
    if (taken > 0) empty = 0
    else {
      empty++
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    total += taken
  }
  return total
}

async function addSources(sql: Sql): Promise<string[]> {
  const ids = Array.from({ length: sourceCount }, () => newId())
  for (const [n, id] of ids.entries()) {
    const url = `https://site-${n}.example/`
    await sql`
      insert into sources (id, name, url, url_key, host_key) values (${id}, ${`Site ${n}`}, ${url}, ${urlHash(url)}, ${`site-${n}.example`})`
  }
  return ids
}

async function addRaw(
  sql: Sql,
  sources: readonly string[],
  first: number,
  count: number,
): Promise<void> {
  const random = seeded(first + 1)
  const bySource = new Map<string, NewRawItem[]>()
  for (let n = first; n < first + count; n++) {
    const item = inventItem(n, random, from)
    const source = sources[n % sources.length] ?? ''
    const rows = bySource.get(source) ?? []
    rows.push({
      source_id: source,
      run_id: null,
      page_id: String(n + 1),
      url_hash: urlHash(normalizeUrl(item.url ?? '') ?? ''),
      item,
    })
    bySource.set(source, rows)
  }
  for (const rows of bySource.values()) {
    for (let at = 0; at < rows.length; at += 1000) {
      const part = rows.slice(at, at + 1000)
      await transaction(sql, async (tx) => {
        await insertRawItems(tx, part)
        await recordStage(tx, part.map(crawledEvent))
      })
    }
  }
}

/** The crawl that found an item told the funnel of it. */
function crawledEvent({ source_id, page_id, item }: NewRawItem): StageEvent {
  return {
    url: item.url ?? '',
    source: { id: source_id, name: source_id },
    stage: 'crawled',
    occurredAt: new Date(),
    serviceName: 'crawler',
    idempotencyKey: `crawled:${page_id}:0`,
    metadata: { response_code: 200, content_length: 20_000, is_duplicate: false },
  }
}
