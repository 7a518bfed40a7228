import { afterAll, expect, test } from 'vitest'
import { useDatabase } from '../../../test/harness/database.ts'
import { connect, type Sql } from '../../db/pool.ts'
import { createGate, type HostGate } from './gate.ts'
import { MissedSlot, useSlot } from './slot.ts'

const database = useDatabase()
const pools: Sql[] = []
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

const delayMs = 100
const never = new AbortController().signal

/** Sends through a gate, each time a little later than it might, and notes when; returns how many turns it lost. */
async function send(gate: HostGate, sent: number[], lateMs = 0): Promise<number> {
  for (let lost = 0; ; lost++) {
    const slot = await gate.pass(never)
    if (lateMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * lateMs))
    try {
      useSlot(slot)
      sent.push(performance.now())
      return lost
    } catch (error) {
      if (!(error instanceof MissedSlot)) throw error
    }
  }
}

function gaps(sent: readonly number[]): number[] {
  const sorted = sent.toSorted((a, b) => a - b)
  return sorted.slice(1).map((at, index) => at - (sorted[index] ?? 0))
}

test('requests that leave late move those behind them instead of losing their turn', async () => {
  const gate = createGate(database.sql, 'late.test', delayMs)
  const sent: number[] = []
  const lost = await Promise.all(Array.from({ length: 12 }, () => send(gate, sent, 60)))
  expect(Math.min(...gaps(sent))).toBeGreaterThanOrEqual(delayMs)
  // Half of them are later than a moment would allow for; a busy machine may lose one or the other turn.
  expect(lost.reduce((sum, turns) => sum + turns, 0)).toBeLessThan(6)
})

test('gates of several processes at one host keep the distance to each other', async () => {
  pools.push(...Array.from({ length: 3 }, () => connect(database.url, { max: 2 })))
  const sent: number[] = []
  const gates = pools.map((pool) => createGate(pool, 'shared.test', delayMs))
  await Promise.all(gates.flatMap((gate) => Array.from({ length: 5 }, () => send(gate, sent, 40))))
  expect(sent).toHaveLength(15)
  expect(Math.min(...gaps(sent))).toBeGreaterThanOrEqual(delayMs)
})

test('who gives back time does not give back that of others reserved with it', async () => {
  const sent: number[] = []
  const gates = Array.from({ length: 6 }, () => createGate(database.sql, 'runs.test', delayMs))
  await Promise.all(
    gates.map(async (gate, index) => {
      // The first asks alone, the others meanwhile and together; one of them comes back while the rest still wait.
      for (let n = 0; n < (index === 1 ? 3 : 1); n++) await send(gate, sent)
    }),
  )
  expect(sent).toHaveLength(8)
  expect(Math.min(...gaps(sent))).toBeGreaterThanOrEqual(delayMs)
})

test('a slot is good for one request', async () => {
  const slot = await createGate(database.sql, 'once.test', delayMs).pass(never)
  useSlot(slot)
  expect(() => useSlot(slot)).toThrow(MissedSlot)
})

test('who gives up lets the next one through', async () => {
  const gate = createGate(database.sql, 'giving-up.test', delayMs)
  const stop = new AbortController()
  const waiting = [gate.pass(never), gate.pass(stop.signal), gate.pass(never)]
  useSlot(await (waiting[0] ?? null))
  stop.abort()
  expect(await waiting[1]).toBeNull()
  useSlot((await waiting[2]) ?? null)
})

test('a host that asks for a pause is not asked by those who wait already', async () => {
  const gate = createGate(database.sql, 'pausing.test', delayMs)
  useSlot(await gate.pass(never))
  const started = performance.now()
  const waiting = gate.pass(never)
  await gate.hold(800)
  useSlot(await waiting)
  expect(performance.now() - started).toBeGreaterThanOrEqual(800)
})

test('a host without a distance that asks for a pause gets one, and a distance', async () => {
  const gate = createGate(database.sql, 'quick.test', 0)
  for (let n = 0; n < 3; n++) useSlot(await gate.pass(never))
  await gate.hold(300)
  const sent: number[] = []
  const started = performance.now()
  await Promise.all([send(gate, sent), send(gate, sent)])
  expect(Math.min(...sent) - started).toBeGreaterThanOrEqual(290)
  expect(Math.min(...gaps(sent))).toBeGreaterThanOrEqual(1000)
})

test('a slot that nobody uses holds up the host for a moment, not for good', async () => {
  const gate = createGate(database.sql, 'unused.test', delayMs)
  await gate.pass(never)
  const sent: number[] = []
  await send(gate, sent)
  expect(sent).toHaveLength(1)
})
