import type { Agent } from 'undici'
import { createGuard } from '../../crawl/fetch/guard.ts'
import type { Log } from '../../kernel/log.ts'
import { createRedisSender } from '../../publish/channels/redis.ts'
import type { Send } from '../../publish/channels/send.ts'
import type { DeliverDeps } from './deliver.ts'

export interface SenderOptions {
  redisUrl: string | null
  allowPrivate: boolean
  allowedHosts: ReadonlySet<string>
  userAgent: string
  log: Log
}

/** Every way out of the house; webhooks pass the same guard as fetches. */
export function createSenders(options: SenderOptions): {
  senders: DeliverDeps['senders']
  close(): Promise<void>
} {
  const guard = createGuard(options)
  let agent: Agent | null = null
  // The client is loaded with the first webhook: most processes never send one.
  const webhook: Send = async (channel, batch, limits) => {
    const [{ Agent }, { createWebhookSender }] = await Promise.all([
      import('undici'),
      import('../../publish/channels/webhook.ts'),
    ])
    agent ??= new Agent({
      connect: guard.connector,
      connections: 32,
      pipelining: 1,
      keepAliveTimeout: 10_000,
      maxResponseSize: 1024 * 1024,
    })
    const send = createWebhookSender({
      dispatcher: agent,
      refuses: (url) => guard.refuses(url),
      userAgent: options.userAgent,
    })
    return send(channel, batch, limits)
  }
  const redis = options.redisUrl === null ? null : createRedisSender(options.redisUrl, options.log)
  return {
    senders: {
      webhook,
      ...(redis !== null && { redis_pubsub: redis.send, redis_stream: redis.send }),
    },
    close: async () => {
      await redis?.close()
      await agent?.destroy()
    },
  }
}
