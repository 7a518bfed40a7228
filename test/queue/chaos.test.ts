import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sql } from '../../src/db/pool.ts'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { bundle } from '../harness/bundle.ts'
import { startOwnPostgres, type OwnPostgres } from '../harness/own-postgres.ts'
import { waitFor } from '../harness/wait.ts'

// A server of its own: it is crashed on purpose.
const runCount = Number(process.env['CHAOS_RUNS'] ?? 2000)
const workerCount = 8
const leaseMs = 4000
const stepMs = 30

let server: OwnPostgres
let sql: Sql
let script = ''
const workers = new Map<string, ChildProcess>()
const ready = new Set<string>()
/** When each was killed or frozen. */
const stopped = new Map<string, number>()
let enqueued = 0
let ended = false
let started = 0
let seed = 7

beforeAll(async () => {
  script = await bundle('test', 'queue', 'chaos-worker.ts')
  server = await startOwnPostgres('chaos')
  sql = server.sql
  await sql`create table chaos_steps (run_id uuid, step integer, worker text, at timestamptz default now())`
  await sql`create table chaos_refusals (run_id uuid, worker text)`
  await sql`create table chaos_completions (run_id uuid)`
  await sql`create table chaos_workers (id uuid, name text)`
  await sql`
    create function note_worker() returns trigger language plpgsql as $$
    begin
      insert into chaos_workers values (new.id, new.instance_id);
      return new;
    end $$`
  await sql`
    create trigger note_worker after insert on workers for each row execute function note_worker()`
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
  await server.remove()
  rmSync(script, { force: true })
})

test(
  'every run completes exactly once although workers are killed, one is frozen past its lease, and Postgres goes away twice',
  { timeout: 120_000 + runCount * 120 },
  async () => {
    await addProcess('reaper')
    await Promise.all(Array.from({ length: workerCount }, () => addProcess()))
    await enqueue(runCount / 2)

    const frozen = pick('reaper')
    await waitFor('the worker to be at work', async () => (await stepsOf(frozen)) > 0)
    stop(frozen, 'SIGSTOP')
    setTimeout(() => workers.get(frozen)?.kill('SIGCONT'), leaseMs + 3000)
    while ((await refusalsOf(frozen)) === 0) {
      await pauseFor(1000)
      killOne(frozen, 'reaper')
    }

    await everyoneSurvives('a crash of Postgres', server.crash)
    await everyoneSurvives('a restart of Postgres', server.restart)

    // Once it has been refused, the frozen worker is as mortal as the rest; so is the reaper.
    await enqueue(runCount - Math.min(runCount, enqueued))
    while ((await completed()) < enqueued) {
      killOne()
      await pauseFor(1000)
    }

    expect(await refusalsOf(frozen)).toBeGreaterThan(0)
    expect(stopped.size).toBeGreaterThan(3)
    expect(await countPerRun('chaos_completions')).toEqual([{ runs: enqueued, least: 1, most: 1 }])
    expect(await countPerRun('chaos_steps')).toEqual([{ runs: enqueued, least: 3, most: 3 }])
    const [twice] = await sql`
      select count(*)::int as n from (
        select 1 from chaos_steps group by run_id, step having count(*) > 1) repeated`
    expect(twice).toEqual({ n: 0 })
    expect(await retriesForOtherReasons()).toEqual([])
    const recoveries = await recoveryTimes()
    expect(recoveries.length).toBeGreaterThan(0)
    expect(Math.max(...recoveries)).toBeLessThan(20_000)
  },
)

/** The same processes are at work before and after: they reconnect by themselves. */
async function everyoneSurvives(what: string, outage: () => Promise<void>): Promise<void> {
  await waitFor('every process to be ready', () => ready.size === workerCount + 1, {
    timeoutMs: 60_000,
  })
  await enqueue(runCount / 8)
  const before = processIds()
  await outage()
  const [since] = await waitFor(
    'Postgres to answer',
    () => sql<{ at: Date }[]>`select clock_timestamp() as at`,
  )
  await waitFor(
    `every worker to go on after ${what}`,
    async () => {
      const [row] = await sql<{ busy: number; waiting: number }[]>`
        select (select count(distinct worker)::int from chaos_steps where at > ${since?.at ?? null}) as busy,
          (select count(*)::int from runs where status = 'pending') as waiting`
      if (row?.busy === workerCount) return true
      if (row?.waiting === 0) await enqueue(64)
      return false
    },
    { timeoutMs: 60_000, everyMs: 200 },
  )
  expect(processIds()).toEqual(before)
}

function processIds(): (number | undefined)[] {
  return [...workers.values()].map((child) => child.pid)
}

/** A process that ends, by our hand or not, is replaced, as a service manager would do. */
async function addProcess(name = `worker-${++started}`): Promise<void> {
  const args = [script, server.url, name, String(leaseMs), String(stepMs)]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  workers.set(name, child)
  child.once('exit', () => {
    workers.delete(name)
    ready.delete(name)
    if (!ended) void addProcess(name === 'reaper' ? name : undefined)
  })
  await new Promise<void>((resolve) => {
    child.stdout.once('data', () => {
      ready.add(name)
      resolve()
    })
    child.once('exit', () => resolve())
  })
}

/** One that is at work, chosen by a seed so that a failure can be repeated. */
function pick(...except: string[]): string {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  const names = [...ready].filter((name) => !except.includes(name))
  return names[seed % names.length] ?? ''
}

/** On a slow machine processes start more slowly than we kill: somebody must be left to work. */
function killOne(...except: string[]): void {
  if (ready.size > workerCount / 2) stop(pick(...except), 'SIGKILL')
}

function stop(name: string, signal: 'SIGKILL' | 'SIGSTOP'): void {
  workers.get(name)?.kill(signal)
  if (signal === 'SIGKILL') ready.delete(name)
  stopped.set(name, Date.now())
}

async function enqueue(count: number): Promise<void> {
  const runs = Array.from({ length: count }, () => ({ maxRetries: 50 }))
  enqueued += count
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

/** Only the death of a worker costs a retry; an outage of our own database is no failure of the run, which would wait. */
async function retriesForOtherReasons() {
  return [
    ...(await sql`
      select retry_count, attempts from runs
      where retry_count <> jsonb_array_length(
        jsonb_path_query_array(coalesce(attempts, '[]'), '$[*] ? (@.reason == "Worker timed out")'))`),
  ]
}

/** From the kill of the worker that held a run until the run was free again, in milliseconds. */
async function recoveryTimes(): Promise<number[]> {
  const rows = await sql<{ name: string; freed: Date }[]>`
    select w.name, (a ->> 'ended_at')::timestamptz as freed
    from runs, jsonb_array_elements(attempts) a
    join chaos_workers w on w.id = (a ->> 'worker_id')::uuid
    where a ->> 'reason' = 'Worker timed out'`
  return rows
    .map(({ name, freed }) => freed.getTime() - (stopped.get(name) ?? Infinity))
    .filter((ms) => ms >= 0)
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
