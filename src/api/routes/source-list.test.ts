import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../../test/harness/api.ts'
import { useDatabase } from '../../../test/harness/database.ts'
import { recordOutcomes } from '../../breakers/store.ts'
import { manualClock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { createSources } from '../../sources/change.ts'
import { sourceInput } from '../../sources/fields.ts'

const database = useDatabase()
const clock = manualClock('2026-11-15T12:00:00Z')
const server = useApi(database, { clock })

interface Listed {
  id: string
  name: string
  status: string
  status_reason: string | null
  job_id: string | null
  next_run_at: string | null
  items_24h: number
  items_by_hour: number[]
  breaker_state: string
}

beforeEach(async () => {
  await database.sql`truncate sources, source_events, jobs, runs, breakers cascade`
})

describe('the list of sources tells how each one is doing', () => {
  test.each([
    ['healthy', {}, null],
    ['new', { last_run_at: null }, null],
    ['paused', { status: 'paused', paused_reason: 'holiday' }, 'holiday'],
    ['paused', { status: 'cancelled' }, 'job is cancelled'],
    ['warning', { failure_count: 1, last_error: 'HTTP 503' }, 'last run failed: HTTP 503'],
    ['warning', { failure_count: 4 }, '4 runs failed in a row'],
    ['failed', { failure_count: 5, last_error: 'timeout' }, '5 runs failed in a row: timeout'],
    ['failed', { status: 'failed', last_error: 'robots' }, 'robots'],
    [
      'warning',
      { last_run_problem: 'blocked: 403 to crawlers, on 3 pages' },
      'blocked: 403 to crawlers, on 3 pages',
    ],
    ['warning', { success_count: 3 }, 'no items in 3 runs'],
    ['healthy', { success_count: 3, items_total: 1 }, null],
  ])('%s, because of its job %o', async (status, job, reason) => {
    const id = await source('Example')
    await jobOf(id, job)
    expect(await listed()).toMatchObject([{ id, status, status_reason: reason }])
  })

  test('a disabled source says why, whatever its job does, and has no next run', async () => {
    const id = await source('Example')
    await jobOf(id, { failure_count: 9 })
    await database.sql`
      update sources set enabled = false, disabled_reason = 'too noisy' where id = ${id}`
    expect(await listed()).toMatchObject([
      { status: 'disabled', status_reason: 'too noisy', next_run_at: null },
    ])
  })

  test('a source whose job is not made yet says so', async () => {
    await source('Example')
    expect(await listed()).toMatchObject([
      { status: 'new', status_reason: 'its job is being planned', job_id: null },
    ])
  })

  test('an open breaker of the source or its host is a warning with the cause', async () => {
    const own = await source('Own')
    const host = await source('Host')
    await Promise.all([jobOf(own), jobOf(host)])
    const failed = (kind: 'source' | 'host', key: string) =>
      recordOutcomes(database.sql, [{ kind, key, ok: false, error: 'refused' }], clock.now(), {
        failures: 1,
        baseCooldownMinutes: 30,
        maxCooldownMinutes: 60,
        probeMinutes: 5,
      })
    await failed('source', own)
    await failed('host', 'host.example')
    expect(await listed()).toMatchObject([
      { name: 'Host', status: 'warning', status_reason: 'breaker open: refused' },
      { name: 'Own', status: 'warning', breaker_state: 'open' },
    ])
  })
})

describe('a table of any size can be narrowed and sorted by the server', () => {
  test('by status, and the counts are those of the rows', async () => {
    await jobOf(await source('Good'))
    await jobOf(await source('Bad'), { failure_count: 7 })
    await source('Fresh')
    expect(await names('sort=status')).toEqual(['Bad', 'Fresh', 'Good'])
    expect(await names('sort=-status')).toEqual(['Good', 'Fresh', 'Bad'])
    expect(await names('status=failed')).toEqual(['Bad'])
    expect(await names('status=paused')).toEqual([])
    const stats = await get<{ sources_by_status: object }>('/api/v1/jobs/stats')
    expect(stats.sources_by_status).toEqual({
      failed: 1,
      warning: 0,
      new: 1,
      healthy: 1,
      paused: 0,
      disabled: 0,
    })
  })

  test('by last run, next run and items, with the unknown last', async () => {
    const [early, late] = [await source('Early'), await source('Late')]
    await jobOf(early, { last_run_at: '2026-11-15T08:00:00Z', next_run_at: '2026-11-15T13:00:00Z' })
    const job = await jobOf(late, { next_run_at: '2026-11-15T14:00:00Z' })
    await run(job, '2026-11-15T09:30:00Z', 3)
    await source('Never')
    expect(await names('sort=last_run_at')).toEqual(['Early', 'Late', 'Never'])
    expect(await names('sort=-last_run_at')).toEqual(['Late', 'Early', 'Never'])
    expect(await names('sort=-next_run_at')).toEqual(['Late', 'Early', 'Never'])
    expect(await names('sort=-items_24h')).toEqual(['Late', 'Early', 'Never'])
    const first = await get<{ total: number }>('/api/v1/sources?sort=-items_24h&limit=1')
    expect(first.total).toBe(3)
  })
})

test('items are counted per hour of the last day, in the list, on one source and in total', async () => {
  // Past the minute for which the week is kept.
  clock.set(new Date('2026-11-15T12:05:00Z'))
  const id = await source('Example')
  const job = await jobOf(id)
  await run(job, '2026-11-15T11:30:00Z', 5)
  await run(job, '2026-11-15T11:40:00Z', 2)
  await run(job, '2026-11-14T12:10:00Z', 4)
  await run(job, '2026-11-14T11:50:00Z', 100)
  const hours = [4, ...Array.from({ length: 22 }, () => 0), 7]
  expect(await listed()).toMatchObject([{ items_24h: 11, items_by_hour: hours }])
  expect(await get(`/api/v1/sources/${id}`)).toMatchObject({ items_24h: 11, status: 'healthy' })
  expect(await get('/api/v1/jobs/stats')).toMatchObject({
    throughput: { by_hour: hours },
    last_7d: { total_runs: 4, articles_extracted: 111 },
  })
  expect(await get('/api/v1/runs')).toMatchObject({
    data: Array.from({ length: 4 }, () => ({ source_name: 'Example' })),
  })
})

async function source(name: string): Promise<string> {
  const input = sourceInput.parse({ name, url: `https://${name.toLowerCase()}.example/` })
  const made = await createSources(database.sql, [input], {
    now: clock.now(),
    by: 'user',
    autoManage: true,
  })
  return made.created[0]?.id ?? ''
}

async function jobOf(sourceId: string, given: Record<string, unknown> = {}): Promise<string> {
  const job = {
    id: newId(),
    source_id: sourceId,
    source_name: 'as it was named',
    url: 'https://example.com/',
    status: 'scheduled',
    auto_managed: true,
    interval_minutes: 60,
    last_run_at: '2026-11-15T11:00:00Z',
    next_run_at: '2026-11-15T12:30:00Z',
    ...given,
  }
  await database.sql`insert into jobs ${database.sql(job)}`
  return job.id
}

async function run(jobId: string, at: string, items: number): Promise<void> {
  await database.sql`
    insert into runs (id, job_id, source_id, status, run_at, rank_at, started_at, completed_at, items_indexed)
    select uuid_v7(${at}::timestamptz), id, source_id, 'completed', ${at}, ${at}, ${at}, ${at}, ${items}
    from jobs where id = ${jobId}`
}

async function listed(query = ''): Promise<Listed[]> {
  return (await get<{ data: Listed[] }>(`/api/v1/sources?${query}`)).data
}

async function names(query: string): Promise<string[]> {
  return (await listed(query)).map((row) => row.name)
}

async function get<T>(url: string): Promise<T> {
  const answer = await server.api.inject({ url, headers: server.as('viewer') })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json<T>()
}
