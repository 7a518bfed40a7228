import { afterAll, expect, test } from 'vitest'
import { useDatabase } from '../../../test/harness/database.ts'
import { connect, type Sql } from '../../db/pool.ts'
import { holdHost, reserveSlots, waitForSlot } from './slots.ts'

const database = useDatabase()
const pools: Sql[] = []
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

const delayMs = 1000
/** A question and its answer take some time; the moment counted from lies between the two. */
const blurMs = 200

async function moments(db: Sql, hostKey: string, count: number): Promise<number[]> {
  return (await reserveSlots(db, { hostKey, count, delayMs })).moments
}

test('whoever asks at the same time, and from wherever, gets moments of his own', async () => {
  pools.push(...Array.from({ length: 3 }, () => connect(database.url, { max: 2 })))
  for (const hostKey of ['a.test', 'b.test']) {
    const asked = pools.flatMap((pool) => [1, 2, 3].map((count) => moments(pool, hostKey, count)))
    const others = pools.map((pool, n) => moments(pool, `other${n}.test`, 1))
    const taken = (await Promise.all(asked)).flat().toSorted((a, b) => a - b)
    expect(taken).toHaveLength(18)
    for (const [n, moment] of taken.slice(1).entries())
      expect(moment - (taken[n] ?? 0)).toBeGreaterThan(delayMs - blurMs)
    for (const [first = Infinity] of await Promise.all(others))
      expect(first - performance.now()).toBeLessThan(2 * delayMs)
  }
})

test('a host that is held gives nothing before its time, and the others do not notice', async () => {
  await holdHost(database.sql, 'held.test', 60_000)
  const [held, free] = await Promise.all(
    ['held.test', 'free.test'].map((hostKey) => waitForSlot(database.sql, hostKey, delayMs)),
  )
  expect(held).toBeGreaterThan(60_000 - 5_000)
  expect(free).toBeLessThan(delayMs)
})
