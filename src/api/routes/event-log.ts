import { z } from 'zod'
import { transaction } from '../../db/pool.ts'
import { parseEnvelope } from '../../lifecycle/envelope.ts'
import { listEventLog } from '../../lifecycle/log.ts'
import {
  findOpenQuarantine,
  listQuarantine,
  resolveQuarantine,
} from '../../lifecycle/quarantine.ts'
import { storeStreamEvents } from '../../lifecycle/store.ts'
import { sourceEventTypes } from '../../sources/outbox.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound, problem } from '../problem.ts'

const logRow = z.looseObject({
  event_id: z.string(),
  event_type: z.string(),
  source_id: z.string(),
  timestamp: z.date(),
  status: z.string(),
  outcome: z.record(z.string(), z.unknown()).nullable(),
})
const quarantineRow = z.looseObject({ id: z.string(), reason: z.string(), raw: z.string() })
const tags = ['source events']

export function eventLogRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/events/log',
    {
      schema: {
        summary: 'Source events and what each did to the job',
        tags,
        querystring: pageQuery.extend({
          source_id: z.uuid().optional(),
          event_type: z.enum(sourceEventTypes).optional(),
          status: z.enum(['pending', 'applied', 'ignored', 'quarantined']).optional(),
          from: z.coerce.date().optional(),
          to: z.coerce.date().optional(),
        }),
        response: { 200: pageShape(logRow) },
      },
    },
    async (request) => {
      const { limit, offset, ...filter } = request.query
      const { rows, total } = await listEventLog(sql, filter, { limit, offset })
      return { data: rows.map((row) => ({ ...row })), total, limit, offset }
    },
  )

  api.get(
    '/api/v1/events/quarantine',
    {
      schema: {
        summary: 'Messages that could not be handled',
        tags,
        querystring: pageQuery.extend({ open: z.stringbool().default(true) }),
        response: { 200: pageShape(quarantineRow) },
      },
    },
    async (request) => {
      const { limit, offset, open } = request.query
      const { rows, total } = await listQuarantine(sql, open, { limit, offset })
      return { data: rows.map((row) => ({ ...row })), total, limit, offset }
    },
  )

  const params = z.object({ id: z.string().regex(/^\d{1,18}$/) })
  const config = { role: 'operator' as const }

  api.post(
    '/api/v1/events/quarantine/:id/retry',
    {
      config,
      schema: {
        summary: 'Try a quarantined message again',
        tags,
        params,
        response: { 200: quarantineRow },
      },
    },
    (request) =>
      transaction(sql, async (tx) => {
        const { id } = request.params
        const entry = await findOpenQuarantine(tx, id)
        if (entry === null) throw notFound('open quarantine entry', id)
        // What came from the stream unread is read again; what failed later lies among the events.
        if (entry.stream_id !== null) {
          const parsed = parseEnvelope(entry.raw, clock.now())
          if (!parsed.ok) throw problem(422, 'Still not readable', parsed.reason)
          await storeStreamEvents(tx, [parsed.event])
        }
        return { ...entry, ...(await resolveQuarantine(tx, id, 'retried')) }
      }),
  )

  api.post(
    '/api/v1/events/quarantine/:id/discard',
    {
      config,
      schema: {
        summary: 'Close a quarantined message',
        tags,
        params,
        response: { 200: quarantineRow },
      },
    },
    async (request) => {
      const entry = await resolveQuarantine(sql, request.params.id, 'discarded')
      if (entry === null) throw notFound('open quarantine entry', request.params.id)
      return { ...entry }
    },
  )
}
