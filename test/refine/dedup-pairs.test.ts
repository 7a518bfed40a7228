import { expect, test } from 'vitest'
import { compareEvents } from '../../src/items/dedup/compare-events.ts'
import { keysOf } from '../../src/items/dedup/keys.ts'
import { readPairs } from './event-pairs.ts'

const judged = readPairs().map((pair) => {
  const stored = new Set(keysOf(pair.a).store.map(({ day, key }) => `${day} ${key}`))
  const met = keysOf(pair.b).lookUp.some(({ day, key }) => stored.has(`${day} ${key}`))
  const { same } = compareEvents(pair.a, pair.b)
  return { ...pair, said: met && same }
})

test('the local vectors tell the same happening from its look-alikes: precision 0.98, recall 0.85', () => {
  expect(judged.length).toBeGreaterThanOrEqual(300)
  const merged = judged.filter((pair) => pair.said)
  const right = merged.filter((pair) => pair.same).length
  expect(right / merged.length).toBeGreaterThanOrEqual(0.98)
  expect(right / judged.filter((pair) => pair.same).length).toBeGreaterThanOrEqual(0.85)
})

test('the order of the two does not matter', () => {
  for (const { a, b } of judged)
    expect(compareEvents(b, a).score).toBeCloseTo(compareEvents(a, b).score, 2)
})
