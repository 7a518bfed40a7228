import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { packagePath } from '../../src/kernel/package-root.ts'
import { createPipelineClient, idempotencyKey, type PipelineClientOptions } from './index.js'

const run = promisify(execFile)
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Received {
  path: string
  key: string | undefined
  body: Record<string, unknown>
}

async function listen(status: () => number | null): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const key = request.headers['x-api-key']
      received.push({
        path: request.url ?? '',
        key: typeof key === 'string' ? key : undefined,
        body: JSON.parse(text) as Record<string, unknown>,
      })
      const code = status()
      if (code !== null) response.writeHead(code).end('{}')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, received }
}

const event = {
  articleUrl: 'https://example.com/a',
  sourceName: 'example_com',
  stage: 'classified' as const,
}
const quiet = { log: { warn: () => {} } }
const client = (options: Partial<PipelineClientOptions>) =>
  createPipelineClient({ serviceName: 'classifier', ...quiet, ...options })

test('an event is sent with time, service and key', async () => {
  const { url, received } = await listen(() => 201)
  const result = await client({
    url,
    apiKey: 'k',
    now: () => Date.parse('2026-02-10T14:30:00Z'),
  }).emit(event)

  expect(result).toMatchObject({ ok: true, status: 201 })
  expect(received).toMatchObject([
    {
      path: '/api/v1/events',
      key: 'k',
      body: {
        article_url: 'https://example.com/a',
        occurred_at: '2026-02-10T14:30:00.000Z',
        service_name: 'classifier',
      },
    },
  ])
  expect(received[0]?.body['idempotency_key']).toMatch(
    /^classifier:classified:[0-9a-f]{8}:2026-02-10T14:30:00\.000Z$/,
  )
})

test('a reclassification has the version of its model in the key', () => {
  const key = idempotencyKey({
    article_url: 'https://example.com/a',
    source_name: 's',
    stage: 'classified',
    service_name: 'classifier',
    occurred_at: 't',
    metadata: { is_reclassification: true, model_version: 'v2.1' },
  })
  expect(key).toMatch(/^classifier:classified:[0-9a-f]{8}:v2\.1:t$/)
})

test('a batch is one request; each event keeps its own time', async () => {
  const { url, received } = await listen(() => 201)
  await client({ url }).emitBatch([
    { ...event, occurredAt: '2026-02-10T14:30:00+01:00' },
    { ...event, occurredAt: new Date('2026-02-10T14:31:00Z') },
  ])
  expect(received).toHaveLength(1)
  expect(received[0]?.body['events']).toMatchObject([
    { occurred_at: '2026-02-10T13:30:00.000Z' },
    { occurred_at: '2026-02-10T14:31:00.000Z' },
  ])
})

test('without an address nothing happens, and nothing fails', async () => {
  const off = client({ url: '' })
  expect(await off.emit(event)).toEqual({ ok: true, skipped: true })
  expect(await off.emitBatch([event])).toEqual({ ok: true, skipped: true })
  expect(off.health()).toMatchObject({ enabled: false })
})

test('the breaker opens after 5 failures, tries after 30 s, closes after 2 successes', async () => {
  let status = 503
  let now = 0
  const states: string[] = []
  const { url, received } = await listen(() => status)
  const one = client({
    url,
    now: () => now,
    metrics: { circuit: ({ state }) => states.push(state) },
  })
  for (let n = 0; n < 7; n++) await one.emit({ ...event, occurredAt: new Date(n) })
  expect(received).toHaveLength(5)
  expect(one.health().circuit).toBe('open')

  status = 201
  now = 29_999
  expect(await one.emit(event)).toMatchObject({ ok: false })
  now = 30_000
  await one.emit(event)
  expect(one.health().circuit).toBe('half_open')
  await one.emit(event)
  expect(states).toEqual(['open', 'half_open', 'closed'])
})

test('a service that hangs costs no more than the timeout, and bounded memory', async () => {
  const { url } = await listen(() => null)
  const statuses: string[] = []
  const one = client({
    url,
    timeoutMs: 100,
    maxBuffered: 3,
    metrics: { emitted: ({ status }) => statuses.push(status) },
  })
  const results = await Promise.all([1, 2, 3, 4, 5].map(() => one.emit(event)))

  expect(results.every((result) => !result.ok)).toBe(true)
  expect(statuses.toSorted()).toEqual(['dropped', 'dropped', 'error', 'error', 'error'])
  expect(one.health().buffered).toBe(0)
})

test('what is refused is told, never thrown, and does not open the breaker', async () => {
  const { url } = await listen(() => 400)
  const one = client({ url })
  for (let n = 0; n < 6; n++) expect(await one.emit(event)).toMatchObject({ ok: false })
  expect(one.health().circuit).toBe('closed')
  expect(await one.emit({ ...event, occurredAt: 'no time' })).toMatchObject({ ok: false })
})

test('many events go out in batches', async () => {
  const { url, received } = await listen(() => 201)
  const events = Array.from({ length: 5 }, (_, n) => ({ ...event, occurredAt: new Date(n) }))
  await client({ url, batchSize: 2, batchDelayMs: 1 }).emitMany(events)
  expect(received.map((request) => (request.body['events'] as unknown[]).length)).toEqual([2, 2, 1])
})

test.each([
  [
    'require',
    "const { createPipelineClient } = require('./clients/pipeline/index.cjs')",
    'commonjs',
  ],
  ['import', "import { createPipelineClient } from './clients/pipeline/index.js'", 'module'],
])('a plain script with %s needs three lines', async (_name, load, type) => {
  const { url, received } = await listen(() => 201)
  const script = `${load}
    const pipeline = createPipelineClient({ serviceName: 'script', url: '${url}' })
    pipeline.emit({ articleUrl: 'https://example.com/a', sourceName: 's', stage: 'crawled' })`
  await run(process.execPath, [`--input-type=${type}`, '--eval', script], { cwd: packagePath() })
  expect(received).toMatchObject([{ body: { service_name: 'script' } }])
})
