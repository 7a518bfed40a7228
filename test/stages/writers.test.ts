import { spawn, type ChildProcess } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { transaction } from '../../src/db/pool.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { packagePath } from '../../src/kernel/package-root.ts'
import { normalizeUrl } from '../../src/kernel/url.ts'
import { foldDeltas } from '../../src/stages/fold.ts'
import { readFunnel } from '../../src/stages/funnel.ts'
import { createIngest } from '../../src/stages/ingest.ts'
import { recordStage, type StageEvent } from '../../src/stages/record.ts'
import { inSnapshot } from '../../src/stages/snapshot.ts'
import { useDatabase } from '../harness/database.ts'
import { waitFor } from '../harness/wait.ts'
import { distinctEvents, naiveFunnel } from './naive.ts'
import { batchOf } from './writer-batches.ts'

const database = useDatabase({ max: 12 })
const clock = manualClock('2026-06-10T00:00:00Z')
const whole = { from: new Date('2026-05-01T00:00:00Z'), to: new Date('2026-06-10T00:00:00Z') }
const ragged = { from: new Date('2026-05-31T21:17:00Z'), to: new Date('2026-06-01T01:43:00Z') }

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function expectExact(events: StageEvent[]): Promise<void> {
  const distinct = distinctEvents(events)
  await inSnapshot(database.sql, clock, async (snapshot) => {
    for (const range of [whole, ragged])
      expect(await readFunnel(snapshot, range)).toEqual(naiveFunnel(distinct, range, new Map()))
  })
}

test('writers at the same time, each with the same events, count each once', async () => {
  const batches = Array.from({ length: 12 }, (_, batch) => batchOf(batch))
  const ingest = createIngest(database.sql, clock)
  const outcomes = await Promise.all([
    ...batches.map((batch) => transaction(database.sql, (tx) => recordStage(tx, batch))),
    ...batches.toReversed().map((batch) => ingest.store(batch)),
    ...batches
      .flat()
      .slice(0, 60)
      .map((event) => ingest.store([event])),
    foldDeltas(database.sql).then(() => []),
  ])
  const created = outcomes.flat().filter((outcome) => outcome === 'created').length
  expect(created).toBe(distinctEvents(batches.flat()).length)
  await expectExact(batches.flat())
  await foldDeltas(database.sql)
  await expectExact(batches.flat())
})

test(
  'a writer killed in the middle loses nothing it had acknowledged, and its repetition counts nothing twice',
  { timeout: 90_000 },
  async () => {
    const from = 12
    const to = 2000
    const child = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        packagePath('test', 'stages', 'writer.ts'),
        database.url,
        String(from),
        String(to),
      ],
      { cwd: packagePath(), stdio: ['ignore', 'pipe', 'inherit'] },
    )
    children.push(child)
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const stored = (): number[] =>
      [...output.matchAll(/^stored (\d+)$/gm)].map((match) => Number(match[1]))
    await waitFor('some batches', () => stored().length >= 15, { timeoutMs: 60_000 })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited

    const acknowledged = stored()
    const last = acknowledged.at(-1) ?? from
    expect(last).toBeLessThan(to - 1)
    const urls = await waitFor('the killed connection to end', async () => {
      const open = await database.sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`
      return (
        open.length === 0 && (await database.sql<{ url: string }[]>`select url from stage_articles`)
      )
    })
    const known = new Set(urls.map((row) => row.url))
    for (const batch of acknowledged)
      for (const event of batchOf(batch)) expect(known).toContain(normalizeUrl(event.url))

    // Nobody knows what became of the batch in hand: everything is sent again, and one more.
    const all = Array.from({ length: last + 3 }, (_, batch) => batchOf(batch))
    for (const batch of all) await transaction(database.sql, (tx) => recordStage(tx, batch))
    await expectExact(all.flat())
  },
)
