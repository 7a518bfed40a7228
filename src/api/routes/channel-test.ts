import { z } from 'zod'
import { testChannel } from '../../flows/publish/test-channel.ts'
import { findChannel } from '../../publish/channels/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound, problem } from '../problem.ts'

/** Trying a channel before items depend on it. */
export function channelTestRoutes(
  api: Api,
  { sql, clock, config, log, ...context }: ApiContext,
): void {
  api.post(
    '/api/v1/channels/:id/test',
    {
      config: { role: 'operator', rateLimit: { max: 12, timeWindow: 60_000 } },
      schema: {
        summary: 'Send a test message and say what the receiver answered',
        description:
          'Signed and guarded like a delivery, of type `channel.test`; it is no delivery, is not retried and counts no failure.',
        tags: ['channels'],
        params: z.object({ id: z.uuid() }),
        response: {
          200: z.object({
            ok: z.boolean(),
            error: z.string().nullable(),
            response_code: z.number().nullable(),
            redis_subscribers: z.number().nullable(),
            took_ms: z.number(),
          }),
        },
      },
    },
    async ({ params }) => {
      const channel = await findChannel(sql, params.id)
      if (channel === null) throw notFound('channel', params.id)
      const options = {
        redisUrl: config.redisUrl,
        allowPrivate: config.allowPrivateNetworks,
        allowedHosts: context.allowedHosts,
        userAgent: config.userAgent,
        log,
      }
      const attempt = await testChannel(channel, options, () => clock.now())
      if (attempt === null)
        throw problem(
          409,
          'No way to send',
          'This installation has no Redis; set REDIS_URL and start it again.',
        )
      return {
        ok: attempt.ok,
        error: attempt.error,
        response_code: attempt.responseCode,
        redis_subscribers: attempt.subscribers,
        took_ms: attempt.tookMs,
      }
    },
  )
}
