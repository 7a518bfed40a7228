import { z } from 'zod'
import { isUuid } from '../../kernel/ids.ts'
import { normalizeUrl } from '../../kernel/url.ts'
import { readJourney } from '../../stages/journey.ts'
import { stageMetrics } from '../../stages/metrics.ts'
import type { Api, ApiContext } from '../context.ts'
import { invalid } from '../problem.ts'

const journeyQuery = z.object({
  url: z.string().min(1).max(8000).optional(),
  title: z.string().min(1).max(500).optional(),
  id: z.string().min(1).max(100).optional().describe('of an item, a known URL, or a trace'),
  q: z.string().min(1).max(8000).optional().describe('any of them'),
})

const journeyShape = z.object({
  found: z.boolean(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  url_hash: z.string().nullable(),
  trace_id: z.string().nullable(),
  verdict: z.string(),
  conclusion: z.object({
    code: z.string(),
    stage: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  steps: z.array(
    z.object({
      stage: z.string(),
      at: z.date().nullable(),
      outcome: z.string(),
      reason: z.string().nullable(),
      detail: z.string().nullable(),
      service: z.string().nullable(),
    }),
  ),
  alternatives: z.array(z.object({ url: z.string(), title: z.string().nullable() })),
})

/** Why is this missing? Everything that happened to one address, from discovery to delivery. */
export function journeyRoutes(api: Api, context: ApiContext): void {
  const metrics = stageMetrics(context.metrics)
  api.get(
    '/api/v1/journey',
    {
      schema: {
        summary: 'The journey of one URL or item; give one of url, title, id or q',
        tags: ['pipeline'],
        querystring: journeyQuery,
        response: { 200: journeyShape },
      },
    },
    async ({ query }) => {
      const done = metrics.querySeconds.startTimer({ endpoint: 'journey' })
      const journey = await readJourney(context.sql, wantedOf(query))
      done()
      return journey
    },
  )
}

function wantedOf(query: z.infer<typeof journeyQuery>): {
  url?: string
  title?: string
  id?: string
} {
  const { url, title, id, q } = query
  if ([url, title, id, q].filter((value) => value !== undefined).length !== 1)
    throw invalid([{ field: 'url', message: 'give exactly one of url, title, id and q' }])
  if (url !== undefined) {
    if (normalizeUrl(url) === null)
      throw invalid([{ field: 'url', message: 'is not a web address' }])
    return { url }
  }
  if (title !== undefined) return { title }
  if (id !== undefined) return { id }
  const text = (q ?? '').trim()
  if (/^https?:\/\//i.test(text) && normalizeUrl(text) !== null) return { url: text }
  if (isUuid(text) || /^[0-9a-f]{32}([0-9a-f]{32})?$/.test(text) || /^\d+$/.test(text))
    return { id: text }
  return { title: text }
}
