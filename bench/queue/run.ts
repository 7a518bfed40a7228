// npm run bench:queue: Millrace's queue beside graphile-worker, pg-boss and a bare SKIP LOCKED loop, interleaved on
// one Postgres. Sizes by BENCH_JOBS, BENCH_FINISHED and BENCH_ROUNDS.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { connect, type Sql } from '../../src/db/pool.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { packagePath } from '../../src/kernel/package-root.ts'
import { finishedRows, remaining } from './backlog.ts'
import { startChild, type Child } from './child.ts'
import { installPeers } from './peers.ts'
import { measureScheduler } from './scheduler.ts'

const jobs = Number(process.env['BENCH_JOBS'] ?? 20_000)
const finished = Number(process.env['BENCH_FINISHED'] ?? 1_000_000)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const batch = 100
const trickle = { jobs: 200, everyMs: 50 }

const names = ['millrace', 'graphile-worker', 'pg-boss', 'bare'] as const
export type Name = (typeof names)[number]
type Figures = Record<string, Partial<Record<Name, number>>>

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
chmodSync(dataDir, 0o755)
const peers = installPeers()
const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
const admin = connect(server.url, { max: 1 })
const samples = new Map<string, number[]>()
/** Four processes each, started once: starting is not what is measured. */
const crews = new Map<Name, Child[]>()

try {
  for (const name of names) await admin`create database ${admin(databaseOf(name))}`
  for (const name of names) crews.set(name, await crew(name))
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`)
    for (const name of names) await throughput(name, 'no history')
  }
  for (const name of names) await latency(name)
  for (const name of names) await withDatabase(name, (sql) => finishedRows(name, sql, finished))
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds} with ${finished} finished rows`)
    for (const name of names) await throughput(name, `${finished} finished`)
  }
  const scheduler = await withDatabase('millrace', measureScheduler)
  print({ ...figures(), ...scheduler })
} finally {
  await Promise.allSettled([...crews.values()].flat().map((child) => child.end()))
  await admin.end()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(server.folder, { recursive: true, force: true })
}

async function throughput(name: Name, history: string): Promise<void> {
  for (const processes of [1, 4]) {
    const children = crewOf(name).slice(0, processes)
    const queued = await timed(() => crewOf(name)[0]?.ask({ do: 'enqueue', jobs, batch }))
    note(`enqueue, ${history}`, name, jobs / queued)
    const worked = await withDatabase(name, (sql) =>
      timed(async () => {
        await Promise.all(children.map((child) => child.ask({ do: 'work', batch })))
        await drained(name, sql, children)
      }),
    )
    note(
      `work, ${processes} process${processes === 1 ? '' : 'es'}, ${history}`,
      name,
      jobs / worked,
    )
    await Promise.all(children.map((child) => child.halt()))
  }
}

/** The children count what they did; the database is only asked when they should be through. */
async function drained(name: Name, sql: Sql, children: Child[]): Promise<void> {
  while (children.reduce((sum, child) => sum + child.count(), 0) < jobs) await pause(10)
  while ((await remaining(name, sql)) > 0) await pause(5)
}

async function latency(name: Name): Promise<void> {
  const [worker, producer] = crewOf(name)
  if (worker === undefined || producer === undefined) throw new Error('a crew of four is missing')
  await worker.ask({ do: 'work', batch: 1 })
  await pause(1500)
  await producer.ask({ do: 'trickle', ...trickle })
  await pause(500)
  const ms = (await worker.halt()).toSorted((a, b) => a - b)
  note('start latency p50 ms', name, ms[Math.floor(ms.length * 0.5)] ?? NaN)
  note('start latency p99 ms', name, ms[Math.floor(ms.length * 0.99)] ?? NaN)
}

async function crew(name: Name): Promise<Child[]> {
  const own = name === 'millrace' || name === 'bare'
  const script = packagePath('bench', 'queue', own ? `${name}.ts` : `${name}.mjs`)
  const program = own ? process.execPath : peers.node
  const loader = own ? ['--import', 'tsx'] : []
  const args = [...loader, script, urlOf(name), peers.folder]
  const children = await Promise.all(Array.from({ length: 4 }, () => startChild(program, args)))
  for (const child of children) await child.ask({ do: 'prepare' })
  return children
}

function crewOf(name: Name): Child[] {
  return crews.get(name) ?? []
}

async function withDatabase<T>(name: Name, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(urlOf(name), { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

function databaseOf(name: Name): string {
  return `bench_${name.replaceAll('-', '_')}`
}

function urlOf(name: Name): string {
  const url = new URL(server.url)
  url.pathname = `/${databaseOf(name)}`
  return url.href
}

async function timed(work: () => Promise<unknown> | undefined): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

function note(what: string, name: Name, value: number): void {
  const key = `${what}\t${name}`
  samples.set(key, [...(samples.get(key) ?? []), value])
  say(`  ${what}: ${name} ${value.toFixed(value < 100 ? 1 : 0)}`)
}

function figures(): Figures {
  const table: Figures = {}
  for (const [key, values] of samples) {
    const [what = '', name = ''] = key.split('\t')
    const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
    table[what] = { ...table[what], [name]: Math.round(median * 10) / 10 }
  }
  return table
}

/** Ratios above 1 mean that Millrace is ahead: more jobs a second, or less waiting. */
function print(table: Record<string, Partial<Record<string, number>>>): void {
  const ratios: Record<string, number> = {}
  for (const [what, row] of Object.entries(table)) {
    const ours = row['millrace']
    for (const [name, theirs] of Object.entries(row)) {
      if (ours === undefined || theirs === undefined || name === 'millrace') continue
      const ratio = what.endsWith('ms') ? theirs / ours : ours / theirs
      ratios[`${what}, millrace / ${name}`] = Math.round(ratio * 100) / 100
    }
  }
  console.log(JSON.stringify({ bench: 'queue', ratios, figures: table }))
}

function say(text: string): void {
  console.error(text)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
