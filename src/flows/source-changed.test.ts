import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { manualClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { lifecycleMetrics } from '../lifecycle/metrics.ts'
import {
  createSources,
  patchSource,
  patchSources,
  removeSources,
  type ChangeOptions,
} from '../sources/change.ts'
import { sourceInput, type SourceInput } from '../sources/fields.ts'
import { createPlanner } from './planner.ts'
import { reconcile } from './reconcile.ts'
import { handlePendingEvents, type SourceChangedDeps } from './source-changed.ts'

const database = useDatabase()
const clock = manualClock('2026-03-01T10:00:00Z')
let deps: SourceChangedDeps

beforeEach(async () => {
  await database.sql`truncate sources, source_events, source_event_progress, jobs, runs`
  deps = {
    sql: database.sql,
    clock,
    log: silentLog,
    metrics: lifecycleMetrics(createMetrics({ process: false })),
    planner: createPlanner(database.sql, clock),
    refuseUrl: () => null,
    consumer: 'test',
  }
})

const options = (): ChangeOptions => ({ now: clock.now(), by: 'user', autoManage: true })
const input = (over: Partial<SourceInput> = {}): SourceInput =>
  sourceInput.parse({
    name: 'Example News',
    url: 'https://example.com',
    priority: 'normal',
    ...over,
  })

async function add(over: Partial<SourceInput> = {}): Promise<string> {
  const { created } = await createSources(database.sql, [input(over)], options())
  return created[0]?.id ?? ''
}

async function job(sourceId: string) {
  const [row] = await database.sql`select * from jobs where source_id = ${sourceId}`
  return row
}

const settle = async (): Promise<void> => {
  clock.set(new Date(Math.max(Date.now(), clock.now().getTime()) + 1000))
  while ((await handlePendingEvents(deps, 0)) === 'again');
}

describe('a source event becomes a job', () => {
  test('a new source gets a job with a schedule that explains itself', async () => {
    const id = await add({ priority: 'high', rate_limit: 5, max_depth: 3 })
    await settle()
    expect(await job(id)).toMatchObject({
      status: 'pending',
      auto_managed: true,
      interval_minutes: 56,
      priority: 75,
      max_concurrent: 2,
      schedule_chain: [{ minutes: 30 }, { factor: 1.5 }, { factor: 1.25 }],
    })
  })

  test('what a person adds runs at once, the demo within a minute, an import finds its places', async () => {
    const many = (name: string): SourceInput[] =>
      Array.from({ length: 4 }, (_, n) => input({ url: `https://${name}${n}.example.com` }))
    const now = clock.now()
    await createSources(database.sql, many('one').slice(0, 1), {
      ...options(),
      firstRunsWithinMs: 0,
    })
    await createSources(database.sql, many('demo'), { ...options(), firstRunsWithinMs: 60_000 })
    await createSources(database.sql, many('import'), options())
    await settle()
    const rows = await database.sql<{ url: string; waits: number }[]>`
      select url, extract(epoch from next_run_at - ${now})::int as waits from jobs order by url`
    const waits = (name: string): number[] =>
      rows.filter((row) => row.url.includes(name)).map((row) => row.waits)
    expect(waits('one')).toEqual([0])
    expect(waits('demo').toSorted((a, b) => a - b)).toEqual([0, 15, 30, 45])
    expect(Math.min(...waits('import'))).toBeGreaterThanOrEqual(300)
  })

  test('a disabled new source gets none until it is enabled', async () => {
    const id = await add({ enabled: false })
    await settle()
    expect(await job(id)).toBeUndefined()
    await patchSource(database.sql, id, { enabled: true }, null, options())
    await settle()
    expect(await job(id)).toMatchObject({ status: 'pending' })
  })

  test('changing the priority changes the interval, changing notes changes nothing', async () => {
    const id = await add()
    await settle()
    await patchSource(database.sql, id, { notes: 'hello' }, null, options())
    await patchSource(database.sql, id, { priority: 'critical' }, null, options())
    await settle()
    expect(await job(id)).toMatchObject({ interval_minutes: 18, priority: 100, max_concurrent: 3 })
    const events =
      await database.sql`select event_type, payload, outcome, status from source_events order by seq`
    expect(events[1]).toMatchObject({
      payload: { changed_fields: ['notes'], previous: { notes: '' }, current: { notes: 'hello' } },
      outcome: { action: 'none' },
    })
    expect(events[2]).toMatchObject({
      status: 'applied',
      outcome: { action: 'reschedule', fields: ['priority'], from_minutes: 75, to_minutes: 18 },
    })
  })

  test('disabling pauses with the reason, enabling runs soon, deleting removes the job and cancels its runs', async () => {
    const id = await add()
    await settle()
    await patchSources(
      database.sql,
      [id],
      () => ({ enabled: false, disabled_reason: 'too noisy' }),
      options(),
    )
    await settle()
    expect(await job(id)).toMatchObject({
      status: 'paused',
      paused_reason: 'source disabled: too noisy',
    })
    await patchSource(database.sql, id, { enabled: true }, null, options())
    await settle()
    const resumed = await job(id)
    expect(resumed).toMatchObject({ status: 'pending', paused_reason: null })
    expect(resumed?.['next_run_at'].getTime()).toBeLessThanOrEqual(clock.now().getTime())
    await removeSources(database.sql, [id], 'user_requested', options())
    await settle()
    expect(await job(id)).toBeUndefined()
  })

  test('a patch that changes nothing writes no event', async () => {
    const id = await add()
    const result = await patchSource(database.sql, id, { name: 'Example News' }, null, options())
    expect(result).toMatchObject({ ok: true, changed: [] })
    const [count] = await database.sql`select count(*)::int as n from source_events`
    expect(count?.['n']).toBe(1)
  })

  test('a stale version changes nothing', async () => {
    const id = await add()
    await patchSource(database.sql, id, { name: 'B' }, 1, options())
    expect(await patchSource(database.sql, id, { name: 'C' }, 1, options())).toMatchObject({
      ok: false,
      reason: 'stale',
      version: 2,
    })
  })
})

describe('reconciliation', () => {
  const run = () => reconcile({ ...deps, createMissing: true })

  test('creates missing jobs, mends drift, marks orphans, and finds nothing the second time', async () => {
    const lost = await add()
    const drifted = await add({ url: 'https://drift.example.com' })
    await settle()
    await database.sql`delete from jobs where source_id = ${lost}`
    await database.sql`update jobs set interval_minutes = 7 where source_id = ${drifted}`
    await database.sql`insert into jobs (id, source_id, source_name, url, status, auto_managed, interval_minutes)
      values (gen_random_uuid(), gen_random_uuid(), 'gone', 'https://gone.example.com', 'scheduled', true, 60)`
    expect(await run()).toMatchObject({
      sources_checked: 2,
      jobs_created: 1,
      jobs_updated: 1,
      orphans_marked: 1,
    })
    expect(await run()).toMatchObject({ jobs_created: 0, jobs_updated: 0, orphans_marked: 0 })
  })

  test('resumes what a disabled source held, but not what a person paused', async () => {
    const held = await add()
    const paused = await add({ url: 'https://paused.example.com' })
    await settle()
    await database.sql`update jobs set status = 'paused', paused_reason = 'source disabled: noisy' where source_id = ${held}`
    await database.sql`update jobs set status = 'paused', paused_reason = 'holiday' where source_id = ${paused}`
    expect(await run()).toMatchObject({ jobs_resumed: 1 })
    expect(await job(paused)).toMatchObject({ status: 'paused' })
  })

  test('leaves a source to its waiting events, and makes no jobs when new sources are not managed', async () => {
    await add()
    expect(await run()).toMatchObject({ sources_checked: 1, jobs_created: 0 })
    const unmanaged = input({ url: 'https://unmanaged.example.com' })
    const { created } = await createSources(database.sql, [unmanaged], {
      ...options(),
      autoManage: false,
    })
    await settle()
    await reconcile({ ...deps, createMissing: false })
    expect(await job(created[0]?.id ?? '')).toBeUndefined()
    expect(await run()).toMatchObject({ jobs_created: 1 })
  })
})
