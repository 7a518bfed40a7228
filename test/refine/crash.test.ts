import { fork, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Sql } from '../../src/db/pool.ts'
import { bundleInParts } from '../harness/bundle.ts'
import { useDatabase } from '../harness/database.ts'
import { startOwnPostgres, type OwnPostgres } from '../harness/own-postgres.ts'
import { waitFor } from '../harness/wait.ts'
import { addSources, addTold, outcomeOf, type Outcome } from './fault-data.ts'
import { boundaries, refineEverything } from './fault-steps.ts'
import type { Orders } from './fault-worker.ts'
import { stageDeps } from './harness.ts'
import { startHelpers, type HelpersServer, type Mode } from './helpers-server.ts'

const hourMs = 3_600_000
const patience = { timeoutMs: 60_000 }
const calmDatabase = useDatabase()
const killDatabase = useDatabase()
const faulty = {
  'AI down': useDatabase(),
  'AI slow': useDatabase(),
  'AI garbage': useDatabase(),
  'geocoder down': useDatabase(),
}
let helpers: HelpersServer
let worker: Awaited<ReturnType<typeof bundleInParts>>
let postgres: OwnPostgres
let together: Awaited<ReturnType<OwnPostgres['copy']>>
let calm: Outcome
const children = new Set<ChildProcess>()

beforeAll(async () => {
  helpers = await startHelpers()
  worker = await bundleInParts('test', 'refine', 'fault-worker.ts')
  postgres = await startOwnPostgres('refine')
  together = await postgres.copy('together')
  const { sql } = calmDatabase
  await addTold(sql, await addSources(sql))
  await refineEverything({ ...stageDeps(sql, soon()), helpersUrl: helpers.url })
  calm = await outcomeOf(sql)
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(worker.folder, { recursive: true, force: true })
  helpers.close()
  await postgres.remove()
})

const soon = (laterMs = 60_000): Date => new Date(Date.now() + laterMs)

test('the undisturbed run keeps everything once and leaves nothing waiting', () => {
  expect(calm.sums).toMatchObject({ queued: 0, followUps: 0 })
  expect(calm.events).toHaveLength(3 * 14 + 2 * 4)
  expect(calm.articles).toHaveLength(5)
  expect(calm.clusters).toHaveLength(5)
  expect(new Set(calm.events.map(({ item }) => item['geo_precision']))).toEqual(
    new Set(['address']),
  )
  const created = calm.changes.filter(({ change }) => change === 'created')
  expect(created.map(({ times }) => times)).toEqual(created.map(() => 1))
  expect(created).toHaveLength(calm.events.length + calm.articles.length)
})

const byAi = ['description', 'category', 'category_unsure', 'normalization_method', 'search']
const byGeocoder = ['lat', 'lng', 'geo_precision']

test.each([
  ['AI down', 'ai', 'down', byAi],
  ['AI slow', 'ai', 'slow', byAi],
  ['AI garbage', 'ai', 'garbage', byAi],
  ['geocoder down', 'geo', 'down', byGeocoder],
] as const)(
  '%s: as undisturbed but for what it would have bettered, and in full when it is back',
  async (name, helper, how, degraded) => {
    const { sql } = faulty[name]
    await addTold(sql, await addSources(sql))
    const refine = (laterMs: number) =>
      refineEverything({
        ...stageDeps(sql, soon(laterMs)),
        helpersUrl: helpers.url,
        ...(how === 'slow' && { helperTimeoutMs: 100 }),
      })
    helpers.mode[helper] = how
    await refine(60_000)
    const left = await outcomeOf(sql)
    helpers.mode[helper] = 'up'
    // Only the AI can date the balls: without it they are dead letters.
    const isBall = ({ item }: { item: Record<string, unknown> }): boolean =>
      helper === 'ai' && String(item['title']).startsWith('Oudejaarsbal')
    expect(without(left.events, degraded)).toEqual(
      without(
        calm.events.filter((row) => !isBall(row)),
        degraded,
      ),
    )
    expect(left.events).not.toEqual(calm.events)
    expect([left.articles, left.clusters]).toEqual([calm.articles, calm.clusters])
    expect(left.raw.map((row) => [row.source, row.title, row.outcomes.length])).toEqual(
      calm.raw.map((row) => [row.source, row.title, row.outcomes.length]),
    )
    await refine(hourMs)
    await refine(24 * hourMs)
    expect(await outcomeOf(sql)).toEqual(calm)
  },
)

test('a process killed at every boundary of every step loses nothing and does nothing twice', async () => {
  const { sql, url } = killDatabase
  await addTold(sql, await addSources(sql))
  const died: string[] = []
  let next = startWorker()
  while (died.length < boundaries.length) {
    const process = next
    next = startWorker()
    // Leases of the dead have run out by then.
    const laterMs = (died.length + 1) * 10 * 60_000
    died.push(await (await process).endOf({ ...orders(url), laterMs, died }))
  }
  ;(await next).kill()
  expect([...died].sort()).toEqual([...boundaries].sort())
  await finish(sql, 12 * hourMs)
  expect(await outcomeOf(sql)).toEqual(calm)
}, 120_000)

test('Postgres restarted and crashed in the middle of a batch: the same process goes on', async () => {
  const { sql, url } = postgres
  const sources = await addSources(sql)
  const process = await startWorker()
  process.begin({ ...orders(url), serve: true })
  for (const [part, outage] of [postgres.restart, postgres.crash].entries()) {
    const release = await holdUp(url, 'item_changes')
    await addTold(sql, sources, part, 2)
    await someoneWaits(sql)
    await outage()
    await release()
    await allAnswer(sql)
    await waitFor('the rest to be refined', () => isRefined(sql), patience)
  }
  expect(process.alive()).toBe(true)
  process.kill()
  await finish(sql, 12 * hourMs)
  expect(await outcomeOf(sql)).toEqual(calm)
}, 120_000)

test('all together: helpers failing, Postgres crashing, processes killed in the middle of batches', async () => {
  const { sql, url } = together
  const sources = await addSources(sql)
  const plan: { held: string; ai: Mode; geo: Mode; crash?: boolean }[] = [
    { held: 'calendar_events', ai: 'down', geo: 'slow' },
    { held: 'cluster_members', ai: 'slow', geo: 'down', crash: true },
    { held: 'staged_items', ai: 'garbage', geo: 'limited' },
  ]
  let next = startWorker()
  for (const [part, { held, ai, geo, crash = false }] of plan.entries()) {
    const process = await next
    next = startWorker()
    Object.assign(helpers.mode, { ai, geo })
    const release = await holdUp(url, held)
    await addTold(sql, sources, part, plan.length)
    process.begin({ ...orders(url), helperTimeoutMs: 100, serve: true, laterMs: part * hourMs })
    await someoneWaits(sql)
    if (crash) await postgres.crash()
    process.kill()
    await release()
    if (crash) await allAnswer(sql)
  }
  ;(await next).kill()
  Object.assign(helpers.mode, { ai: 'up', geo: 'up' })
  await finish(sql, 12 * hourMs)
  await finish(sql, 36 * hourMs)
  expect(await outcomeOf(sql)).toEqual(calm)
}, 120_000)

function orders(url: string): Orders {
  return { url, helpersUrl: helpers.url, batchSize: 8, laterMs: 60_000 }
}

async function finish(sql: Sql, laterMs: number): Promise<void> {
  await refineEverything({ ...stageDeps(sql, soon(laterMs)), helpersUrl: helpers.url })
}

/** Nobody gets past this table until it is released, or the server ends. */
async function holdUp(url: string, table: string): Promise<() => Promise<void>> {
  const sql = connect(url, { max: 1 })
  const connection = await sql.reserve()
  await connection`begin`
  await connection`lock table ${connection(table)} in share row exclusive mode`
  return () => sql.end({ timeout: 0 })
}

/** Every connection that went with the server is replaced. */
async function allAnswer(sql: Sql): Promise<void> {
  await waitFor('Postgres to answer', () =>
    Promise.all(Array.from({ length: 8 }, () => sql`select 1`)),
  )
}

async function someoneWaits(sql: Sql): Promise<void> {
  await waitFor(
    'a batch to be held up',
    async () => {
      const [row] = await sql`select 1 from pg_locks where not granted and locktype = 'relation'`
      return row !== undefined
    },
    patience,
  )
}

async function isRefined(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ done: boolean }[]>`
    select not exists (select 1 from raw_items where status = 'pending')
      and not exists (select 1 from dedup_queue) as done`
  return row?.done === true
}

interface Worker {
  begin(orders: Orders): void
  /** Where it killed itself; nothing when it came to its end. */
  endOf(orders: Orders): Promise<string>
  alive(): boolean
  kill(): void
}

/** A process that is loaded and waits for orders. */
async function startWorker(): Promise<Worker> {
  const child = fork(worker.script, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  children.add(child)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  void closed.then(() => children.delete(child))
  await new Promise((resolve) => child.once('message', resolve))
  return {
    begin: (given) => void child.send(given),
    endOf: async (given) => {
      child.send(given)
      await closed
      expect([child.exitCode, child.signalCode]).toEqual(
        output === '' ? [0, null] : [null, 'SIGKILL'],
      )
      return output
    },
    alive: () => child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill('SIGKILL'),
  }
}

function without(
  rows: readonly { source: string; item: Record<string, unknown> }[],
  names: readonly string[],
) {
  const dropped = new Set([...names, 'enriched'])
  return rows.map(({ source, item }) => ({
    source,
    item: Object.fromEntries(Object.entries(item).filter(([name]) => !dropped.has(name))),
  }))
}
