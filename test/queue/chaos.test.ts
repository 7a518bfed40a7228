import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { migrate } from '../../src/db/migrate.ts'
import { connect, type Sql } from '../../src/db/pool.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { packagePath } from '../../src/kernel/package-root.ts'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { waitFor } from '../harness/wait.ts'

// A server of its own: it is crashed on purpose. CHAOS_RUNS makes the test longer.
const runCount = Number(process.env['CHAOS_RUNS'] ?? 1000)
const workerCount = 8
const leaseMs = 4000
const stepMs = 60

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-chaos-'))
chmodSync(dataDir, 0o755)
let server: EmbeddedPostgres | null = null
let sql: Sql
const workers = new Map<string, ChildProcess>()
let ended = false
let started = 0
let seed = 7

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  sql = connect(server.url, { max: 8 })
  await migrate(sql)
  await sql`create table chaos_steps (run_id uuid, step integer, worker text, at timestamptz default now())`
  await sql`create table chaos_refusals (run_id uuid, worker text)`
  await sql`create table chaos_completions (run_id uuid)`
  await sql`
    create function note_completion() returns trigger language plpgsql as $$
    begin
      insert into chaos_completions values (new.id);
      return new;
    end $$`
  await sql`
    create trigger note_completion after update on runs for each row
    when (new.status = 'completed') execute function note_completion()`
})

afterAll(async () => {
  ended = true
  for (const child of workers.values()) child.kill('SIGKILL')
  await sql.end({ timeout: 2 })
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
  if (server !== null) rmSync(server.folder, { recursive: true, force: true })
})

test(
  'every run completes exactly once although workers are killed, one is frozen past its lease, and Postgres crashes',
  { timeout: 60_000 + runCount * 60 },
  async () => {
    await addProcess('reaper')
    await Promise.all(Array.from({ length: workerCount }, () => addProcess()))
    await enqueue(runCount / 2)

    const frozen = pick('reaper')
    await waitFor('the worker to be at work', async () => (await stepsOf(frozen)) > 0)
    workers.get(frozen)?.kill('SIGSTOP')
    setTimeout(() => workers.get(frozen)?.kill('SIGCONT'), leaseMs + 3000)

    const kills: { name: string; at: number }[] = []
    let crashed = false
    for (;;) {
      await pauseFor(1000)
      const done = await completed().catch(() => 0)
      if (done === runCount) break
      // The crash waits for the frozen worker's late writes, and the second half of the work for the crash.
      if (!crashed && (await refusalsOf(frozen).catch(() => 0)) > 0) {
        crashed = true
        await crashPostgres()
        await enqueue(runCount / 2)
        continue
      }
      // Once it has been refused, the frozen worker is as mortal as the rest; so is the reaper.
      const victim = crashed ? pick() : pick(frozen, 'reaper')
      workers.get(victim)?.kill('SIGKILL')
      kills.push({ name: victim, at: Date.now() })
    }

    expect(await refusalsOf(frozen)).toBeGreaterThan(0)
    expect(crashed).toBe(true)
    expect(kills.length).toBeGreaterThan(3)
    expect(await countPerRun('chaos_completions')).toEqual([{ runs: runCount, least: 1, most: 1 }])
    expect(await countPerRun('chaos_steps')).toEqual([{ runs: runCount, least: 3, most: 3 }])
    const [twice] = await sql`
      select count(*)::int as n from (
        select 1 from chaos_steps group by run_id, step having count(*) > 1) repeated`
    expect(twice).toEqual({ n: 0 })
    expect(await slowestRecovery(kills)).toBeLessThan(20_000)
  },
)

/** A process that ends, by our hand or not, is replaced, as a service manager would do. */
async function addProcess(name = `worker-${++started}`): Promise<void> {
  const script = packagePath('test', 'queue', 'chaos-worker.ts')
  const args = [server?.url ?? '', name, String(leaseMs), String(stepMs)]
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  workers.set(name, child)
  child.once('exit', () => {
    workers.delete(name)
    if (!ended) void addProcess(name === 'reaper' ? name : undefined)
  })
  await new Promise<void>((resolve) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', () => resolve())
  })
}

/** A worker, chosen by a seed so that a failure can be repeated. */
function pick(...except: string[]): string {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  const names = [...workers.keys()].filter((name) => !except.includes(name))
  return names[seed % names.length] ?? ''
}

/** Killing one backend makes the server drop every connection, recover from its log and start again. */
async function crashPostgres(): Promise<void> {
  const [row] = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name like 'worker-%' order by pid limit 1`
  if (row === undefined) throw new Error('no worker is connected')
  // Our own connections are not the subject here, so they are gone before the server is.
  await sql.end({ timeout: 1 })
  process.kill(row.pid, 'SIGKILL')
  await pauseFor(500)
  await waitFor('Postgres to come back', async () => {
    const probe = connect(server?.url ?? '', { max: 1 })
    try {
      return (await probe`select 1`).length === 1
    } finally {
      await probe.end({ timeout: 1 })
    }
  })
  sql = connect(server?.url ?? '', { max: 4 })
}

async function enqueue(count: number): Promise<void> {
  const runs = Array.from({ length: count }, () => ({ maxRetries: 50 }))
  for (let i = 0; i < count; i += 500) await enqueueRuns(sql, runs.slice(i, i + 500))
}

async function completed(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from runs where status = 'completed'`
  return row?.n ?? 0
}

async function refusalsOf(name: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from chaos_refusals where worker = ${name}`
  return row?.n ?? 0
}

async function stepsOf(name: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from chaos_steps where worker = ${name}`
  return row?.n ?? 0
}

async function countPerRun(table: string) {
  return [
    ...(await sql`
      select count(*)::int as runs, min(n)::int as least, max(n)::int as most
      from (select run_id, count(*) as n from ${sql(table)} group by run_id) counted`),
  ]
}

/** From the kill of a worker until the last of its runs was free again. */
async function slowestRecovery(kills: { name: string; at: number }[]): Promise<number> {
  const rows = await sql<{ ended: Date }[]>`
    select (a ->> 'ended_at')::timestamptz as ended
    from runs, jsonb_array_elements(attempts) a where a ->> 'reason' = 'Worker timed out'`
  const delays = rows.map(({ ended }) => {
    const before = kills.filter((kill) => kill.at <= ended.getTime()).at(-1)
    return before === undefined ? 0 : ended.getTime() - before.at
  })
  return Math.max(0, ...delays)
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
