import { z } from 'zod'
import { stageNames, stageNumber, stageOfNumber } from '../../stages/kinds.ts'
import {
  deleteOutage,
  endOutage,
  findOutage,
  insertOutage,
  listOutages,
  type StageOutage,
} from '../../stages/outages.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid, notFound } from '../problem.ts'

const tags = ['pipeline']
const config = { role: 'operator' as const }
const params = z.object({ id: z.string().regex(/^\d{1,18}$/) })
const time = z.iso.datetime({ offset: true })

const outageShape = z.object({
  id: z.string(),
  stage: z.enum(stageNames).nullable(),
  reason: z.string(),
  began_at: z.date(),
  ended_at: z.date().nullable(),
})

/** Outages people know of: the reconciliation calls gaps of those times expected. */
export function stageOutageRoutes(api: Api, context: ApiContext): void {
  const { sql } = context

  api.get(
    '/api/v1/funnel/outages',
    {
      schema: {
        summary: 'Recorded outages, newest first',
        tags,
        querystring: pageQuery,
        response: { 200: pageShape(outageShape) },
      },
    },
    async ({ query }) => {
      const { outages, total } = await listOutages(sql, query)
      return { data: outages.map(describe), total, limit: query.limit, offset: query.offset }
    },
  )

  api.post(
    '/api/v1/funnel/outages',
    {
      config,
      schema: {
        summary:
          'Record an outage; without an end it goes on, without a stage it is about all of them',
        tags,
        body: z.object({
          stage: z.enum(stageNames).nullable().default(null),
          reason: z.string().trim().min(1).max(500),
          began_at: time,
          ended_at: time.nullable().default(null),
        }),
        response: { 201: outageShape },
      },
    },
    async ({ body }, reply) => {
      const began_at = new Date(body.began_at)
      const ended_at = body.ended_at === null ? null : new Date(body.ended_at)
      if (ended_at !== null && ended_at <= began_at) throw endsTooEarly()
      const stage = body.stage === null ? null : stageNumber(body.stage)
      const outage = await insertOutage(sql, { stage, reason: body.reason, began_at, ended_at })
      return reply.code(201).send(describe(outage))
    },
  )

  api.patch(
    '/api/v1/funnel/outages/:id',
    {
      config,
      schema: {
        summary: 'Say when an outage ended',
        tags,
        params,
        body: z.object({ ended_at: time }),
        response: { 200: outageShape },
      },
    },
    async ({ params: { id }, body }) => {
      const outage = await endOutage(sql, id, new Date(body.ended_at))
      if (outage !== null) return describe(outage)
      throw (await findOutage(sql, id)) === null ? notFound('outage', id) : endsTooEarly()
    },
  )

  api.delete(
    '/api/v1/funnel/outages/:id',
    {
      config,
      schema: { summary: 'Forget an outage', tags, params, response: { 204: z.null() } },
    },
    async (request, reply) => {
      if (!(await deleteOutage(sql, request.params.id))) throw notFound('outage', request.params.id)
      return reply.code(204).send(null)
    },
  )
}

function endsTooEarly() {
  return invalid([{ field: 'ended_at', message: 'is not after the beginning' }])
}

function describe(outage: StageOutage): z.infer<typeof outageShape> {
  return { ...outage, stage: outage.stage === null ? null : stageOfNumber(outage.stage) }
}
