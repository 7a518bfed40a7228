import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../test/harness/database.ts'
import { addUrls, claimUrls } from '../../crawl/frontier/store.ts'
import type { ClaimedUrl } from '../../crawl/frontier/types.ts'
import { systemClock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { claimRuns } from '../../runs/claim.ts'
import { enqueueRuns } from '../../runs/enqueue.ts'
import { LeaseLost } from '../../runs/fence.ts'
import type { ClaimedRun } from '../../runs/types.ts'
import { registerWorker } from '../../runs/workers.ts'
import type { RunBatch } from './commit-batches.ts'
import { createSharedCommits } from './shared-commits.ts'
import { loadTarget } from './target.ts'
import { judgeFailure, noAnswer } from './url-result.ts'

const database = useDatabase()

beforeEach(async () => {
  await database.sql`truncate runs, workers, frontier, pages cascade`
})

/** Runs under way, each with a page that failed and a link it found. */
async function batchesUnderWay(count: number): Promise<RunBatch[]> {
  const workerId = newId()
  const info = { id: workerId, instanceId: 'test', hostName: 'here', pid: 1, concurrency: count }
  await registerWorker(database.sql, info, 60_000)
  const urls = Array.from({ length: count }, (_, n) => `https://site${n}.test/`)
  await enqueueRuns(
    database.sql,
    urls.map((url) => ({ payload: { url } })),
  )
  const runs = await claimRuns(database.sql, { workerId, limit: count, hostLimit: null })
  return Promise.all(runs.map(batchOf))
}

async function batchOf(run: ClaimedRun): Promise<RunBatch> {
  const now = new Date()
  const target = await loadTarget(database.sql, run, { maxPages: 10 })
  if (target === null) throw new Error('no target')
  const page = { kind: 'page', origin: 'link', depth: 1, priority: 1 } as const
  await addUrls(database.sql, run.id, [{ ...page, url: `${target.startUrl}a` }], now)
  const claim = { sourceId: run.id, runId: run.id, now, limit: 1, inFlight: [] }
  const [url] = await claimUrls(database.sql, claim)
  const found = { urls: [{ ...page, url: `${target.startUrl}b` }], domains: [] }
  const judged = judgeFailure(
    url as ClaimedUrl,
    noAnswer(url as ClaimedUrl, 'timeout', 'late'),
    'timeout',
    now,
  )
  return { run, target, outcomes: [{ judged, discovery: found, parsed: null }] }
}

async function written(): Promise<string[]> {
  const rows = await database.sql<{ url: string }[]>`
    select f.url from frontier f where exists (select from pages p where p.frontier_id = f.id)
    order by f.url`
  return rows.map((row) => row.url)
}

test('many runs are written in few transactions, each with what is its own', async () => {
  const batches = await batchesUnderWay(20)
  const { commit } = createSharedCommits({ sql: database.sql, clock: systemClock, archive: null })
  expect(await Promise.all(batches.map(commit))).toEqual(
    batches.map(() => ({ urlsNew: 1, items: 0 })),
  )
  const [counts] = await database.sql`
    select count(*)::int as pages, count(distinct p.xmin::text)::int as transactions,
      count(*) filter (where p.run_id = f.source_id)::int as own
    from pages p join frontier f on f.id = p.frontier_id`
  expect(counts).toMatchObject({ pages: 20, own: 20 })
  expect(counts?.['transactions']).toBeLessThanOrEqual(4)
})

test('a run that was taken away is told so, and the others are written', async () => {
  const [first, lost, ...rest] = await batchesUnderWay(6)
  if (first === undefined || lost === undefined) throw new Error('no runs')
  await database.sql`update runs set lease_token = gen_random_uuid() where id = ${lost.run.id}`
  const { commit } = createSharedCommits({ sql: database.sql, clock: systemClock, archive: null })
  const answers = await Promise.allSettled([first, lost, ...rest].map(commit))
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    ...rest.map(() => 'fulfilled'),
  ])
  expect(answers[1]).toMatchObject({ reason: expect.any(LeaseLost) as unknown })
  expect(await written()).toHaveLength(5)
})

test('what the database will not take from one run does not cost the others theirs', async () => {
  const batches = await batchesUnderWay(6)
  const bad = batches[3]?.outcomes[0]?.judged.page
  if (!bad) throw new Error('no page')
  bad.title = 'a title with \u0000 in it'
  const { commit } = createSharedCommits({ sql: database.sql, clock: systemClock, archive: null })
  const answers = await Promise.allSettled(batches.map(commit))
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(answers[3]?.status).toBe('rejected')
  expect(await written()).toHaveLength(5)
})
