import { z } from 'zod'
import { acknowledgeAlert, alertKinds, listAlerts } from '../../notify/alerts.ts'
import { listNotifications, targets } from '../../notify/outbox.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound } from '../problem.ts'

const alertShape = z.object({
  id: z.string(),
  kind: z.enum(alertKinds),
  subject: z.string(),
  title: z.string(),
  details: z.record(z.string(), z.unknown()),
  opened_at: z.date(),
  last_seen_at: z.date(),
  closed_at: z.date().nullable(),
  acknowledged_at: z.date().nullable(),
  acknowledged_by: z.string().nullable(),
})
const notificationShape = z.object({
  id: z.string(),
  target: z.enum(targets),
  title: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  next_attempt_at: z.date().nullable(),
  last_error: z.string().nullable(),
  created_at: z.date(),
  delivered_at: z.date().nullable(),
})
const tags = ['alerts']

/** What a person should know, and whether the messages about it arrived. */
export function alertRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/alerts',
    {
      schema: {
        summary: 'List alerts, open ones first',
        tags,
        querystring: pageQuery.extend({
          open: z.stringbool().optional(),
          acknowledged: z.stringbool().optional(),
          kind: z.enum(alertKinds).optional(),
        }),
        response: { 200: pageShape(alertShape) },
      },
    },
    async ({ query: { limit, offset, ...filter } }) => {
      const { alerts, total } = await listAlerts(sql, filter, { limit, offset })
      return { data: [...alerts], total, limit, offset }
    },
  )

  api.post(
    '/api/v1/alerts/:id/acknowledge',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Take an alert on; it stays open until its cause is gone',
        tags,
        params: z.object({ id: z.string().regex(/^\d{1,18}$/, 'is not an alert id') }),
        response: { 200: alertShape },
      },
    },
    async ({ params, caller }) => {
      const alert = await acknowledgeAlert(sql, params.id, caller?.name ?? 'somebody', clock.now())
      if (alert === null) throw notFound('alert', params.id)
      return alert
    },
  )

  api.get(
    '/api/v1/notifications',
    {
      schema: {
        summary: 'Messages to Slack and the webhook, newest first',
        tags,
        querystring: pageQuery.extend({
          status: z.enum(['pending', 'delivered', 'failed']).optional(),
        }),
        response: { 200: pageShape(notificationShape) },
      },
    },
    async ({ query: { limit, offset, status } }) => {
      const page = { limit, offset }
      const { notifications, total } = await listNotifications(sql, status, page)
      const data = notifications.map((one) => ({ ...one, title: one.message.title }))
      return { data, total, ...page }
    },
  )
}
