import { z } from 'zod'
import { listDropped, ownSourceIds } from '../../stages/drops.ts'
import { stageNames } from '../../stages/kinds.ts'
import { inSnapshot } from '../../stages/snapshot.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { rangeOf, rangeQuery, sourcesOf } from './stage-range.ts'

const dropShape = z.object({
  id: z.string(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  source_id: z.string(),
  item_id: z.string().nullable(),
  detail: z.string().nullable(),
  at: z.date(),
})

/** What the drops of the funnel count: the same rows, the same time, the same sources. */
export function funnelDropRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/funnel/drops',
    {
      schema: {
        summary: 'What was dropped at a stage for a reason, newest first',
        tags: ['pipeline'],
        querystring: rangeQuery.extend({
          ...pageQuery.shape,
          stage: z.enum(stageNames),
          reason: z.string().min(1).max(100),
        }),
        response: { 200: pageShape(dropShape) },
      },
    },
    async ({ query }) => {
      const { stage, reason, limit, offset } = query
      return await inSnapshot(sql, clock, async (snapshot) => {
        const range = rangeOf(snapshot, query)
        const numbers = await sourcesOf(snapshot.tx, query.source)
        const sourceIds = await ownSourceIds(snapshot.tx, numbers)
        const { dropped, total } = await listDropped(
          snapshot.tx,
          { stage, reason },
          { from: range.from, to: range.to, sourceIds },
          { limit, offset },
        )
        return { data: [...dropped], total, limit, offset }
      })
    },
  )
}
