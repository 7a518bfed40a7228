import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { createSources } from '../../src/sources/change.ts'
import { sourceInput } from '../../src/sources/fields.ts'
import { bundle } from '../harness/bundle.ts'
import { useDatabase } from '../harness/database.ts'
import { startMillrace, temporaryFolder } from '../harness/millrace.ts'
import { waitFor } from '../harness/wait.ts'
import { pages, type Arrival } from './watched-hosts.ts'

const database = useDatabase()
const folder = temporaryFolder()
const processes: ChildProcess[] = []
let hosts: Host[] = []
const delayMs = 250
const crawlDelayMs = 500
const sourcesPerHost = 3

interface Host {
  url: string
  askedDelayMs: number
}

beforeAll(async () => {
  hosts = await startHosts([delayMs, delayMs, crawlDelayMs])
  const inputs = hosts.flatMap(({ url }) =>
    Array.from({ length: sourcesPerHost }, (_, index) =>
      sourceInput.parse({
        name: `Start ${index}`,
        url: `${url}p${index}`,
        rate_limit: 1000 / delayMs,
      }),
    ),
  )
  await createSources(database.sql, inputs, { now: new Date(), by: 'user', autoManage: false })
  await Promise.all(['worker-0', 'worker-1', 'worker-2'].map(startWorker))
}, 90_000)

afterAll(async () => {
  for (const started of processes) started.kill('SIGKILL')
  folder.remove()
})

test('three worker processes keep the distance on hosts that many sources share', async () => {
  const sources = await database.sql<
    { id: string; host_key: string; url: string }[]
  >`select id, host_key, url from sources`
  const runs = await enqueueRuns(
    database.sql,
    sources.map((source) => ({
      sourceId: source.id,
      hostKey: source.host_key,
      trigger: 'force' as const,
      payload: { url: source.url },
      maxRetries: 0,
    })),
  )
  await waitFor(
    'every run to end',
    async () => {
      const [row] = await database.sql<{ open: number }[]>`
        select count(*)::int as open from runs where id = any(${runs}::uuid[]) and status in ('pending', 'running')`
      return row?.open === 0
    },
    { timeoutMs: 90_000, everyMs: 200 },
  )
  const [used] = await database.sql<{ workers: number }[]>`
    select count(distinct worker_id)::int as workers from runs where id = any(${runs}::uuid[])`
  expect(used?.workers).toBeGreaterThan(1)
  for (const host of hosts) {
    const arrivals = (await (await fetch(`${host.url}__arrivals`)).json()) as Arrival[]
    const fetched = arrivals.filter((arrival) => arrival.path !== '/robots.txt')
    expect(fetched.length).toBeGreaterThanOrEqual(pages * sourcesPerHost)
    expect(smallestGap(fetched)).toBeGreaterThanOrEqual(host.askedDelayMs - 1)
    expect(smallestGap(arrivals)).toBeGreaterThanOrEqual(delayMs - 1)
  }
}, 120_000)

async function startHosts(askedDelays: readonly number[]): Promise<Host[]> {
  const script = await bundle('test', 'crawl', 'watched-hosts.ts')
  const server = spawn(process.execPath, [script, ...askedDelays.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(server)
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const urls = JSON.parse(line.toString()) as string[]
  return askedDelays.map((askedDelayMs, index) => ({ url: urls[index] ?? '', askedDelayMs }))
}

async function startWorker(name: string): Promise<void> {
  const worker = await startMillrace(
    {
      DATABASE_URL: database.url,
      MILLRACE_DATA_DIR: folder.path,
      MILLRACE_INSTANCE_ID: name,
      CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true',
      CRAWLER_MIN_DELAY_MS: String(delayMs),
      CRAWLER_WORKER_CONCURRENCY: String(sourcesPerHost),
      FETCHER_BROWSER_PAGES: '0',
    },
    ['serve', '--roles', 'worker'],
  )
  processes.push(worker.process)
}

function smallestGap(arrivals: readonly Arrival[]): number {
  const times = arrivals.map((arrival) => arrival.at)
  return Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)))
}
