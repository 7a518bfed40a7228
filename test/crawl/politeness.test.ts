import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { createSources } from '../../src/sources/change.ts'
import { sourceInput } from '../../src/sources/fields.ts'
import { useDatabase } from '../harness/database.ts'
import { spawnMillrace, temporaryFolder } from '../harness/millrace.ts'
import { waitFor } from '../harness/wait.ts'

const database = useDatabase()
const folder = temporaryFolder()
const workers: ChildProcess[] = []
const hosts: Host[] = []
const delayMs = 250
const crawlDelayMs = 500
const pages = 5
const sourcesPerHost = 3

interface Host {
  url: string
  server: Server
  askedDelayMs: number
  arrivals: { path: string; at: number }[]
}

beforeAll(async () => {
  hosts.push(await startHost(delayMs), await startHost(delayMs), await startHost(crawlDelayMs))
  for (let worker = 0; worker < 3; worker++) workers.push(startWorker(`worker-${worker}`))
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
  await waitFor('three workers', async () => (await activeWorkers()) === 3, { timeoutMs: 60_000 })
}, 90_000)

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  for (const { server } of hosts) {
    server.closeAllConnections()
    server.close()
  }
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
    const fetched = host.arrivals.filter((arrival) => arrival.path !== '/robots.txt')
    expect(fetched.length).toBeGreaterThanOrEqual(pages * sourcesPerHost)
    expect(smallestGap(fetched)).toBeGreaterThanOrEqual(host.askedDelayMs - 1)
    expect(smallestGap(host.arrivals)).toBeGreaterThanOrEqual(delayMs - 1)
  }
}, 120_000)

/** A site of a few pages that all link to each other, with its own log of arrivals. */
async function startHost(askedDelayMs: number): Promise<Host> {
  const arrivals: Host['arrivals'] = []
  const links = Array.from(
    { length: pages },
    (_, index) => `<a href="/p${index}">Page ${index}</a>`,
  )
  const server = createServer((request, response) => {
    arrivals.push({ path: request.url ?? '', at: performance.now() })
    if (request.url === '/robots.txt')
      response.end(`User-agent: *\nAllow: /\nCrawl-delay: ${askedDelayMs / 1000}\n`)
    else if (/^\/p\d$/.test(request.url ?? ''))
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><title>${request.url}</title><p>A page of this site.</p>${links.join(' ')}`,
        )
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, server, askedDelayMs, arrivals }
}

function startWorker(name: string): ChildProcess {
  return spawnMillrace(
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
}

async function activeWorkers(): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`select count(*)::int as count from workers`
  return row?.count ?? 0
}

function smallestGap(arrivals: Host['arrivals']): number {
  const times = arrivals.map((arrival) => arrival.at)
  return Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)))
}
