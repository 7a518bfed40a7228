import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHostCircuits } from '../../src/flows/crawl/host-circuits.ts'
import { startDemoWeb, type DemoSite, type DemoWeb } from '../../demo/index.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'
import { waitFor } from '../harness/wait.ts'
import { startTestCrawler, type TestCrawler } from './crawl-demo.ts'

const database = useDatabase({ max: 16 })
const http = useApi(database)
let broken: Server
let brokenUrl = ''
let asked = 0
let holding = true
const held: ServerResponse[] = []
let web: DemoWeb
let crawler: TestCrawler

beforeAll(async () => {
  broken = createServer((request, response) => {
    if (request.url === '/robots.txt') {
      response.end('User-agent: *\nAllow: /\n')
    } else if (request.url === '/') {
      const links = Array.from({ length: 60 }, (_, index) => `<a href="/p/${index}">${index}</a>`)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>Broken</title><p>Links of a broken site.</p>${links.join('')}`)
    } else {
      asked++
      if (holding) held.push(response)
      else response.destroy()
    }
  })
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  brokenUrl = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/`
  web = await startDemoWeb({ seed: 7, sites: ['json-ld', 'microdata'] })
  crawler = startTestCrawler(database.sql, { concurrency: 2 })
}, 60_000)

afterAll(async () => {
  await crawler.stop()
  await web.close()
  broken.closeAllConnections()
  broken.close()
})

test('five failures weigh a host down, heavy ones sooner, and a success lifts it', async () => {
  const clock = manualClock('2026-03-01T10:00:00Z')
  const circuits = createHostCircuits({ sql: database.sql, clock })
  await circuits.closedUntil('a.test')
  for (let i = 0; i < 4; i++) circuits.record('a.test', 'timeout')
  expect(await circuits.save()).toEqual([])
  circuits.record('a.test', null)
  circuits.record('a.test', 'timeout')
  circuits.record('a.test', 'gone')
  expect(await circuits.save()).toEqual([])
  for (const kind of ['blocked', 'timeout', 'blocked']) circuits.record('a.test', kind)
  expect(await circuits.save()).toEqual(['a.test'])
  expect(await circuits.closedUntil('a.test')).toEqual(new Date('2026-03-01T10:30:00Z'))
  circuits.record('b.test', 'dns')
  expect(await circuits.save()).toEqual(['b.test'])
})

test('after the cool-down one URL probes while the others wait for what becomes of it', async () => {
  const clock = manualClock('2026-03-01T10:31:00Z')
  const circuits = createHostCircuits({ sql: database.sql, clock })
  expect(await circuits.closedUntil('a.test')).toBeNull()
  let second: Date | null | 'waiting' = 'waiting'
  const waiting = circuits.closedUntil('a.test').then((until) => (second = until))
  await database.sql`select 1`
  expect(second).toBe('waiting')
  circuits.record('a.test', 'timeout')
  await circuits.save()
  await waiting
  expect(second).not.toBeNull()
  expect(await circuits.closedUntil('a.test')).toEqual(new Date('2026-03-01T11:31:00Z'))
})

test('a host that fails is left alone soon, and the others do not notice', async () => {
  const good = web.sites[1] as DemoSite
  const site = {
    key: 'broken',
    url: brokenUrl,
    sourceDefaults: { ...good.sourceDefaults, name: 'Broken', url: brokenUrl },
  }
  // The broken host keeps everybody waiting until it is let go: whoever depended on it would wait, too.
  let ended = false
  const failing = crawler.crawl([site]).finally(() => (ended = true))
  await waitFor('the broken host to be asked', () => held.length > 0, { timeoutMs: 60_000 })
  const others = await crawler.crawl([good])
  expect(others.get('microdata')).toMatchObject({ status: 'completed' })
  expect(ended).toBe(false)
  holding = false
  for (const response of held.splice(0)) response.destroy()
  const outcome = await failing
  expect(outcome.get('broken')).toMatchObject({ status: 'failed' })
  expect(outcome.get('broken')?.error).toContain('breaker_open')
  expect(asked).toBeLessThan(30)
}, 180_000)

test('operators see open circuits and close them', async () => {
  const key = new URL(brokenUrl).host
  const open = await http.api.inject({
    url: '/api/v1/breakers?kind=host&state=open',
    headers: http.as('viewer'),
  })
  expect(open.json<{ data: { key: string }[] }>().data.map((row) => row.key)).toContain(key)
  const url = `/api/v1/breakers/host/${encodeURIComponent(key)}/reset`
  const denied = await http.api.inject({ method: 'POST', url, headers: http.as('viewer') })
  expect(denied.statusCode).toBe(403)
  const reset = await http.api.inject({ method: 'POST', url, headers: http.as('operator') })
  expect(reset.json()).toMatchObject({ key, state: 'closed', failure_count: 0 })
  const missing = await http.api.inject({
    method: 'POST',
    url: '/api/v1/breakers/host/nobody.test/reset',
    headers: http.as('operator'),
  })
  expect(missing.statusCode).toBe(404)
})
