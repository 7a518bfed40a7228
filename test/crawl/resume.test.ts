import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBenchSite, type BenchSite } from '../../demo/bench-site.ts'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { createSources } from '../../src/sources/change.ts'
import { sourceInput } from '../../src/sources/fields.ts'
import { reapOnce } from '../../src/flows/reap.ts'
import { useDatabase } from '../harness/database.ts'
import { startMillrace, temporaryFolder, type MillraceProcess } from '../harness/millrace.ts'
import { waitFor } from '../harness/wait.ts'

const database = useDatabase()
const folder = temporaryFolder()
const workers: MillraceProcess[] = []
const pages = 300
let site: BenchSite

beforeAll(async () => {
  site = await startBenchSite({ pages, seed: 3 })
})

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await site.close()
  folder.remove()
})

async function startWorker(): Promise<MillraceProcess> {
  const worker = await startMillrace(
    {
      DATABASE_URL: database.url,
      MILLRACE_DATA_DIR: folder.path,
      MILLRACE_LOG_LEVEL: 'warn',
      CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true',
      CRAWLER_MIN_DELAY_MS: '20',
      CRAWLER_LEASE_SECONDS: '2',
    },
    ['serve', '--roles', 'worker'],
  )
  workers.push(worker)
  return worker
}

async function fetched(): Promise<number> {
  const [row] = await database.sql<
    { count: number }[]
  >`select count(*)::int as count from pages where outcome = 'fetched'`
  return row?.count ?? 0
}

test('a crawl killed in the middle goes on elsewhere: nothing missing, nothing committed is fetched again', async () => {
  const { created } = await createSources(
    database.sql,
    [sourceInput.parse({ name: 'Bench', url: site.url, rate_limit: 50, max_depth: 20 })],
    { now: new Date(), by: 'user', autoManage: false },
  )
  const sourceId = created[0]?.id ?? ''
  const [runId] = await enqueueRuns(database.sql, [
    {
      sourceId,
      hostKey: new URL(site.url).host,
      trigger: 'force',
      payload: { url: site.url },
      // A lease of two seconds is also lost by a worker that a busy machine holds up.
      maxRetries: 20,
    },
  ])
  const first = await startWorker()
  await waitFor('a third of the pages', async () => (await fetched()) > pages / 3, {
    timeoutMs: 90_000,
  })
  first.kill('SIGKILL')
  const committed = new Set(
    (await database.sql<{ url: string }[]>`select url from pages`).map((row) => row.url),
  )

  await startWorker()
  const ended = await waitFor(
    'the run to end',
    async () => {
      await reapOnce(database.sql, new Date())
      const [run] = await database.sql<{ status: string; error_message: string | null }[]>`
        select status, error_message from runs
        where id = ${runId ?? ''} and status not in ('pending', 'running')`
      return run
    },
    { timeoutMs: 150_000, everyMs: 200 },
  )
  expect(ended).toMatchObject({ status: 'completed' })
  const rows = await database.sql<
    { url: string; times: number }[]
  >`select url, count(*)::int as times from pages where outcome = 'fetched' group by url`
  expect(rows.length).toBe(pages)
  expect(rows.filter((row) => row.times > 1)).toEqual([])
  const numberOf = (url: string): number => Number(/(\d+)/.exec(new URL(url).pathname)?.[1] ?? 0)
  const repeated = [...site.counts.entries()]
    .filter(([, times]) => times > 1)
    .map(([number]) => number)
  const done = new Set([...committed].map(numberOf))
  expect(repeated.filter((number) => done.has(number))).toEqual([])
  // Only what was under way at the moment of the kill, and not yet committed, is asked for twice.
  expect(repeated.length).toBeLessThan(60)
}, 300_000)
