import { z } from 'zod'
import { countDeliveries, listDeliveries } from '../../publish/deliveries/list.ts'
import { backlog, channelFigures, routeFigures } from '../../publish/deliveries/stats.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { deliveryShape, describeDelivery } from './deliveries.ts'

const tags = ['publishing']
const time = z.iso.datetime({ offset: true })
const dayMs = 86_400_000

/** How publishing goes: per channel, per route, and what waits. */
export function publishStatsRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/publish/stats',
    {
      schema: {
        summary: 'Deliveries per channel and route; the last 24 hours unless told otherwise',
        tags,
        querystring: z.object({ from: time.optional(), to: time.optional() }),
        response: {
          200: z.object({
            from: z.date(),
            to: z.date(),
            backlog: z.object({
              queued_items: z.number(),
              pending_deliveries: z.number(),
              oldest_pending_at: z.date().nullable(),
            }),
            by_channel: z.array(
              z.object({
                channel_id: z.string().nullable(),
                channel: z.string(),
                delivered: z.number(),
                pending: z.number(),
                failed: z.number(),
                failed_attempts: z.number(),
                avg_seconds: z.number().nullable(),
              }),
            ),
            by_route: z.array(
              z.object({
                route_id: z.string(),
                route: z.string(),
                created: z.number(),
                updated: z.number(),
                deleted: z.number(),
              }),
            ),
            generated_at: z.date(),
          }),
        },
      },
    },
    async ({ query }) => {
      const now = clock.now()
      const to = query.to === undefined ? now : new Date(query.to)
      const from = query.from === undefined ? new Date(to.getTime() - dayMs) : new Date(query.from)
      const [waiting, channels, routes] = await Promise.all([
        backlog(sql),
        channelFigures(sql, from, to),
        routeFigures(sql, from, to),
      ])
      return {
        from,
        to,
        backlog: {
          queued_items: waiting.queued,
          pending_deliveries: waiting.pending,
          oldest_pending_at: waiting.oldestPendingAt,
        },
        by_channel: channels.map((row) => ({
          channel_id: row.channelId,
          channel: row.channel,
          delivered: row.delivered,
          pending: row.pending,
          failed: row.failed,
          failed_attempts: row.failedAttempts,
          avg_seconds: row.avgSeconds,
        })),
        by_route: routes.map(({ routeId, ...row }) => ({ route_id: routeId, ...row })),
        generated_at: now,
      }
    },
  )

  api.get(
    '/api/v1/publish/history',
    {
      schema: {
        summary: 'What was published, newest first',
        tags,
        querystring: pageQuery.extend({
          route_id: z.uuid().optional(),
          channel_id: z.uuid().optional(),
          item_id: z.uuid().optional(),
        }),
        response: { 200: pageShape(deliveryShape) },
      },
    },
    async ({ query }) => {
      const filter = {
        routeId: query.route_id,
        channelId: query.channel_id,
        itemId: query.item_id,
        status: 'delivered' as const,
      }
      const [rows, total] = await Promise.all([
        listDeliveries(sql, filter, query),
        countDeliveries(sql, filter),
      ])
      return {
        data: rows.map(describeDelivery),
        total,
        limit: query.limit,
        offset: query.offset,
      }
    },
  )
}
