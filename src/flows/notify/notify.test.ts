import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { useApi } from '../../../test/harness/api.ts'
import { useDatabase } from '../../../test/harness/database.ts'
import { createGuard } from '../../crawl/fetch/guard.ts'
import { createGuardedFetch } from '../../crawl/fetch/guarded-fetch.ts'
import { manualClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { quietMs } from '../../notify/alerts.ts'
import { raiseAlerts, tellRounds, type AlertDeps } from './alert.ts'
import { notifyOnce, type NotifyDeps } from './deliver.ts'

const database = useDatabase()
const server = useApi(database)
const clock = manualClock('2026-03-01T10:00:00Z')
const secret = `whsec_${Buffer.from('a secret for the notify tests').toString('base64')}`
const received: { path: string; headers: Record<string, string>; body: string }[] = []
let answer = 200
let receiver: Server
let base = ''

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const headers = request.headers as Record<string, string>
      received.push({ path: request.url ?? '', headers, body })
      response.writeHead(answer).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => receiver.close())

beforeEach(async () => {
  await database.sql`truncate alerts, notifications, dead_letters, breakers, rounds, runs`
  received.length = 0
  answer = 200
})

const alerting = (): AlertDeps => ({
  sql: database.sql,
  clock,
  log: silentLog,
  targets: ['slack', 'webhook'],
})
const notifying = (allowPrivate = true): NotifyDeps => ({
  sql: database.sql,
  clock,
  log: silentLog,
  fetch: createGuardedFetch(createGuard({ allowPrivate })),
  urls: { slack: `${base}/services/T0/hidden`, webhook: `${base}/hook` },
  secret,
  userAgent: 'Millrace',
})

async function letters(count: number): Promise<void> {
  await database.sql`
    insert into dead_letters (id, stage, subject, error_type, payload, created_at, updated_at)
    select gen_random_uuid(), 'normalize', n::text, 'no_date', '{}', ${clock.now()}, ${clock.now()}
    from generate_series(1, ${count}) n`
}

const messages = () =>
  database.sql<{ target: string; status: string; attempts: number; last_error: string | null }[]>`
    select * from notifications order by target, created_at`

test('trouble is one alert and one message however long it lasts, and is told once more when it is over', async () => {
  await letters(60)
  for (let look = 0; look < 3; look++) await raiseAlerts(alerting())
  expect(await messages()).toHaveLength(2)
  await database.sql`delete from dead_letters`
  clock.advance(60_000)
  await raiseAlerts(alerting())
  expect(await messages()).toHaveLength(2)
  clock.advance(quietMs)
  await raiseAlerts(alerting())
  expect(await messages()).toHaveLength(4)
  const { body } = await list('open=false')
  expect(body.data).toMatchObject([{ kind: 'dead_letters', subject: 'normalize' }])
})

test('a message is signed, tried again until it arrives, and never shows its address', async () => {
  await letters(60)
  await raiseAlerts(alerting())
  answer = 500
  await notifyOnce(notifying(), 'slack')
  await notifyOnce(notifying(), 'webhook')
  expect(await messages()).toMatchObject([
    { target: 'slack', status: 'pending', attempts: 1, last_error: 'answered 500' },
    { target: 'webhook', status: 'pending', attempts: 1, last_error: 'answered 500' },
  ])
  expect(await notifyOnce(notifying(), 'webhook')).toBe(0)
  answer = 200
  received.length = 0
  clock.advance(60_000)
  await notifyOnce(notifying(), 'slack')
  await notifyOnce(notifying(), 'webhook')
  expect(await messages()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
  const [slack, hook] = received
  expect(JSON.parse(slack?.body ?? '')).toMatchObject({
    text: '1 new alert',
    blocks: [{ type: 'header' }, { type: 'section' }],
  })
  expect(slack?.headers['webhook-signature']).toBeUndefined()
  // The library compares with the real time, the test has its own.
  const at = Math.floor(clock.now().getTime() / 1000)
  const signature = new Webhook(secret).sign(
    hook?.headers['webhook-id'] ?? '',
    new Date(at * 1000),
    hook?.body ?? '',
  )
  expect(hook?.headers['webhook-signature']).toBe(signature)
  const answers = await server.api.inject({
    url: '/api/v1/notifications',
    headers: server.as('viewer'),
  })
  expect(answers.body).not.toContain('hidden')
})

test('a message does not leave for a private address unless that is allowed', async () => {
  await letters(60)
  await raiseAlerts(alerting())
  await notifyOnce(notifying(false), 'slack')
  expect(received).toEqual([])
  const [slack] = await messages()
  expect(slack).toMatchObject({ status: 'pending', attempts: 1 })
  expect(slack?.last_error).toContain('private')
  expect(slack?.last_error).not.toContain('hidden')
})

test('a round that ended is summed up once', async () => {
  await database.sql`
    insert into rounds (id, trigger, filter, skipped, sources, created_at, completed_at)
    values (gen_random_uuid(), 'cron', '{}', '{}', 3, ${clock.now()}, ${clock.now()})`
  await tellRounds(alerting())
  await tellRounds(alerting())
  expect(await messages()).toHaveLength(2)
  await notifyOnce(notifying(), 'webhook')
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    type: 'millrace.round',
    data: { sources_processed: 0, errors: 0 },
  })
})

test('an alert is taken on by the first who says so', async () => {
  await letters(60)
  await raiseAlerts(alerting())
  const { body } = await list('acknowledged=false')
  const id = (body.data[0] as { id: string }).id
  const url = `/api/v1/alerts/${id}/acknowledge`
  const refused = await server.api.inject({ method: 'POST', url, headers: server.as('viewer') })
  expect(refused.statusCode).toBe(403)
  const taken = await server.api.inject({ method: 'POST', url, headers: server.as('operator') })
  expect(taken.statusCode).toBe(200)
  expect((await list('acknowledged=true')).body.total).toBe(1)
  const unknown = await server.api.inject({
    method: 'POST',
    url: '/api/v1/alerts/999999/acknowledge',
    headers: server.as('operator'),
  })
  expect(unknown.statusCode).toBe(404)
})

async function list(query: string): Promise<{ body: { data: unknown[]; total: number } }> {
  const response = await server.api.inject({
    url: `/api/v1/alerts?${query}`,
    headers: server.as('viewer'),
  })
  return { body: response.json() }
}
