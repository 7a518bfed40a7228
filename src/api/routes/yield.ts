import { z } from 'zod'
import { judgeYield, recentYields, yieldsOf, type SourceYield } from '../../flows/yield-drift.ts'
import { findSource } from '../../sources/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound } from '../problem.ts'
import { breakersOfSource } from '../../breakers/store.ts'
import { readLearning, recentInsights, yieldsByRun } from '../../extract/store.ts'
import { breakerShape, describeBreaker } from './breakers.ts'
import { strategyName } from './extract-shape.ts'

const driftShape = z.object({
  source_id: z.string(),
  run_id: z.string().nullable(),
  status: z.enum(['normal', 'low', 'empty', 'unknown']),
  cause: z
    .enum([
      'block_page',
      'unreachable',
      'calendar_empty',
      'strategy_vanished',
      'fields_missing',
      'fewer_items',
    ])
    .nullable(),
  share: z.number().nullable(),
  expected: z.number(),
  actual: z.number(),
  pages: z.number(),
  missing_fields: z.array(z.string()),
  detail: z.string(),
})

const learningShape = z.object({
  hydration_path: z.string().nullable(),
  hydration_path_version: z.number(),
  winning_strategy: strategyName.nullable(),
  wins_in_a_row: z.number(),
  learned_method: strategyName.nullable(),
  tier: z.string(),
  tier_since: z.date().nullable(),
  tier_retry_at: z.date().nullable(),
})

const runYieldShape = z.object({
  run_id: z.string(),
  at: z.string(),
  items: z.number(),
  pages: z.number(),
  strategies: z.record(z.string(), z.number()),
})
const shownRuns = 30

const tags = ['extraction']

/** What sources yield against their own history, and what they taught us. */
export function yieldRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/sources/:id/extraction',
    {
      schema: {
        summary:
          'How a source is read: what was learned, its yield run by run, its circuits, the last traces',
        tags,
        params: z.object({ id: z.uuid() }),
        response: {
          200: z.object({
            learning: learningShape.nullable(),
            drift: driftShape,
            runs: z.array(runYieldShape),
            breakers: z.array(breakerShape),
            insights: z.array(
              z.looseObject({ page_id: z.string().nullable(), items_found: z.number() }),
            ),
          }),
        },
      },
    },
    async ({ params }) => {
      const source = await findSource(sql, params.id)
      if (source === null) throw notFound('source', params.id)
      const [learning, [found], runs, breakers, insights] = await Promise.all([
        readLearning(sql, params.id),
        yieldsOf(sql, [params.id]),
        yieldsByRun(sql, params.id, shownRuns),
        breakersOfSource(sql, source),
        recentInsights(sql, params.id, 50),
      ])
      return {
        learning,
        drift: describeDrift(found ?? nothingYet(params.id)),
        runs,
        breakers: breakers.map(describeBreaker),
        insights: insights.map((insight) => ({ ...insight })),
      }
    },
  )

  api.get(
    '/api/v1/extraction/drift',
    {
      schema: {
        summary: 'Sources crawled lately whose yield fell, with the cause',
        tags,
        querystring: z.object({ hours: z.coerce.number().min(1).max(720).default(24) }),
        response: { 200: z.object({ data: z.array(driftShape), compared: z.number() }) },
      },
    },
    async ({ query }) => {
      const since = new Date(clock.now().getTime() - query.hours * 3_600_000)
      const yields = await recentYields(sql, since)
      const drifts = yields.map(describeDrift)
      return {
        data: drifts.filter(({ status }) => status === 'low' || status === 'empty'),
        compared: yields.length,
      }
    },
  )
}

function describeDrift(found: SourceYield): z.infer<typeof driftShape> {
  const { status, cause, share, missingFields, detail } = judgeYield(found)
  return {
    source_id: found.sourceId,
    run_id: found.runId === '' ? null : found.runId,
    status,
    cause,
    share,
    expected: Number(found.expected.toFixed(1)),
    actual: found.actual,
    pages: found.pages,
    missing_fields: missingFields,
    detail,
  }
}

function nothingYet(sourceId: string): SourceYield {
  return {
    sourceId,
    runId: '',
    pages: 0,
    lostPages: 0,
    expected: 0,
    actual: 0,
    blockedPages: 0,
    failedPages: 0,
    emptyPages: 0,
    strategyBefore: null,
    strategiesNow: [],
    fieldsBefore: {},
    fieldsNow: {},
  }
}
