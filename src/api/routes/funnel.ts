import { z } from 'zod'
import { listAlerts } from '../../stages/alerts.ts'
import { countMissedGuesses, ownSourceIds, readDrops } from '../../stages/drops.ts'
import { readFunnel, type FunnelStage } from '../../stages/funnel.ts'
import { stageNames, stageOfNumber } from '../../stages/kinds.ts'
import { watchStages } from '../../stages/live.ts'
import { stageMetrics } from '../../stages/metrics.ts'
import { inSnapshot } from '../../stages/snapshot.ts'
import { readTimeseries } from '../../stages/timeseries.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid } from '../problem.ts'
import { streamSse, type SseMessage } from '../sse.ts'
import { rangeOf, rangeQuery, sourcesOf, type RangeQueryValues } from './stage-range.ts'

const tags = ['pipeline']

const stageShape = z.object({
  name: z.enum(stageNames),
  count: z.number(),
  unique_articles: z.number(),
})
const funnelShape = z.object({
  period: z.string(),
  timezone: z.string(),
  from: z.date(),
  to: z.date(),
  stages: z.array(stageShape.extend({ drops: z.record(z.string(), z.number()) })),
  guesses_missed: z
    .number()
    .describe('usual places of feeds and agendas that sites do not have; no drops'),
  generated_at: z.date(),
})
const funnelQuery = rangeQuery.extend({
  exclude_reclassifications: z.stringbool().default(false),
})
const seriesQuery = funnelQuery.extend({ bucket: z.enum(['hour', 'day']).optional() })
const mostBuckets = 1000

/** How many articles passed each stage, in any stretch of time. */
export function funnelRoutes(api: Api, context: ApiContext): void {
  const { sql, clock } = context
  const metrics = stageMetrics(context.metrics)
  const live = watchStages({ sql, log: context.log, stopping: context.stopping })

  api.get(
    '/api/v1/funnel',
    {
      schema: {
        summary: 'The funnel',
        tags,
        querystring: funnelQuery,
        response: { 200: funnelShape },
      },
    },
    async (request) => await answer(request.query),
  )

  api.get(
    '/api/v1/funnel/timeseries',
    {
      schema: {
        summary: 'The funnel of each hour or day',
        tags,
        querystring: seriesQuery,
        response: {
          200: z.object({
            period: z.string(),
            timezone: z.string(),
            bucket: z.enum(['hour', 'day']),
            from: z.date(),
            to: z.date(),
            buckets: z.array(
              z.object({ from: z.date(), to: z.date(), stages: z.array(stageShape) }),
            ),
            generated_at: z.date(),
          }),
        },
      },
    },
    async (request) => {
      const { query } = request
      const done = metrics.querySeconds.startTimer({ endpoint: 'timeseries' })
      const series = await inSnapshot(sql, clock, async (snapshot) => {
        const range = rangeOf(snapshot, query)
        const hours = (range.to.getTime() - range.from.getTime()) / 3_600_000
        const bucket = query.bucket ?? (hours > 48 ? 'day' : 'hour')
        if (hours / (bucket === 'day' ? 24 : 1) > mostBuckets)
          throw invalid([
            { field: 'bucket', message: `would give more than ${mostBuckets} buckets` },
          ])
        const filter = {
          sourceIds: await sourcesOf(snapshot.tx, query.source),
          excludeReclassifications: query.exclude_reclassifications,
        }
        const buckets = await readTimeseries(snapshot, range, bucket, filter)
        return {
          ...range,
          bucket,
          buckets: buckets.map((entry) => ({ ...entry, stages: entry.stages.map(describe) })),
        }
      })
      done()
      return { ...series, generated_at: clock.now() }
    },
  )

  api.get(
    '/api/v1/funnel/stream',
    {
      schema: {
        summary: 'The funnel now and at every change (SSE), at most once a second',
        tags,
        querystring: funnelQuery.extend({ last_event_id: z.string().optional() }),
      },
    },
    async (request, reply) => {
      const { query } = request
      const message = async (id: number): Promise<SseMessage> => ({
        id,
        event: 'funnel',
        data: await answer(query),
      })
      await inSnapshot(sql, clock, async (snapshot) => rangeOf(snapshot, query))
      await streamSse(
        request,
        reply,
        {
          replay: async (lastId) => {
            const id = await live.position()
            return id === lastId ? [] : [await message(id)]
          },
          subscribe: async (onMessage) =>
            live.subscribe((id) => {
              message(id).then(onMessage, (error: unknown) =>
                request.log.warn({ err: error }, 'a funnel update was skipped'),
              )
            }),
        },
        { stopping: context.stopping },
      )
    },
  )

  api.get(
    '/api/v1/funnel/alerts',
    {
      schema: {
        summary: 'Silent stages and low ratios, open ones first',
        tags,
        querystring: pageQuery.extend({ open: z.stringbool().optional() }),
        response: {
          200: pageShape(
            z.object({
              id: z.string(),
              kind: z.string(),
              stage: z.enum(stageNames),
              opened_at: z.date(),
              closed_at: z.date().nullable(),
              details: z.record(z.string(), z.unknown()),
            }),
          ),
        },
      },
    },
    async ({ query }) => {
      const { alerts, total } = await listAlerts(sql, query)
      const data = alerts.map((alert) => ({ ...alert, stage: stageOfNumber(alert.stage) }))
      return { data, total, limit: query.limit, offset: query.offset }
    },
  )

  async function answer(query: RangeQueryValues & { exclude_reclassifications: boolean }) {
    const done = metrics.querySeconds.startTimer({ endpoint: 'funnel' })
    const funnel = await inSnapshot(sql, clock, async (snapshot) => {
      const range = rangeOf(snapshot, query)
      const sourceIds = await sourcesOf(snapshot.tx, query.source)
      const excludeReclassifications = query.exclude_reclassifications
      const own = await ownSourceIds(snapshot.tx, sourceIds)
      const [stages, drops, guessesMissed] = await Promise.all([
        readFunnel(snapshot, range, { sourceIds, excludeReclassifications }),
        readDrops(snapshot.tx, { ...range, sourceIds: own }),
        countMissedGuesses(snapshot.tx, { ...range, sourceIds: own }),
      ])
      return {
        ...range,
        guesses_missed: guessesMissed,
        stages: stages.map((stage) => ({ ...describe(stage), drops: drops.get(stage.name) ?? {} })),
      }
    })
    done()
    return { ...funnel, generated_at: clock.now() }
  }
}

function describe(stage: FunnelStage): z.infer<typeof stageShape> {
  return { name: stage.name, count: stage.count, unique_articles: stage.uniqueArticles }
}
