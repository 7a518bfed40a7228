import { z } from 'zod'
import { listBreakers, resetBreaker, type Breaker } from '../../breakers/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound } from '../problem.ts'

const kind = z.enum(['source', 'host', 'service'])
export const breakerShape = z.object({
  kind,
  key: z.string(),
  name: z.string().nullable(),
  state: z.enum(['closed', 'open', 'half_open']),
  failure_count: z.number(),
  consecutive_opens: z.number(),
  last_failure_at: z.date().nullable(),
  last_error: z.string().nullable(),
  opened_at: z.date().nullable(),
  cooldown_until: z.date().nullable(),
})
const tags = ['breakers']

/** The circuits of sources, hosts and outside services. */
export function breakerRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/breakers',
    {
      schema: {
        summary: 'List circuits',
        tags,
        querystring: pageQuery.extend({
          kind: kind.optional(),
          state: z.enum(['closed', 'open', 'half_open']).optional(),
        }),
        response: { 200: pageShape(breakerShape) },
      },
    },
    async (request) => {
      const { limit, offset, ...asked } = request.query
      const filter = {
        ...(asked.kind !== undefined && { kind: asked.kind }),
        ...(asked.state !== undefined && { state: asked.state }),
      }
      const { breakers, total } = await listBreakers(sql, filter, { limit, offset })
      return { data: breakers.map(describeBreaker), total, limit, offset }
    },
  )

  api.post(
    '/api/v1/breakers/:kind/:key/reset',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Close a circuit and forget its failures',
        tags,
        params: z.object({ kind, key: z.string().min(1).max(300) }),
        response: { 200: breakerShape },
      },
    },
    async (request) => {
      const { params } = request
      const breaker = await resetBreaker(sql, params.kind, params.key, clock.now())
      if (breaker === null) throw notFound('circuit', `${params.kind} ${params.key}`)
      return describeBreaker(breaker)
    },
  )
}

export function describeBreaker(breaker: Breaker): z.infer<typeof breakerShape> {
  return {
    kind: breaker.kind,
    key: breaker.key,
    name: breaker.name ?? null,
    state: breaker.state,
    failure_count: breaker.failureCount,
    consecutive_opens: breaker.consecutiveOpens,
    last_failure_at: breaker.lastFailureAt,
    last_error: breaker.lastError,
    opened_at: breaker.openedAt,
    cooldown_until: breaker.cooldownUntil,
  }
}
