import { beforeAll, expect, test } from 'vitest'
import { transaction } from '../../src/db/pool.ts'
import { backfillStages } from '../../src/flows/backfill-stages.ts'
import { reconcileDay, replayDay } from '../../src/flows/reconcile-stages.ts'
import { urlHash } from '../../src/kernel/url.ts'
import { formatReport } from '../../src/stages/report.ts'
import { recordStage } from '../../src/stages/record.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'

const database = useDatabase()
const server = useApi(database)
const source = '0198c5b0-0000-7000-8000-000000000001'
const day = '2026-02-10'
const now = new Date('2026-02-20T00:00:00Z')

async function addRawItem(url: string, at: string): Promise<void> {
  const item = { url, title: 'A title', kind: 'article', strategy: 'article' }
  await database.sql`
    insert into raw_items (source_id, url_hash, kind, strategy, item, created_at)
    values (${source}, decode(${urlHash(url)}, 'hex'), 'article', 'article', ${database.sql.json(item)}, ${at})`
}

async function crawled(url: string, at: string): Promise<void> {
  await transaction(database.sql, (tx) =>
    recordStage(tx, [
      {
        url,
        source: { id: source, name: 'one' },
        stage: 'crawled',
        occurredAt: new Date(at),
        serviceName: 'crawler',
      },
    ]),
  )
}

const stageOf = async (stage: string) =>
  (await reconcileDay(database.sql, day)).stages.find((entry) => entry.stage === stage)

beforeAll(async () => {
  for (let n = 0; n < 4; n++) await addRawItem(`https://example.com/${n}`, `${day}T10:0${n}:00Z`)
  await addRawItem('https://example.com/later', '2026-02-15T10:00:00Z')
  await crawled('https://example.com/0', `${day}T10:00:00.004Z`)
  await crawled('https://example.com/1', `${day}T10:01:00.002Z`)
})

test('the report tells gaps apart by what explains them, and how to close them', async () => {
  expect(formatReport(await reconcileDay(database.sql, day))).toBe(
    `Reconciliation Report (2026-02-10)
  crawled:    pipeline=2        source=4        delta=-2     UNEXPECTED
  indexed:    pipeline=0        source=0        delta=0      OK
  classified: pipeline=0        source=0        delta=0      OK
  routed:     pipeline=0        source=0        delta=0      OK
  published:  pipeline=0        source=0        delta=0      OK

Replay plan for unexpected gaps:
  crawled: select * from raw_items where created_at >= $1 and created_at < $2
           → record what is missing with stage=crawled: millrace reconcile stages --day 2026-02-10 --replay`,
  )
  const call = async (
    method: 'POST' | 'PATCH' | 'DELETE' | 'GET',
    path: string,
    payload?: object,
  ) =>
    await server.api.inject({
      method,
      url: `/api/v1/funnel/outages${path}`,
      headers: server.as('operator'),
      ...(payload === undefined ? {} : { payload }),
    })
  const recorded = await call('POST', '', {
    stage: 'crawled',
    reason: 'Redis outage',
    began_at: '2026-02-10T14:20:00Z',
  })
  expect(recorded.statusCode).toBe(201)
  const path = `/${recorded.json<{ id: string }>().id}`
  expect((await call('PATCH', path, { ended_at: '2026-02-10T14:00:00Z' })).statusCode).toBe(400)
  expect((await call('PATCH', path, { ended_at: '2026-02-10T14:35:00Z' })).statusCode).toBe(200)
  expect(formatReport(await reconcileDay(database.sql, day))).toContain(
    'delta=-2     EXPECTED (Redis outage 14:20-14:35 UTC)',
  )
  expect((await call('GET', '')).json()).toMatchObject({ total: 1, data: [{ stage: 'crawled' }] })
  expect((await call('DELETE', path)).statusCode).toBe(204)
  expect((await call('DELETE', path)).statusCode).toBe(404)
})

test('a replay closes the gap, and only the gap', async () => {
  expect(await replayDay(database.sql, day)).toEqual(new Map([['crawled', 2]]))
  expect(await stageOf('crawled')).toMatchObject({ pipeline: 4, source: 4, delta: 0, status: 'OK' })
  expect(await replayDay(database.sql, day)).toEqual(new Map([['crawled', 0]]))
})

test('a backfill records history once, marks it, and goes on where it was stopped', async () => {
  const stopped = new AbortController()
  const half = await backfillStages(database.sql, {
    now,
    retentionMonths: 6,
    signal: stopped.signal,
    onProgress: ({ done }) => {
      if (done > 0) stopped.abort()
    },
  })
  expect(half.find((entry) => entry.name === 'raw_items:crawled')).toMatchObject({
    done: 5,
    created: 1,
  })
  await addRawItem('https://example.com/latest', '2026-02-16T10:00:00Z')
  const rest = await backfillStages(database.sql, { now, retentionMonths: 6 })
  expect(rest.find((entry) => entry.name === 'raw_items:crawled')).toMatchObject({
    done: 6,
    created: 2,
  })

  const marked = await database.sql<{ n: number }[]>`
    select count(*)::int as n from stage_events where metadata @> '{"backfilled": true}'`
  expect(marked).toEqual([{ n: 2 }])
  const again = await backfillStages(database.sql, { now, retentionMonths: 6, restart: true })
  expect(again.find((entry) => entry.name === 'raw_items:crawled')).toMatchObject({
    done: 6,
    created: 0,
  })
})
