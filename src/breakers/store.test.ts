import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { manualClock } from '../kernel/clock.ts'
import { getBreaker, mayTry, recordOutcomes, resetBreaker, type BreakerOutcome } from './store.ts'

const database = useDatabase()
const clock = manualClock('2026-01-30T10:00:00Z')
const minuteMs = 60_000

beforeEach(async () => {
  clock.set('2026-01-30T10:00:00Z')
  await database.sql`truncate breakers`
})

const outcome = (ok: boolean): BreakerOutcome => ({
  kind: 'host',
  key: 'a.example',
  ok,
  error: 'x',
})
const record = (ok: boolean) => recordOutcomes(database.sql, [outcome(ok)], clock.now())
const tryNow = () => mayTry(database.sql, 'host', 'a.example', clock.now())
const state = async () => (await getBreaker(database.sql, 'host', 'a.example'))?.state

async function fail(times: number): Promise<number> {
  let opened = 0
  for (let i = 0; i < times; i++) opened += (await record(false)).length
  return opened
}

test('five failures in a row open a circuit, once', async () => {
  expect(await fail(4)).toBe(0)
  expect(await tryNow()).toBe('closed')
  expect(await fail(1)).toBe(1)
  expect(await tryNow()).toBe('open')
  clock.advance(1000)
  expect(await fail(3)).toBe(0)
})

test('a success between failures starts the count again', async () => {
  await fail(4)
  await record(true)
  await fail(4)
  expect(await state()).toBe('closed')
})

test('after the cool-down exactly one caller may probe', async () => {
  await fail(5)
  clock.advance(30 * minuteMs - 1)
  expect(await tryNow()).toBe('open')
  clock.advance(1)
  const answers = await Promise.all(Array.from({ length: 6 }, () => tryNow()))
  expect(answers.filter((answer) => answer === 'probe').length).toBe(1)
  expect(await state()).toBe('half_open')
})

test('a successful probe closes the circuit', async () => {
  await fail(5)
  clock.advance(30 * minuteMs)
  await tryNow()
  await record(true)
  expect(await tryNow()).toBe('closed')
})

test('each failed probe doubles the cool-down, up to a day', async () => {
  await fail(5)
  const cooldowns: number[] = []
  for (let i = 0; i < 8; i++) {
    const breaker = await getBreaker(database.sql, 'host', 'a.example')
    const until = breaker?.cooldownUntil?.getTime() ?? 0
    cooldowns.push((until - clock.now().getTime()) / minuteMs)
    clock.set(new Date(until))
    expect(await tryNow()).toBe('probe')
    await record(false)
  }
  expect(cooldowns).toEqual([30, 60, 120, 240, 480, 960, 1440, 1440])
})

test('a probe that never reports lets another one through after an hour', async () => {
  await fail(5)
  clock.advance(30 * minuteMs)
  await tryNow()
  clock.advance(60 * minuteMs)
  expect(await tryNow()).toBe('probe')
})

test('an operator can close a circuit by hand', async () => {
  await fail(5)
  await resetBreaker(database.sql, 'host', 'a.example', clock.now())
  expect(await tryNow()).toBe('closed')
})
