import { z } from 'zod'
import { createPlanner } from '../../flows/planner.ts'
import { reconcile } from '../../flows/reconcile.ts'
import type { Api, ApiContext } from '../context.ts'

export function adminRoutes(api: Api, { sql, clock, log, config }: ApiContext): void {
  api.post(
    '/api/v1/admin/sync-enabled-sources',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Compare every source with its job now and mend what differs',
        tags: ['admin'],
        response: {
          200: z.object({
            sources_checked: z.number(),
            jobs_created: z.number(),
            jobs_updated: z.number(),
            jobs_paused: z.number(),
            jobs_resumed: z.number(),
            orphans_marked: z.number(),
            started_at: z.string(),
            duration_ms: z.number(),
          }),
        },
      },
    },
    () =>
      reconcile({
        sql,
        clock,
        log,
        planner: createPlanner(sql, clock),
        createMissing: config.autoManageNewSources,
      }),
  )
}
