import type { Sql } from '../../src/db/pool.ts'
import { deliverOnce } from '../../src/flows/publish/deliver.ts'
import { createSenders } from '../../src/flows/publish/senders.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { newSecret } from '../../src/publish/channels/signature.ts'
import { noRedis, startRedis } from '../../test/harness/redis.ts'
import {
  addArticles,
  addChannel,
  addRoute,
  addSource,
  publisher,
} from '../../test/publish/fixture.ts'
import { startReceiver } from '../../test/publish/receiver.ts'
import { perSecond } from './matching.ts'

/** The whole way on a real database: kept items into the outbox, and from there to a webhook and to Redis. */
export async function measureDeliveries(sql: Sql, count: number): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  const receiver = await startReceiver()
  const redis = noRedis ? null : await startRedis()
  const { senders, close } = createSenders({
    redisUrl: redis?.url ?? null,
    allowPrivate: true,
    allowedHosts: new Set(),
    userAgent: 'Millrace bench',
    log: silentLog,
  })
  const deps = { sql, clock: systemClock, log: silentLog, senders }
  const kinds =
    redis === null ? (['webhook'] as const) : (['webhook', 'redis_stream', 'redis_pubsub'] as const)
  try {
    for (const kind of kinds) {
      const sourceId = await addSource(sql, `Bench ${kind}`)
      const config = kind === 'webhook' ? { url: receiver.url } : { topic: `bench:${kind}` }
      const channel = await addChannel(sql, kind, config, kind === 'webhook' ? newSecret() : null)
      await addRoute(sql, { sources: [sourceId] }, channel)
      for (let left = count; left > 0; left -= 1000)
        await addArticles(
          sql,
          sourceId,
          Array.from({ length: Math.min(left, 1000) }, () => ({})),
        )
      const routing = await timed(publisher(sql))
      if (kind === 'webhook')
        figures['classified_and_routed_per_second'] = perSecond(count, routing)
      const sending = await timed(async () => {
        while ((await deliverOnce(deps)) > 0);
      })
      figures[`${kind}_deliveries_per_second`] = perSecond(count, sending)
    }
  } finally {
    await close()
    await receiver.stop()
    await redis?.remove()
  }
  return figures
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
