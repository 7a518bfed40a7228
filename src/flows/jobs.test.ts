import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { transaction } from '../db/pool.ts'
import { getJob, insertJob, upsertAutoJob, type NewJob } from '../jobs/store.ts'
import type { Job } from '../jobs/types.ts'
import { recordOutcomes } from '../breakers/store.ts'
import { manualClock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { claimRuns, finishRuns } from '../runs/claim.ts'
import type { Outcome, Run } from '../runs/types.ts'
import { registerWorker } from '../runs/workers.ts'
import { inWindow } from '../schedule/window.ts'
import { nextTurn } from '../schedule/rhythm.ts'
import { controlJob, controlJobs, removeOverride, setOverride } from './control-jobs.ts'
import { placeJobs } from './place-jobs.ts'
import { previewRebalance, rebalance } from './rebalance.ts'
import { dispatchDue } from './schedule-due.ts'
import { settleRuns } from './settle-runs.ts'

const database = useDatabase()
const clock = manualClock('2026-01-30T10:00:00Z')
const minuteMs = 60_000
const minutes = (n: number): Date =>
  new Date(new Date('2026-01-30T10:00:00Z').getTime() + n * minuteMs)

beforeEach(async () => {
  clock.set(minutes(0))
  await database.sql`truncate jobs, runs, workers, breakers`
})

function job(given: Partial<NewJob> = {}): Promise<Job> {
  return insertJob(
    database.sql,
    {
      sourceId: newId(),
      sourceName: 'Example',
      url: 'https://example.com/',
      hostKey: 'example.com',
      intervalMinutes: 60,
      nextRunAt: minutes(0),
      ...given,
    },
    clock.now(),
  )
}

const dispatch = () => dispatchDue(database.sql, clock.now())
const current = async (id: string): Promise<Job> => {
  const found = await getJob(database.sql, id)
  if (found === null) throw new Error('the job is gone')
  return found
}

/** Claims the run of a job and ends it. */
async function finish(outcome: Partial<Outcome> = {}): Promise<Run[]> {
  const workerId = newId()
  const info = { id: workerId, instanceId: 'test', hostName: 'here', pid: 1, concurrency: 1 }
  await registerWorker(database.sql, info, 60_000)
  const [run] = await claimRuns(database.sql, { workerId, limit: 1, hostLimit: null })
  if (run === undefined) throw new Error('nothing to claim')
  return await transaction(database.sql, async (tx) => {
    const ended = await finishRuns(tx, [
      { id: run.id, token: run.leaseToken, status: 'completed', ...outcome },
    ])
    await settleRuns(tx, ended, clock.now())
    return ended
  })
}

test('a due job becomes one run, and not a second one while it runs', async () => {
  const { id } = await job()
  expect((await dispatch()).map((run) => run.jobId)).toEqual([id])
  clock.set(minutes(600))
  expect(await dispatch()).toEqual([])
  expect(await current(id)).toMatchObject({ status: 'running', executionCount: 1 })
})

test('a job keeps its rhythm, and missed turns collapse into one', async () => {
  const { id } = await job()
  await dispatch()
  clock.set(minutes(3))
  await finish()
  expect(await current(id)).toMatchObject({ status: 'scheduled', nextRunAt: minutes(60) })
  clock.set(minutes(60 * 5 + 10))
  await dispatch()
  await finish()
  expect((await current(id)).nextRunAt).toEqual(minutes(60 * 6))
  expect(await dispatch()).toEqual([])
})

test('a one-time job runs once and is completed', async () => {
  const { id } = await job({ intervalMinutes: null, scheduleEnabled: false })
  await dispatch()
  await finish()
  expect(await current(id)).toMatchObject({ status: 'completed', nextRunAt: null })
  clock.set(minutes(9999))
  expect(await dispatch()).toEqual([])
})

test('backoff, crawl window, pause and an open circuit each keep a due job back', async () => {
  const backingOff = await job()
  await database.sql`update jobs set backoff_until = ${minutes(30)} where id = ${backingOff.id}`
  const night = await job({ crawlWindowStart: 22, crawlWindowEnd: 6 })
  const paused = await job({ status: 'paused' })
  const broken = await job()
  for (let i = 0; i < 5; i++) {
    await recordOutcomes(
      database.sql,
      [{ kind: 'source', key: broken.sourceId, ok: false }],
      clock.now(),
    )
  }
  expect(await dispatch()).toEqual([])
  clock.set(minutes(30))
  const later = (await dispatch()).map((run) => run.jobId)
  expect(new Set(later)).toEqual(new Set([backingOff.id, broken.id]))
  const [breaker] = await database.sql`select state from breakers`
  expect(breaker).toEqual({ state: 'half_open' })
  clock.set(minutes(12 * 60))
  expect((await dispatch()).map((run) => run.jobId)).toEqual([night.id])
  expect((await current(paused.id)).status).toBe('paused')
})

test('the most important jobs are queued first when there are too many', async () => {
  const low = await job({ priority: 25 })
  const critical = await job({ priority: 100 })
  const [first] = await dispatchDue(database.sql, clock.now(), 1)
  expect(first?.jobId).toBe(critical.id)
  expect((await dispatch()).map((run) => run.jobId)).toEqual([low.id])
})

test('a failed run backs its recurring job off, longer each time, and success resets it', async () => {
  const { id } = await job()
  const waits: number[] = []
  for (let i = 0; i < 3; i++) {
    await dispatch()
    await finish({ status: 'failed', error_message: 'refused' })
    const failed = await current(id)
    expect(failed).toMatchObject({ status: 'scheduled', failureCount: i + 1, lastError: 'refused' })
    waits.push(((failed.backoffUntil?.getTime() ?? 0) - clock.now().getTime()) / minuteMs)
    clock.set(failed.backoffUntil ?? minutes(0))
  }
  expect(waits).toEqual([120, 240, 480])
  await dispatch()
  await finish()
  expect(await current(id)).toMatchObject({ failureCount: 0, backoffUntil: null, lastError: null })
})

test('a permanent failure stops the job until somebody retries it', async () => {
  const { id } = await job()
  await dispatch()
  await finish({ status: 'failed', error_message: 'gone', metadata: { permanent: true } })
  expect((await current(id)).status).toBe('failed')
  clock.set(minutes(9999))
  expect(await dispatch()).toEqual([])
  const retried = await controlJob(database.sql, id, { action: 'retry' }, clock.now())
  expect(retried).toMatchObject({ ok: true, job: { status: 'pending', failureCount: 0 } })
  expect((await dispatch()).length).toBe(1)
})

test('a quiet source is visited less often, in the same phase, and says why', async () => {
  const { id } = await job()
  await placeJobs(database.sql, clock.now())
  const hash = { content_hash: 'same' }
  for (const wait of [60, 120, 240]) {
    await dispatch()
    await finish(hash)
    const seen = await current(id)
    expect(((seen.nextRunAt?.getTime() ?? 0) - clock.now().getTime()) / minuteMs).toBe(wait)
    clock.set(seen.nextRunAt ?? minutes(0))
  }
  expect(await current(id)).toMatchObject({
    adaptiveIntervalMinutes: 240,
    adaptiveReason: 'start page unchanged: every 240 minutes',
  })
})

test('a job with adapting off keeps its interval', async () => {
  const { id } = await job({ adaptiveScheduling: false })
  for (let i = 0; i < 3; i++) {
    await dispatch()
    await finish({ content_hash: 'same' })
    const seen = await current(id)
    expect(seen.nextRunAt).toEqual(minutes(60 * (i + 1)))
    clock.set(minutes(60 * (i + 1)))
  }
})

test('every illegal action is refused with what is allowed', async () => {
  const { id } = await job({ status: 'paused' })
  const refused = await controlJob(database.sql, id, { action: 'force-run' }, clock.now())
  expect(refused).toMatchObject({
    ok: false,
    reason: 'illegal',
    detail: 'a paused job cannot be run now',
    allowed: ['resume', 'cancel', 'override', 'delete'],
  })
  const missing = await controlJob(database.sql, newId(), { action: 'cancel' }, clock.now())
  expect(missing).toEqual({ ok: false, reason: 'missing' })
})

test('cancelling a running job ends its run, and the late result changes nothing', async () => {
  const { id } = await job()
  await dispatch()
  await controlJob(database.sql, id, { action: 'cancel' }, clock.now())
  const [run] = await database.sql`select status, error_message from runs`
  expect(run).toEqual({ status: 'cancelled', error_message: 'the job was cancelled' })
  expect(await current(id)).toMatchObject({ status: 'cancelled', activeRunId: null })
})

test('a pause lets the run finish or stops it, as asked', async () => {
  const patient = await job()
  await dispatch()
  await controlJob(database.sql, patient.id, { action: 'pause', reason: 'holiday' }, clock.now())
  await finish()
  expect(await current(patient.id)).toMatchObject({
    status: 'paused',
    pausedReason: 'holiday',
    lastRunStatus: 'completed',
    activeRunId: null,
  })
  const urgent = await job()
  await dispatch()
  await controlJob(database.sql, urgent.id, { action: 'pause', mode: 'stop' }, clock.now())
  const [run] = await database.sql`select status from runs where job_id = ${urgent.id}`
  expect(run).toEqual({ status: 'cancelled' })
})

test('force-run queues a run at once in front of the others and keeps the rhythm', async () => {
  const { id } = await job({ status: 'scheduled', nextRunAt: minutes(40) })
  await controlJob(database.sql, id, { action: 'force-run' }, clock.now())
  const [run] = await database.sql`select trigger, priority, execution_number from runs`
  expect(run).toEqual({ trigger: 'force', priority: 100, execution_number: 1 })
  expect(await current(id)).toMatchObject({ status: 'running', nextRunAt: minutes(40) })
})

test('bulk actions answer for every row', async () => {
  const a = await job({ status: 'scheduled' })
  const b = await job({ status: 'completed' })
  const results = await controlJobs(database.sql, [a.id, b.id], { action: 'pause' }, clock.now())
  expect(results.map(({ result }) => result.ok)).toEqual([true, false])
})

test('an override holds against recomputed schedules until it is cleared', async () => {
  const created = await job({ autoManaged: true })
  await setOverride(
    database.sql,
    created.id,
    { intervalMinutes: 15, reason: 'election day', by: 'ops' },
    clock.now(),
  )
  const recomputed: NewJob = {
    sourceId: created.sourceId,
    sourceName: 'Example',
    url: created.url,
    hostKey: created.hostKey,
    intervalMinutes: 90,
    priority: 75,
    nextRunAt: minutes(0),
  }
  await upsertAutoJob(database.sql, recomputed, clock.now())
  expect(await current(created.id)).toMatchObject({ intervalMinutes: 15, priority: 75 })
  await removeOverride(database.sql, created.id, clock.now())
  expect(await current(created.id)).toMatchObject({ intervalMinutes: 90, override: null })
})

test('new jobs start when they asked to and then spread over the day', async () => {
  const jobs = await Promise.all(Array.from({ length: 8 }, () => job({ nextRunAt: minutes(5) })))
  await placeJobs(database.sql, clock.now())
  const placed = await Promise.all(jobs.map(({ id }) => current(id)))
  expect(placed.every((each) => each.status === 'scheduled')).toBe(true)
  expect(placed.every((each) => each.nextRunAt?.getTime() === minutes(5).getTime())).toBe(true)
  const buckets = placed.map((each) => each.bucket ?? -1)
  expect(new Set(buckets).size).toBe(4)
})

test('a rebalance does exactly what its preview said, and then rests', async () => {
  await Promise.all(
    Array.from({ length: 20 }, () => job({ intervalMinutes: 1440, nextRunAt: minutes(600) })),
  )
  await database.sql`
    update jobs set status = 'scheduled', phase_at = next_run_at, phase_minutes = interval_minutes`
  const preview = await previewRebalance(database.sql, clock.now())
  expect(preview.moves.length).toBe(19)
  expect(preview.scoreAfter).toBeGreaterThan(preview.scoreBefore)
  const done = await rebalance(database.sql, clock.now())
  expect(done).toEqual(preview)
  expect((await previewRebalance(database.sql, clock.now())).moves).toEqual([])
})

test('the database and the program agree about windows and turns', async () => {
  let seed = 4
  const random = (n: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % n
  }
  const cases = Array.from({ length: 300 }, () => ({
    start: random(24),
    end: random(24),
    days: Array.from({ length: random(4) }, () => random(7)),
    at: new Date(minutes(random(20_000)).getTime() + random(60_000)),
    due: minutes(random(20_000)),
    interval: 1 + random(3000),
  }))
  const rows = await database.sql<{ inside: boolean; next: Date }[]>`
    select in_crawl_window(c.start, c."end", array(select jsonb_array_elements_text(c.days)::smallint), c.at) as inside,
      next_turn(c.due, c.interval, c.at) as next
    from jsonb_to_recordset(${database.sql.json(
      cases.map((c) => ({ ...c, at: c.at.toISOString(), due: c.due.toISOString() })),
    )}) as c (start smallint, "end" smallint, days jsonb, at timestamptz, due timestamptz, interval integer)`
  const expected = cases.map((c) => ({
    inside: inWindow({ startHour: c.start, endHour: c.end, days: c.days }, c.at),
    next: nextTurn(c.due, c.interval, c.at),
  }))
  expect([...rows]).toEqual(expected)
})
