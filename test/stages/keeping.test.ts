import { expect, test } from 'vitest'
import { transaction } from '../../src/db/pool.ts'
import { findStageGaps } from '../../src/flows/stage-gaps.ts'
import { keepPartitions } from '../../src/flows/stage-partitions.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { readFunnel } from '../../src/stages/funnel.ts'
import { stageMetrics } from '../../src/stages/metrics.ts'
import { listPartitions } from '../../src/stages/partitions.ts'
import { recordStage, type StageEvent } from '../../src/stages/record.ts'
import { inSnapshot } from '../../src/stages/snapshot.ts'
import { useDatabase } from '../harness/database.ts'

const database = useDatabase()
const clock = manualClock('2031-08-15T12:00:00Z')
const deps = () => ({
  sql: database.sql,
  clock,
  log: silentLog,
  metrics: stageMetrics(createMetrics({ process: false })),
  retentionMonths: 6,
})
const record = async (stage: StageEvent['stage'], times: string[], page: string): Promise<void> => {
  const events = times.map((time): StageEvent => ({
    url: `https://example.com/${page}`,
    source: { id: null, name: 'one' },
    stage,
    occurredAt: new Date(time),
    serviceName: 'test',
  }))
  await transaction(database.sql, (tx) => recordStage(tx, events))
}
const crawled = async (from: string, to: string) =>
  await inSnapshot(database.sql, clock, async (snapshot) => {
    const [stage] = await readFunnel(snapshot, { from: new Date(from), to: new Date(to) })
    return [stage?.count, stage?.uniqueArticles]
  })

test('months are made ahead, events that came before their month move into it', async () => {
  await record('crawled', ['2031-08-10T10:00:00Z'], 'early')
  await keepPartitions(deps())

  const names = (await listPartitions(database.sql)).map((partition) => partition.name)
  expect(names).toEqual(expect.arrayContaining(['stage_events_2031_08', 'stage_events_2031_10']))
  expect(await database.sql`select stage::int from stage_events_2031_08`).toEqual([{ stage: 1 }])
  expect(await keepPartitions(deps())).toEqual({ made: 0, dropped: [] })
})

test('after retention the rows are gone and whole days stay exact, also where old and new meet', async () => {
  clock.set('2031-08-20T12:00:00Z')
  await record(
    'crawled',
    ['2031-08-16T01:00:00Z', '2031-08-16T05:00:00Z', '2031-08-17T09:00:00Z'],
    'a',
  )
  await record('crawled', ['2031-08-16T03:00:00Z', '2031-08-19T10:00:00Z'], 'b')
  const questions = [
    ['2031-08-16T00:00:00Z', '2031-08-17T00:00:00Z'],
    ['2031-08-16T00:00:00Z', '2031-08-18T00:00:00Z'],
    ['2031-08-17T00:00:00Z', '2031-08-20T00:00:00Z'],
    ['2031-08-16T00:00:00Z', '2032-04-01T13:30:00Z'],
  ] as const
  const ask = async () => await Promise.all(questions.map(([from, to]) => crawled(from, to)))
  const before = await ask()
  expect(before).toEqual([
    [3, 2],
    [4, 2],
    [2, 2],
    [5, 2],
  ])

  clock.set('2032-03-31T12:00:00Z')
  const { dropped } = await keepPartitions(deps())
  expect(dropped).toContain('stage_events_2031_08')
  expect(await ask()).toEqual(before)

  await record('crawled', ['2032-03-31T11:00:00Z'], 'a')
  expect(await crawled('2031-08-17T00:00:00Z', '2032-03-31T12:00:00Z')).toEqual([3, 2])
  expect(await crawled('2031-08-16T00:00:00Z', '2031-08-18T00:00:00Z')).toEqual([4, 2])
})

test('a stage that falls silent while others work is reported once and closed when it speaks again', async () => {
  clock.set('2032-04-01T12:00:00Z')
  await record('classified', ['2032-04-01T10:00:00Z'], 'g')
  await record('crawled', ['2032-04-01T11:55:00Z'], 'g')
  const first = await findStageGaps(deps())
  const again = await findStageGaps(deps())
  await record('classified', ['2032-04-01T11:59:00Z'], 'g')
  const after = await findStageGaps(deps())

  expect(first.opened).toMatchObject([{ kind: 'stage_silent', stage: 3 }])
  expect(again).toEqual({ opened: [], closed: [] })
  expect(after.closed).toMatchObject([{ kind: 'stage_silent', stage: 3 }])
})

test('too few classified of what was indexed in the last hour is reported', async () => {
  clock.set('2032-04-02T12:00:00Z')
  for (let page = 0; page < 25; page++)
    await record('indexed', ['2032-04-02T11:50:00Z'], `indexed-${page}`)
  for (let page = 0; page < 19; page++)
    await record('classified', ['2032-04-02T11:50:00Z'], `indexed-${page}`)
  const { opened } = await findStageGaps(deps())
  expect(opened).toMatchObject([
    { kind: 'low_ratio', details: { indexed: 25, classified: 19, ratio: 0.76 } },
  ])
})
