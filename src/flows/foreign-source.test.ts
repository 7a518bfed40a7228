import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { manualClock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { privateUrlReason } from '../kernel/private-address.ts'
import type { Envelope } from '../lifecycle/envelope.ts'
import { lifecycleMetrics } from '../lifecycle/metrics.ts'
import { listQuarantine, resolveQuarantine } from '../lifecycle/quarantine.ts'
import { storeStreamEvents } from '../lifecycle/store.ts'
import { patchSource } from '../sources/change.ts'
import { createPlanner } from './planner.ts'
import { pruneSourceEvents } from './prune-source-events.ts'
import { handlePendingEvents, type SourceChangedDeps } from './source-changed.ts'

const database = useDatabase()
const clock = manualClock(new Date(Date.now() + 60_000).toISOString())
let deps: SourceChangedDeps

beforeEach(async () => {
  await database.sql`truncate sources, source_events, source_event_progress, source_event_quarantine, jobs, runs`
  deps = {
    sql: database.sql,
    clock,
    log: silentLog,
    metrics: lifecycleMetrics(createMetrics({ process: false })),
    planner: createPlanner(database.sql, clock),
    refuseUrl: privateUrlReason,
    consumer: 'test',
  }
})

const settle = async (): Promise<void> => {
  while ((await handlePendingEvents(deps, 0)) === 'again');
}
const later = (seconds: number): Date => new Date(clock.now().getTime() + seconds * 1000)
const wait = (seconds: number): void => clock.set(later(seconds))

const foreign = (
  type: Envelope['event_type'],
  sourceId: string,
  payload: Record<string, unknown>,
  at = clock.now().toISOString(),
): Envelope => ({
  event_id: newId(),
  event_type: type,
  source_id: sourceId,
  timestamp: at,
  payload,
})
const news = (host: string) => ({
  name: host,
  url: `https://${host}`,
  rate_limit: 10,
  max_depth: 2,
  enabled: true,
  selectors: null,
  priority: '',
})
const send = (...events: Envelope[]) => storeStreamEvents(database.sql, events)
const job = async (sourceId: string) =>
  (await database.sql`select * from jobs where source_id = ${sourceId}`)[0]
const statuses = async () =>
  (await database.sql`select event_type, status, attempts from source_events order by seq`).map(
    (row) => `${row['event_type']} ${row['status']} ${row['attempts']}`,
  )

describe('events of other programs', () => {
  test('bring, change, pause, resume and delete a source and its job', async () => {
    const id = newId()
    await send(foreign('SOURCE_CREATED', id, news('one.example.com')))
    await settle()
    expect(await job(id)).toMatchObject({ status: 'pending', interval_minutes: 60 })
    wait(1)
    const current = { priority: 'critical', rate_limit: 0 }
    const changed_fields = ['priority', 'rate_limit']
    await send(foreign('SOURCE_UPDATED', id, { changed_fields, previous: null, current }))
    await settle()
    expect(await job(id)).toMatchObject({ interval_minutes: 15, priority: 100 })
    wait(1)
    const reason = { reason: 'rate_limit_exceeded', disabled_by: 'system' }
    await send(foreign('SOURCE_DISABLED', id, reason))
    await settle()
    expect(await job(id)).toMatchObject({
      status: 'paused',
      paused_reason: 'source disabled: rate_limit_exceeded',
    })
    wait(1)
    await send(foreign('SOURCE_ENABLED', id, {}))
    await settle()
    expect(await job(id)).toMatchObject({ status: 'pending' })
    wait(1)
    await send(foreign('SOURCE_DELETED', id, { name: 'one' }))
    await settle()
    expect(await job(id)).toBeUndefined()
    expect(await database.sql`select 1 from sources`).toHaveLength(0)
  })

  test('two events with the same time both count, in the order they came', async () => {
    const id = newId()
    const at = '2026-01-29T10:30:00Z'
    const update = { changed_fields: ['priority'], previous: {}, current: { priority: 'high' } }
    await send(foreign('SOURCE_CREATED', id, news('same.example.com'), at))
    await settle()
    await send(foreign('SOURCE_UPDATED', id, update, at))
    await settle()
    expect(await job(id)).toMatchObject({ priority: 75 })
  })

  test('an older one that comes late changes nothing', async () => {
    const id = newId()
    const before = clock.now().toISOString()
    wait(10)
    await send(foreign('SOURCE_CREATED', id, news('late.example.com')))
    await settle()
    await send(foreign('SOURCE_DELETED', id, {}, before))
    await settle()
    expect(await job(id)).toMatchObject({ status: 'pending' })
    expect(await statuses()).toEqual(['SOURCE_CREATED applied 1', 'SOURCE_DELETED ignored 1'])
  })

  test('a change that comes before the creation waits for it', async () => {
    const id = newId()
    const created = foreign('SOURCE_CREATED', id, news('early.example.com'))
    wait(1)
    const update = { changed_fields: ['priority'], previous: {}, current: { priority: 'low' } }
    await send(foreign('SOURCE_UPDATED', id, update))
    await settle()
    expect(await job(id)).toBeUndefined()
    await send(created)
    wait(2)
    await settle()
    expect(await job(id)).toMatchObject({ priority: 25 })
  })

  test('a local change counts as later than a foreign one whose clock is ahead', async () => {
    const id = newId()
    await send(foreign('SOURCE_CREATED', id, news('ahead.example.com'), later(1800).toISOString()))
    await settle()
    await patchSource(database.sql, id, { priority: 'high' }, null, {
      now: clock.now(),
      by: 'user',
      autoManage: true,
    })
    await settle()
    expect(await job(id)).toMatchObject({ priority: 75 })
  })

  test('a private address is refused and waits for a person', async () => {
    await send(foreign('SOURCE_CREATED', newId(), { ...news('x'), url: 'http://169.254.169.254/' }))
    await settle()
    expect(await database.sql`select 1 from sources`).toHaveLength(0)
    const { rows } = await listQuarantine(database.sql, true, { limit: 10, offset: 0 })
    expect(rows[0]?.reason).toMatch(/^url: /)
  })
})

describe('an event that keeps failing', () => {
  test('is tried five times with growing pauses, then quarantined, and only its own source waits', async () => {
    const bad = newId()
    const good = newId()
    await send(
      foreign('SOURCE_ENABLED', bad, {}),
      foreign('SOURCE_DISABLED', bad, {}, later(1).toISOString()),
      foreign('SOURCE_CREATED', good, news('good.example.com')),
    )
    for (const pause of [0, 1, 2, 4]) {
      wait(pause)
      await settle()
    }
    expect(await job(good)).toMatchObject({ status: 'pending' })
    wait(7)
    await settle()
    expect(await statuses()).toEqual(
      expect.arrayContaining(['SOURCE_ENABLED pending 4', 'SOURCE_DISABLED pending 0']),
    )
    wait(1)
    await settle()
    expect(await statuses()).toEqual(expect.arrayContaining(['SOURCE_ENABLED quarantined 5']))
    const { rows } = await listQuarantine(database.sql, true, { limit: 10, offset: 0 })
    expect(rows.map((row) => row.reason)).toEqual([`the source ${bad} is not known here`])
  })

  test('takes effect when it is retried after the cause is gone', async () => {
    const id = newId()
    await send(foreign('SOURCE_CREATED', id, { ...news('wrong.example.com'), priority: 'urgent' }))
    await settle()
    const { rows } = await listQuarantine(database.sql, true, { limit: 10, offset: 0 })
    expect(rows[0]?.reason).toMatch(/^not a source: priority/)
    await database.sql`update source_events set payload = payload || '{"priority": "high"}'`
    await resolveQuarantine(database.sql, rows[0]?.id ?? '', 'retried')
    await settle()
    expect(await job(id)).toMatchObject({ priority: 75 })
  })
})

test('old events go after a week, but the last one of each source stays', async () => {
  const id = newId()
  const created = foreign('SOURCE_CREATED', id, news('old.example.com'))
  await send(created)
  await settle()
  wait(1)
  await send(foreign('SOURCE_DISABLED', id, {}))
  await settle()
  wait(8 * 86_400)
  await pruneSourceEvents({ ...deps, retentionDays: 7, keepUnrelayed: true })
  expect(await statuses()).toEqual(['SOURCE_DISABLED applied 1'])
  await send(created)
  await settle()
  expect(await job(id)).toMatchObject({ status: 'paused' })
})
