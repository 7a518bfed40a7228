import { z } from 'zod'
import { createGuard } from '../../crawl/fetch/guard.ts'
import { transaction } from '../../db/pool.ts'
import { newSecret } from '../../publish/channels/signature.ts'
import {
  abandonDeliveries,
  channelKinds,
  countRoutes,
  deleteChannel,
  findChannel,
  hurryDeliveries,
  insertChannel,
  listAlerts,
  listChannels,
  replaceChannel,
  rotateSecret,
  type ChannelConfig,
  type ChannelKind,
  type StoredChannel,
} from '../../publish/channels/store.ts'
import { closeAlerts } from '../../publish/deliveries/finish.ts'
import { raiseVersion } from '../../publish/versions.ts'
import type { Api, ApiContext } from '../context.ts'
import { invalid, notFound, problem } from '../problem.ts'

const tags = ['channels']
const operator = { role: 'operator' as const }
const byId = z.object({ id: z.uuid() })
const name = z.string().trim().min(1).max(200)
const config = z.strictObject({
  topic: z.string().trim().min(1).max(300).optional(),
  max_length: z.number().int().min(1).max(100_000_000).optional(),
  url: z.url().max(2000).optional(),
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
      z
        .string()
        .max(2000)
        .regex(/^[^\r\n\0]*$/),
    )
    .optional(),
  timeout_ms: z.number().int().min(100).max(10_000).optional(),
  concurrency: z.number().int().min(1).max(32).optional(),
})
const channelShape = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(channelKinds),
  config,
  has_secret: z.boolean(),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable(),
  consecutive_failures: z.number(),
  failing_since: z.date().nullable(),
  resume_at: z.date().nullable(),
  last_delivered_at: z.date().nullable(),
  last_error: z.string().nullable(),
  pending_deliveries: z.number(),
  route_count: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
})
const withSecret = channelShape.extend({ secret: z.string().nullable() })
const alertShape = z.object({
  id: z.string(),
  channel_id: z.string(),
  channel: z.string(),
  kind: z.string(),
  details: z.record(z.string(), z.unknown()),
  opened_at: z.date(),
  closed_at: z.date().nullable(),
})
/** How long receivers have to change over to a new secret. */
const overlapMs = 24 * 3_600_000

/** Where deliveries go: Redis and webhooks. */
export function channelRoutes(api: Api, context: ApiContext): void {
  const { sql, clock } = context
  const guard = createGuard({
    allowPrivate: context.config.allowPrivateNetworks,
    allowedHosts: context.allowedHosts,
  })

  api.get(
    '/api/v1/channels',
    {
      schema: {
        summary: 'List channels',
        tags,
        response: { 200: z.object({ data: z.array(channelShape), total: z.number() }) },
      },
    },
    async () => {
      const channels = await listChannels(sql)
      return { data: channels.map(describe), total: channels.length }
    },
  )

  api.get(
    '/api/v1/channels/alerts',
    {
      schema: {
        summary: 'Channels that failed, open alerts first',
        tags,
        querystring: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(100) }),
        response: { 200: z.object({ data: z.array(alertShape) }) },
      },
    },
    async ({ query }) => ({
      data: (await listAlerts(sql, query.limit)).map((alert) => ({
        id: alert.id,
        channel_id: alert.channelId,
        channel: alert.channelName,
        kind: alert.kind,
        details: alert.details,
        opened_at: alert.openedAt,
        closed_at: alert.closedAt,
      })),
    }),
  )

  api.get(
    '/api/v1/channels/:id',
    { schema: { summary: 'One channel', tags, params: byId, response: { 200: channelShape } } },
    async ({ params }) => describe(await existing(params.id)),
  )

  api.post(
    '/api/v1/channels',
    {
      config: operator,
      schema: {
        summary: 'Add a channel; the answer is the only one that shows the signing secret',
        tags,
        body: z.strictObject({
          name,
          kind: z.enum(channelKinds),
          config: config.default({}),
          enabled: z.boolean().default(true),
        }),
        response: { 201: withSecret },
      },
    },
    async ({ body }, reply) => {
      check(body.kind, body.config)
      const secret = body.kind === 'webhook' ? newSecret() : null
      const id = await insertChannel(sql, { ...body, secret }, clock.now())
      if (id === null) throw nameTaken(body.name)
      await raiseVersion(sql, 'routes')
      return reply.code(201).send({ ...describe(await existing(id)), secret })
    },
  )

  api.patch(
    '/api/v1/channels/:id',
    {
      config: operator,
      schema: {
        summary: 'Change a channel; switching it on delivers what has waited',
        tags,
        params: byId,
        body: z.strictObject({
          name: name.optional(),
          config: config.optional(),
          enabled: z.boolean().optional(),
        }),
        response: { 200: channelShape },
      },
    },
    async ({ params, body }) => {
      const channel = await existing(params.id)
      const fields = {
        name: body.name ?? channel.name,
        config: body.config ?? channel.config,
        enabled: body.enabled ?? channel.enabled,
      }
      check(channel.kind, fields.config)
      const now = clock.now()
      await transaction(sql, async (tx) => {
        await replaceChannel(tx, channel.id, fields, now)
        if (fields.enabled && !channel.enabled) {
          await hurryDeliveries(tx, channel.id, now)
          await closeAlerts(tx, channel.id, now)
        }
        await raiseVersion(tx, 'routes')
      })
      return describe(await existing(channel.id))
    },
  )

  api.post(
    '/api/v1/channels/:id/rotate-secret',
    {
      config: operator,
      schema: {
        summary: 'A new signing secret; for a day the old one signs too',
        tags,
        params: byId,
        response: { 200: withSecret },
      },
    },
    async ({ params }) => {
      const channel = await existing(params.id)
      if (channel.kind !== 'webhook') throw problem(409, 'No secret', 'Only webhooks are signed.')
      const secret = newSecret()
      const now = clock.now()
      await rotateSecret(sql, channel.id, secret, new Date(now.getTime() + overlapMs), now)
      return { ...describe(await existing(channel.id)), secret }
    },
  )

  api.delete(
    '/api/v1/channels/:id',
    {
      config: operator,
      schema: {
        summary: 'Delete a channel that no route uses',
        tags,
        params: byId,
        response: { 204: z.null() },
      },
    },
    async ({ params }, reply) => {
      const channel = await existing(params.id)
      const routes = await countRoutes(sql, channel.id)
      if (routes > 0)
        throw problem(409, 'Channel in use', `${routes} routes use it; give them another first.`)
      await transaction(sql, async (tx) => {
        await abandonDeliveries(tx, channel.id)
        await deleteChannel(tx, channel.id)
      })
      return reply.code(204).send(null)
    },
  )

  async function existing(id: string): Promise<StoredChannel> {
    const channel = await findChannel(sql, id)
    if (channel === null) throw notFound('channel', id)
    return channel
  }

  function check(kind: ChannelKind, given: ChannelConfig): void {
    if (kind === 'webhook') {
      if (given.url === undefined) throw invalid([{ field: 'config.url', message: 'is missing' }])
      const refused = guard.refuses(given.url)
      if (refused !== null) throw invalid([{ field: 'config.url', message: refused }])
    } else if (given.topic === undefined) {
      throw invalid([{ field: 'config.topic', message: 'is missing' }])
    }
  }
}

function nameTaken(taken: string) {
  return problem(409, 'Name taken', `There is already a channel "${taken}".`)
}

function describe(channel: StoredChannel): z.infer<typeof channelShape> {
  return {
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    config: channel.config,
    has_secret: channel.secret !== null,
    enabled: channel.enabled,
    disabled_reason: channel.disabledReason,
    consecutive_failures: channel.failures,
    failing_since: channel.failingSince,
    resume_at: channel.resumeAt,
    last_delivered_at: channel.lastDeliveredAt,
    last_error: channel.lastError,
    pending_deliveries: channel.pending,
    route_count: channel.routeCount,
    created_at: channel.createdAt,
    updated_at: channel.updatedAt,
  }
}
