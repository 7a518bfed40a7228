import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  distributionScore,
  emptyLoad,
  loadOf,
  mayMove,
  placeRun,
  planRebalance,
  slotOf,
  type PlacedJob,
} from './buckets.ts'
import { nextTurn } from './rhythm.ts'

const now = new Date('2026-01-30T00:00:00Z')
const minutes = (n: number): Date => new Date(now.getTime() + n * 60_000)

const job = fc.record({
  id: fc.uuid(),
  nextRunAt: fc.integer({ min: 0, max: 2000 }).map(minutes),
  intervalMinutes: fc.constantFrom(15, 22, 30, 60, 75, 180, 360, 1440, 2880),
  movedAt: fc.option(fc.integer({ min: -600, max: 0 }).map(minutes)),
})
const jobs = fc.uniqueArray(job, { selector: (j) => j.id, maxLength: 120 })

test('an empty plan takes a job where it asked to be', () => {
  expect(placeRun(emptyLoad(), minutes(5), 60)).toEqual(minutes(5))
})

test('a new job lands in the least busy slot of its interval', () => {
  const load = loadOf([
    { nextRunAt: minutes(0), intervalMinutes: 60 },
    { nextRunAt: minutes(15), intervalMinutes: 60 },
  ])
  expect(placeRun(load, minutes(5), 60)).toEqual(minutes(35))
})

test('96 daily jobs that start together spread over all slots', () => {
  const load = emptyLoad()
  for (let i = 0; i < 96; i++) {
    const slot = slotOf(placeRun(load, minutes(3), 1440))
    load[slot] = (load[slot] ?? 0) + 1
  }
  expect(new Set(load)).toEqual(new Set([1]))
})

test('the score is 1 for an even plan and 0 for one slot', () => {
  expect(distributionScore(emptyLoad())).toBe(1)
  expect(distributionScore(emptyLoad().map(() => 3))).toBe(1)
  const crowded = emptyLoad()
  crowded[4] = 500
  expect(distributionScore(crowded)).toBe(0)
})

test('a run within 30 minutes or a job moved within the hour stays', () => {
  expect(mayMove({ nextRunAt: minutes(29), movedAt: null }, now)).toBe(false)
  expect(mayMove({ nextRunAt: minutes(90), movedAt: minutes(-59) }, now)).toBe(false)
  expect(mayMove({ nextRunAt: minutes(30), movedAt: minutes(-60) }, now)).toBe(true)
})

test('rebalancing improves the plan, keeps to the rules, and the same input gives the same moves', () => {
  fc.assert(
    fc.property(jobs, (given) => {
      const moves = planRebalance(given, now)
      expect(planRebalance([...given].reverse(), now)).toEqual(moves)
      const byId = new Map(given.map((j) => [j.id, j]))
      for (const move of moves) {
        const moved = byId.get(move.id)
        if (moved === undefined) throw new Error('moved an unknown job')
        expect(mayMove(moved, now)).toBe(true)
        const shift = move.to.getTime() - move.from.getTime()
        expect(shift % 900_000).toBe(0)
        expect(shift).toBeGreaterThan(0)
        expect(shift).toBeLessThan(Math.min(moved.intervalMinutes, 1440) * 60_000)
      }
      expect(squares(applied(given, moves))).toBeLessThanOrEqual(squares(given))
    }),
    { seed: 4, numRuns: 60 },
  )
})

test('a rhythm keeps its phase and skips what was missed', () => {
  expect(nextTurn(minutes(5), 60, minutes(5))).toEqual(minutes(65))
  expect(nextTurn(minutes(5), 60, minutes(500))).toEqual(minutes(545))
  expect(nextTurn(minutes(5), 60, minutes(0))).toEqual(minutes(5))
})

test('the next turn is after now, within one interval, and in phase', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100_000, max: 0 }),
      fc.integer({ min: 1, max: 3000 }),
      (due, interval) => {
        const next = nextTurn(minutes(due), interval, now).getTime()
        expect(next).toBeGreaterThan(now.getTime())
        expect(next - now.getTime()).toBeLessThanOrEqual(interval * 60_000)
        expect((next - minutes(due).getTime()) % (interval * 60_000)).toBe(0)
      },
    ),
    { seed: 4 },
  )
})

function applied(given: readonly PlacedJob[], moves: { id: string; to: Date }[]): PlacedJob[] {
  const target = new Map(moves.map((move) => [move.id, move.to]))
  return given.map((j) => ({ ...j, nextRunAt: target.get(j.id) ?? j.nextRunAt }))
}

/** Two runs in one slot cost more than one each in two: the sum of squares falls as a plan evens out. */
function squares(given: readonly PlacedJob[]): number {
  return loadOf(given).reduce((sum, runs) => sum + runs * runs, 0)
}
