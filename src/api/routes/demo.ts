import { z } from 'zod'
import { createSources, demoFirstRunsMs } from '../../sources/change.ts'
import { sourceInput } from '../../sources/fields.ts'
import { Stop } from '../../kernel/errors.ts'
import type { Api, ApiContext } from '../context.ts'
import { Problem } from '../problem.ts'
import { changeOptions } from './sources.ts'

const site = z.object({
  key: z.string(),
  name: z.string(),
  url: z.string(),
  description: z.string(),
})

export function demoRoutes(api: Api, context: ApiContext): void {
  api.get(
    '/api/v1/demo',
    {
      schema: {
        summary: 'The demo web: local sites to try everything on',
        tags: ['demo'],
        response: {
          200: z.object({ available: z.boolean(), loaded: z.boolean(), sites: z.array(site) }),
        },
      },
    },
    async () => ({ available: true, ...(await context.demo.state()) }),
  )

  api.post(
    '/api/v1/demo/load',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Start the demo web and add its sites as sources',
        tags: ['demo'],
        response: { 200: z.object({ created: z.number(), existing: z.number() }) },
      },
    },
    async (request) => {
      const sources = await context.demo.load().catch((error: unknown) => {
        if (error instanceof Stop) throw new Problem(409, 'The demo cannot start', error.message)
        throw error
      })
      const inputs = sources.map((source) => sourceInput.parse(source.fields))
      const { created } = await createSources(context.sql, inputs, {
        ...changeOptions(context, request),
        firstRunsWithinMs: demoFirstRunsMs,
      })
      return { created: created.length, existing: inputs.length - created.length }
    },
  )
}
