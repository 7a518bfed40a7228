import { z } from 'zod'
import { idempotencyIdOf } from '../../publish/deliveries/message.ts'
import {
  countDeliveries,
  deliveryStatuses,
  failuresOf,
  findDelivery,
  listDeliveries,
  redeliver,
  redeliverFailed,
  type DeliveryFilter,
  type DeliveryRow,
} from '../../publish/deliveries/list.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound, problem } from '../problem.ts'

const tags = ['deliveries']
const operator = { role: 'operator' as const }
const byId = z.object({ id: z.string().regex(/^\d{1,18}$/) })
const filters = z.object({
  route_id: z.uuid().optional(),
  channel_id: z.uuid().optional(),
  item_id: z.uuid().optional(),
  change: z.enum(['created', 'updated', 'deleted']).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
})
export const deliveryShape = z.object({
  id: z.string(),
  idempotency_id: z.string(),
  route_id: z.string(),
  route: z.string(),
  channel_id: z.string().nullable(),
  channel: z.string().nullable(),
  item_id: z.string(),
  item_version: z.number(),
  item_kind: z.string(),
  title: z.string().nullable(),
  change: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.number(),
  next_attempt_at: z.date().nullable(),
  created_at: z.date(),
  delivered_at: z.date().nullable(),
  last_error: z.string().nullable(),
  response_code: z.number().nullable(),
  redis_subscribers: z.number().nullable(),
  matched_topics: z.array(z.string()),
})

/** What was sent, what waits, and what was given up. */
export function deliveryRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/deliveries',
    {
      schema: {
        summary: 'Deliveries, newest first',
        tags,
        querystring: pageQuery.extend({
          ...filters.shape,
          status: z.enum(deliveryStatuses).optional(),
        }),
        response: { 200: pageShape(deliveryShape) },
      },
    },
    async ({ query }) => {
      const { limit, offset } = query
      const filter = { ...filterOf(query), status: query.status }
      const [rows, total] = await Promise.all([
        listDeliveries(sql, filter, query),
        countDeliveries(sql, filter),
      ])
      return { data: rows.map(describeDelivery), total, limit, offset }
    },
  )

  api.get(
    '/api/v1/deliveries/:id',
    {
      schema: {
        summary: 'One delivery with the attempts that failed',
        tags,
        params: byId,
        response: {
          200: deliveryShape.extend({
            failures: z.array(
              z.object({
                attempt: z.number(),
                error: z.string(),
                response_code: z.number().nullable(),
                took_ms: z.number(),
                failed_at: z.date(),
              }),
            ),
          }),
        },
      },
    },
    async ({ params }) => {
      const row = await findDelivery(sql, params.id)
      if (row === null) throw notFound('delivery', params.id)
      const failures = await failuresOf(sql, row.id)
      return {
        ...describeDelivery(row),
        failures: failures.map((one) => ({
          attempt: one.attempt,
          error: one.error,
          response_code: one.responseCode,
          took_ms: one.tookMs,
          failed_at: one.failedAt,
        })),
      }
    },
  )

  api.post(
    '/api/v1/deliveries/:id/retry',
    {
      config: operator,
      schema: {
        summary: 'Send again, with the same idempotency id',
        tags,
        params: byId,
        response: { 202: deliveryShape },
      },
    },
    async ({ params }, reply) => {
      const row = await findDelivery(sql, params.id)
      if (row === null) throw notFound('delivery', params.id)
      const [again] = await redeliver(sql, [row.id], clock.now())
      if (again === undefined)
        throw problem(409, 'Nothing to send', 'This delivery has no channel to send it on.')
      const after = await findDelivery(sql, row.id)
      return reply.code(202).send(describeDelivery(after ?? row))
    },
  )

  api.post(
    '/api/v1/deliveries/retry',
    {
      config: operator,
      schema: {
        summary: 'Send again everything that was given up and fits the filter',
        tags,
        body: z.strictObject(filters.shape).default({}),
        response: { 202: z.object({ queued: z.number() }) },
      },
    },
    async ({ body }, reply) =>
      reply.code(202).send({ queued: await redeliverFailed(sql, filterOf(body), clock.now()) }),
  )
}

function filterOf(query: z.infer<typeof filters>): DeliveryFilter {
  return {
    routeId: query.route_id,
    channelId: query.channel_id,
    itemId: query.item_id,
    change: query.change,
    from: query.from === undefined ? undefined : new Date(query.from),
    to: query.to === undefined ? undefined : new Date(query.to),
  }
}

export function describeDelivery(row: DeliveryRow): z.infer<typeof deliveryShape> {
  return {
    id: row.id,
    idempotency_id: idempotencyIdOf(row),
    route_id: row.routeId,
    route: row.routeName,
    channel_id: row.channelId,
    channel: row.channelName,
    item_id: row.itemId,
    item_version: row.itemVersion,
    item_kind: row.kind,
    title: row.title,
    change: row.change,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.status === 'pending' ? row.nextAttemptAt : null,
    created_at: row.createdAt,
    delivered_at: row.deliveredAt,
    last_error: row.lastError,
    response_code: row.responseCode,
    redis_subscribers: row.redisSubscribers,
    matched_topics: row.matchedTopics,
  }
}
