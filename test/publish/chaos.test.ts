import { spawn, type ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/kernel/package-root.ts'
import { newSecret } from '../../src/publish/channels/signature.ts'
import { useDatabase } from '../harness/database.ts'
import { connectRedis, noRedis, startRedis, type TestRedis } from '../harness/redis.ts'
import { waitFor } from '../harness/wait.ts'
import { expectExactly } from './expect-exactly.ts'
import { addArticles, addChannel, addRoute, addSource, changeTitle, publisher } from './fixture.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const database = useDatabase()

describe.skipIf(noRedis)('deliverers that die', () => {
  let redis: TestRedis
  let receiver: Receiver
  const children = new Set<ChildProcess>()
  const running = new Set<ChildProcess>()
  const patient = { timeoutMs: 50_000 }

  beforeAll(async () => {
    redis = await startRedis()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await receiver.stop()
    await redis.remove()
  })

  /** Starts a deliverer; it takes part as soon as it is up. */
  function startDeliverer(): void {
    const script = packagePath('test', 'publish', 'chaos-deliverer.ts')
    const child = spawn(process.execPath, ['--import', 'tsx', script, database.url, redis.url], {
      cwd: packagePath(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child.stdout.once('data', () => running.add(child))
    child.once('exit', () => running.delete(child))
    children.add(child)
  }

  async function killOne(): Promise<void> {
    const [victim] = await waitFor('a deliverer', () => running.size > 0 && [...running], patient)
    victim?.kill('SIGKILL')
    startDeliverer()
  }

  test('killed at random, they lose nothing, keep the order of each item and repeat only with the same id', async () => {
    const { sql } = database
    const sourceId = await addSource(sql, 'Chaos')
    const hook = await addChannel(
      sql,
      'webhook',
      { url: receiver.url, timeout_ms: 200, concurrency: 4 },
      newSecret(),
    )
    const stream = await addChannel(sql, 'redis_stream', { topic: 'chaos' })
    await addRoute(sql, { sources: [sourceId] }, hook)
    await addRoute(sql, { sources: [sourceId] }, stream)
    const publish = publisher(sql)
    const ids = await addArticles(
      sql,
      sourceId,
      Array.from({ length: 30 }, () => ({})),
    )
    await publish()
    // Every tenth request fails, so that retries and deaths meet.
    receiver.mood = (_received, count) => (count % 10 === 3 ? '500' : 'fine')
    startDeliverer()
    startDeliverer()
    for (let round = 0; round < 3; round++) {
      for (const id of ids)
        if ((round + id.charCodeAt(35)) % 2 === 0) await changeTitle(sql, id, `${round} ${id}`)
      await publish()
      const before = receiver.accepted.length
      await waitFor('some deliveries', () => receiver.accepted.length > before + 5, patient)
      await killOne()
      if (round !== 1) continue
      await redis.kill()
      await redis.start()
    }
    await waitFor(
      'everything to be delivered',
      async () => {
        const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from deliveries where status <> 'delivered'`
        return row?.n === 0
      },
      patient,
    )
    await expectExactly(
      sql,
      hook,
      receiver.accepted.map(({ id, message }) => ({
        id,
        itemId: message.data.item_id,
        version: message.data.item_version,
      })),
    )
    const client = await connectRedis(redis.url)
    const entries = (await client.xRange('chaos', '-', '+')) ?? []
    client.destroy()
    await expectExactly(
      sql,
      stream,
      entries.map(({ message }) => {
        const { id, data } = JSON.parse(message['message'] ?? '{}') as {
          id: string
          data: { item_id: string; item_version: number }
        }
        return { id, itemId: data.item_id, version: data.item_version }
      }),
    )
    const [stages] = await sql`
      select count(*) filter (where stage = 4)::int as routed, count(*) filter (where stage = 5)::int as published
      from stage_events`
    expect(stages?.['published']).toBe(stages?.['routed'])
  }, 90_000)
})
