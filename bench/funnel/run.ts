// npm run bench:funnel [-- --events 11000000] [--folder kept-between-runs]
import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
  readFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { startEmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { connect, type Sql } from '../../src/db/pool.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { packagePath } from '../../src/kernel/package-root.ts'
import { foldEverything } from '../../src/stages/fold.ts'
import { compareAnswers, isComparable } from './compare.ts'
import { fillDatabase } from './fill.ts'
import { percentile, round, timed } from './measure.ts'
import { startBenchApi } from './serve.ts'
import { specFunnel } from './spec-tables.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '11000000' },
    /** Filled once and kept, to measure again without filling. */
    folder: { type: 'string' },
  },
})
const wanted = Number(values.events)
const run = promisify(execFile)
const figures: Record<string, number> = {}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'millrace-bench-'))
mkdirSync(folder, { recursive: true })
chmodSync(folder, 0o755)
try {
  await main()
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const end = await filledUntil()
  const server = await startEmbeddedPostgres({ dataDir: folder, log: silentLog })
  const sql = connect(server.url, { max: 8 })
  try {
    await measure(server.url, sql, end)
  } finally {
    await sql.end({ timeout: 5 })
    await server.stop()
  }
}

/** Fills the folder unless it is filled; gives the time of its last event. */
async function filledUntil(): Promise<Date> {
  const mark = join(folder, 'filled-until')
  if (existsSync(mark)) return new Date(readFileSync(mark, 'utf8'))
  const end = new Date(Math.floor(Date.now() / 1000) * 1000)
  await fillDatabase(folder, wanted, end, say)
  writeFileSync(mark, end.toISOString())
  return end
}

function say(name: string, value: number, unit: string): void {
  figures[name] = round(value)
  console.log(`${name.padEnd(34)} ${String(round(value)).padStart(12)} ${unit}`)
}

async function measure(databaseUrl: string, sql: Sql, end: Date): Promise<void> {
  const api = await startBenchApi(sql)
  const periods = ['today', '24h', '7d', '30d']
  for (const period of periods) {
    await ask(`funnel_${period}`, 200, () => `/api/v1/funnel?period=${period}`)
  }
  await ask(
    'funnel_30d_source',
    200,
    (n) => `/api/v1/funnel?period=30d&source=source_${(n % 200) + 1}`,
  )
  await ask(
    'funnel_30d_amsterdam_series',
    20,
    () => '/api/v1/funnel/timeseries?period=30d&bucket=day&tz=Europe/Amsterdam',
  )
  for (const period of periods)
    await ask(`stats_${period}`, 20, () => `/api/v1/stats?period=${period}`)
  await ask(
    'stats_30d_source',
    20,
    (n) => `/api/v1/stats?period=30d&source=source_${(n % 200) + 1}`,
  )
  await ask('journey', 200, (n) => `/api/v1/journey?url=${encodeURIComponent(url(n * 7919 + 1))}`)

  // Made only now: a connection that waits for a minute is closed, and its setting with it.
  const asker = connect(databaseUrl, { max: 1 })
  await asker.unsafe('set statement_timeout = 0')
  const month = [new Date(end.getTime() - 30 * 86_400_000), end] as const
  const day = [new Date(end.getTime() - 86_400_000), end] as const
  const spec30 = await timed(() => specFunnel(asker, ...month))
  const spec1 = await timed(() => specFunnel(asker, ...day))
  say('spec_funnel_30d_ms', spec30, 'ms')
  say('spec_funnel_24h_ms', spec1, 'ms')
  if (await isComparable(sql)) {
    const differences = await compareAnswers(api, asker, end)
    say('different_answers', differences.length, '')
    for (const difference of differences) console.log(difference)
  } else console.log('answers are compared only in the first run on a folder')

  // As with questions, the first few are not measured.
  await send('warm_up', { batch: 500, requests: 40, parallel: 3 })
  await load('ingest_batch', { batch: 500, requests: 200, parallel: 3 })
  await load('ingest_single', { batch: 1, requests: 2000, parallel: 1 })
  await load('ingest_single_parallel', { batch: 1, requests: 6000, parallel: 32 })
  await ask('funnel_30d_unfolded', 100, () => '/api/v1/funnel?period=30d')
  say('fold_ms', await timed(() => foldEverything(sql)), 'ms')
  await ask('funnel_30d_folded', 100, () => '/api/v1/funnel?period=30d')

  await api.stop()
  await asker.end()
  const ratio = spec30 / (figures['funnel_30d_p50_ms'] ?? NaN)
  console.log(
    JSON.stringify({ bench: 'funnel', ratios: { 'spec-sql-30d': round(ratio) }, figures }),
  )

  async function ask(name: string, times: number, path: (n: number) => string): Promise<void> {
    const took: number[] = []
    for (let n = -5; n < times; n++) {
      const ms = await timed(() => api.get(path(n + 5)))
      if (n >= 0) took.push(ms)
    }
    say(`${name}_p50_ms`, percentile(took, 0.5), 'ms')
    say(`${name}_p99_ms`, percentile(took, 0.99), 'ms')
  }

  async function load(name: string, how: Load): Promise<void> {
    const result = await send(name, how)
    say(`${name}_events_per_s`, result.created / result.seconds, '/s')
    say(`${name}_p50_ms`, percentile(result.times, 0.5), 'ms')
    say(`${name}_p99_ms`, percentile(result.times, 0.99), 'ms')
  }

  async function send(
    name: string,
    how: Load,
  ): Promise<{ created: number; seconds: number; times: number[] }> {
    const options = { url: api.url, token: api.token, name, ...how }
    const args = Object.entries(options).flatMap(([key, value]) => [`--${key}`, String(value)])
    const { stdout } = await run(
      process.execPath,
      ['--import', 'tsx', packagePath('bench', 'funnel', 'load.ts'), ...args],
      { cwd: packagePath(), maxBuffer: 64 * 1024 * 1024 },
    )
    return JSON.parse(stdout) as { created: number; seconds: number; times: number[] }
  }

  function url(n: number): string {
    const article = (n % Math.round(wanted / 5.24)) + 1
    return `https://site${article % 997}.example.com/news/2026/article-${article}-with-a-title-of-usual-length`
  }
}

interface Load {
  batch: number
  requests: number
  parallel: number
}
