import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverOnce, type DeliverDeps } from '../../src/flows/publish/deliver.ts'
import { createSenders } from '../../src/flows/publish/senders.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { findChannel, hurryDeliveries, replaceChannel } from '../../src/publish/channels/store.ts'
import { newSecret } from '../../src/publish/channels/signature.ts'
import { redeliver } from '../../src/publish/deliveries/list.ts'
import { useDatabase } from '../harness/database.ts'
import { waitFor } from '../harness/wait.ts'
import { expectExactly } from './expect-exactly.ts'
import { addArticles, addChannel, addRoute, addSource, changeTitle, publisher } from './fixture.ts'
import { startReceiver, type Mood, type Receiver } from './receiver.ts'

const database = useDatabase()
const policy: NonNullable<DeliverDeps['policy']> = {
  retry: { baseMs: 5, maxMs: 20, jitter: 0 },
  pause: { baseMs: 5, maxMs: 20 },
  disableAfter: { failures: 1000, lastingMs: 0 },
  maxAttempts: 1000,
}
let receiver: Receiver
let sourceId: string
let publish: () => Promise<void>
let deps: DeliverDeps
let close: () => Promise<void>

beforeAll(async () => {
  receiver = await startReceiver()
  sourceId = await addSource(database.sql, 'Hooks')
  publish = publisher(database.sql)
  const made = createSenders({
    redisUrl: null,
    allowPrivate: true,
    allowedHosts: new Set(),
    userAgent: 'Millrace/test',
    log: silentLog,
  })
  close = made.close
  deps = { sql: database.sql, clock: systemClock, log: silentLog, senders: made.senders, policy }
})
afterAll(async () => {
  await close()
  await receiver.stop()
})

async function pending(channelId: string): Promise<number> {
  const [row] = await database.sql<{ n: number }[]>`
    select count(*)::int as n from deliveries where channel_id = ${channelId} and status = 'pending'`
  return row?.n ?? 0
}

/** A small generator of its own, so that a failure can be repeated. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('a receiver that fails, throttles, stalls, redirects and hangs up still gets everything, in order and signed', async () => {
  const { sql } = database
  const secret = newSecret()
  const channel = await addChannel(sql, 'webhook', { url: receiver.url, timeout_ms: 150 }, secret)
  await addRoute(sql, { sources: [sourceId] }, channel)
  const moods: Mood[] = ['500', '429', 'redirect', 'close', 'slow']
  const random = dice(7)
  receiver.mood = () =>
    random() < 0.4 ? (moods[Math.floor(random() * moods.length)] ?? '500') : 'fine'
  const ids = await addArticles(
    sql,
    sourceId,
    Array.from({ length: 25 }, () => ({})),
  )
  await publish()
  for (const [index, id] of ids.entries())
    if (index % 2 === 0) await changeTitle(sql, id, `Changed ${id}`)
  await publish()
  for (const id of ids.slice(0, 5)) await changeTitle(sql, id, `Changed again ${id}`)
  await publish()

  await waitFor('everything to be delivered', async () => {
    await deliverOnce(deps)
    return (await pending(channel)) === 0
  })
  await expectExactly(
    sql,
    channel,
    receiver.accepted.map(({ id, message }) => ({
      id,
      itemId: message.data.item_id,
      version: message.data.item_version,
    })),
  )
  const verifier = new Webhook(secret)
  for (const { body, headers, message, id } of receiver.accepted) {
    expect(verifier.verify(body, headers)).toEqual(message)
    expect(message.id).toBe(id)
  }
  const [stage] = await sql`
    select count(*) filter (where stage = 4)::int as routed, count(*) filter (where stage = 5)::int as published
    from stage_events`
  expect(stage).toMatchObject({ routed: 25 + 13 + 5, published: 25 + 13 + 5 })
})

test('a delivery that fails among others is given up after its last attempt and can be sent again by hand', async () => {
  const { sql } = database
  const channel = await addChannel(sql, 'webhook', { url: receiver.url }, newSecret())
  const source = await addSource(sql, 'One bad item')
  await addRoute(sql, { sources: [source] }, channel)
  const ids = await addArticles(sql, source, [{ title: 'bad' }, {}, {}, {}])
  const bad = ids[0]
  await publish()
  receiver.accepted = []
  receiver.mood = ({ message }) => (message.data.item_id === bad ? '400' : 'fine')
  await waitFor('the bad one to be given up', async () => {
    await deliverOnce({ ...deps, policy: { ...policy, maxAttempts: 3, pauseAfter: 10 } })
    return (await pending(channel)) === 0
  })
  const [row] = await sql<{ id: string; status: string; attempts: number; failures: number }[]>`
    select id, status, attempts, (select count(*)::int from delivery_failures f where f.delivery_id = d.id) as failures
    from deliveries d where channel_id = ${channel} and item_id = ${bad ?? ''}`
  expect(row).toMatchObject({ status: 'failed', attempts: 3, failures: 3 })
  receiver.mood = () => 'fine'
  await redeliver(sql, [row?.id ?? ''], new Date())
  await deliverOnce(deps)
  expect(receiver.accepted.map((one) => one.message.data.item_id).sort()).toEqual([...ids].sort())
})

test('a channel that keeps failing is switched off with an alert, and switched on it delivers what waited', async () => {
  const { sql } = database
  const channel = await addChannel(sql, 'webhook', { url: receiver.url }, newSecret())
  const source = await addSource(sql, 'Broken receiver')
  await addRoute(sql, { sources: [source] }, channel)
  const ids = await addArticles(sql, source, [{}, {}, {}])
  await publish()
  receiver.accepted = []
  receiver.mood = () => '500'
  const strict = { ...deps, policy: { ...policy, disableAfter: { failures: 6, lastingMs: 0 } } }
  await waitFor('the channel to be switched off', async () => {
    await deliverOnce(strict)
    const [row] = await sql`select enabled from channels where id = ${channel}`
    return row?.['enabled'] === false
  })
  const [alert] = await sql`select kind from channel_alerts where channel_id = ${channel}`
  expect(alert).toEqual({ kind: 'disabled' })
  expect(await pending(channel)).toBe(3)
  receiver.mood = () => 'fine'
  await deliverOnce(deps)
  expect(receiver.accepted).toEqual([])
  const now = new Date()
  const found = await findChannel(sql, channel)
  await replaceChannel(
    sql,
    channel,
    { name: found?.name ?? '', config: found?.config ?? {}, enabled: true },
    now,
  )
  await hurryDeliveries(sql, channel, now)
  await deliverOnce(deps)
  expect(receiver.accepted.map((one) => one.message.data.item_id).sort()).toEqual([...ids].sort())
})

test('a webhook never reaches into the house', async () => {
  const { sql } = database
  const channel = await addChannel(sql, 'webhook', { url: receiver.url }, newSecret())
  const source = await addSource(sql, 'Inside')
  await addRoute(sql, { sources: [source] }, channel)
  await addArticles(sql, source, [{}])
  await publish()
  receiver.accepted = []
  const guarded = createSenders({
    redisUrl: null,
    allowPrivate: false,
    allowedHosts: new Set(),
    userAgent: 'Millrace/test',
    log: silentLog,
  })
  await deliverOnce({ ...deps, senders: guarded.senders })
  await guarded.close()
  expect(receiver.accepted).toEqual([])
  const [row] = await sql`select last_error from deliveries where channel_id = ${channel}`
  expect(row?.['last_error']).toContain('private')
})
