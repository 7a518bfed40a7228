import { expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { transaction } from '../db/pool.ts'
import { recordStage, type StageEvent } from './record.ts'

const database = useDatabase()

const event = (change: Partial<StageEvent> = {}): StageEvent => ({
  url: 'https://example.com/article-1',
  source: { id: null, name: 'example_com' },
  stage: 'crawled',
  occurredAt: new Date('2026-02-10T14:30:00Z'),
  serviceName: 'crawler',
  ...change,
})

test('an event is stored once, however often and in whatever spelling it comes', async () => {
  const first = await transaction(database.sql, (tx) =>
    recordStage(tx, [event(), event({ url: 'HTTPS://EXAMPLE.com/article-1#top' })]),
  )
  const again = await transaction(database.sql, (tx) => recordStage(tx, [event()]))

  expect(first).toEqual(['created', 'duplicate'])
  expect(again).toEqual(['duplicate'])
  expect(await database.sql`select n from stage_pair_deltas where source_id = 0`).toEqual([
    { n: 1 },
  ])
})

test('nothing remains of a transaction that rolls back', async () => {
  const url = 'https://example.com/rolled-back'
  await expect(
    transaction(database.sql, async (tx) => {
      await recordStage(tx, [event({ url, serviceName: 'never-seen' })])
      throw new Error('no')
    }),
  ).rejects.toThrow('no')

  expect(await database.sql`select id from stage_articles where url = ${url}`).toEqual([])
  const outcome = await transaction(database.sql, (tx) =>
    recordStage(tx, [event({ url, serviceName: 'never-seen' })]),
  )
  expect(outcome).toEqual(['created'])
})

test('a key of its own is the same event at any time, also in the next month', async () => {
  const keyed = event({ url: 'https://example.com/keyed', idempotencyKey: 'k' })
  const outcomes = await transaction(database.sql, async (tx) => [
    ...(await recordStage(tx, [{ ...keyed, occurredAt: new Date('2026-01-31T23:59:00Z') }])),
    ...(await recordStage(tx, [{ ...keyed, occurredAt: new Date('2026-02-01T00:01:00Z') }])),
  ])
  expect(outcomes).toEqual(['created', 'duplicate'])
})

test('metadata the database would refuse is stored without the offending characters', async () => {
  const metadata = { title: 'a\0b', half: '\ud800', ['k\0']: ['\0'], topics: ['\0', 'news\0'] }
  const outcome = await transaction(database.sql, (tx) =>
    recordStage(tx, [
      event({ url: 'https://example.com/odd', stage: 'classified', metadata }),
      event({ url: 'ftp://not-a-web-address' }),
    ]),
  )
  expect(outcome).toEqual(['created', 'created'])
})

test('a source keeps the name it was known by when a later event has none', async () => {
  const { sql } = database
  const id = '0198c5b0-0000-7000-8000-0000000000aa'
  const from = (name: string, page: string): StageEvent =>
    event({ url: `https://example.com/named/${page}`, source: { id, name } })
  const nameOf = async (): Promise<unknown> =>
    (await sql`select name from stage_sources where key = ${id}`)[0]?.['name']
  await transaction(sql, (tx) => recordStage(tx, [from('', '1')]))
  expect(await nameOf()).toBe(id)
  await transaction(sql, (tx) => recordStage(tx, [from('Town Paper', '2')]))
  await transaction(sql, (tx) => recordStage(tx, [from('', '3')]))
  expect(await nameOf()).toBe('Town Paper')
})
