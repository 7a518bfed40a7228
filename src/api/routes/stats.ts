import { z } from 'zod'
import { stageMetrics } from '../../stages/metrics.ts'
import { inSnapshot } from '../../stages/snapshot.ts'
import { readDrift, readStats } from '../../stages/stats.ts'
import type { Api, ApiContext } from '../context.ts'
import { rangeOf, rangeQuery, sourcesOf } from './stage-range.ts'

const tags = ['pipeline']
const counts = z.record(z.string(), z.number())
const figure = z.number().nullable()

const statsShape = z.object({
  period: z.string(),
  timezone: z.string(),
  from: z.date(),
  to: z.date(),
  crawl: z.object({
    total_crawled: z.number(),
    unique_urls: z.number(),
    duplicates: z.number(),
    by_source: counts,
  }),
  classification: z.object({
    total_classified: z.number(),
    unique_articles: z.number(),
    reclassifications: z.number(),
    avg_quality_score: figure,
    median_quality_score: figure,
    by_model_version: counts,
    by_topic: counts,
  }),
  publishing: z.object({
    total_routed: z.number(),
    total_published: z.number(),
    failed_publishes: z.number(),
    by_channel: counts,
  }),
  throughput: z.object({
    median_crawl_to_classify_mins: figure,
    avg_crawl_to_classify_mins: figure,
    median_classify_to_publish_mins: figure,
    avg_classify_to_publish_mins: figure,
    median_end_to_end_mins: figure,
    avg_end_to_end_mins: figure,
  }),
  generated_at: z.date(),
})

const driftShape = z.object({
  period: z.string(),
  from: z.date(),
  to: z.date(),
  model_versions: z.array(
    z.object({
      version: z.string(),
      articles_classified: z.number(),
      avg_quality_score: figure,
      topic_distribution: counts,
      version_age_days: z.number(),
    }),
  ),
  drift_indicators: z.object({ quality_score_delta: figure, topic_distribution_shift: figure }),
  generated_at: z.date(),
})

export function statsRoutes(api: Api, context: ApiContext): void {
  const { sql, clock } = context
  const metrics = stageMetrics(context.metrics)

  api.get(
    '/api/v1/stats',
    {
      schema: {
        summary: 'Crawling, classification, publishing and throughput of a period',
        tags,
        querystring: rangeQuery,
        response: { 200: statsShape },
      },
    },
    async ({ query }) => {
      const done = metrics.querySeconds.startTimer({ endpoint: 'stats' })
      const stats = await inSnapshot(sql, clock, async (snapshot) => {
        const range = rangeOf(snapshot, query)
        const sourceIds = await sourcesOf(snapshot.tx, query.source)
        return { ...range, ...(await readStats(snapshot, range, sourceIds)) }
      })
      done()
      return { ...stats, generated_at: clock.now() }
    },
  )

  api.get(
    '/api/v1/stats/drift',
    {
      schema: {
        summary:
          'How the versions of the classifier differ, newest first; the last 30 days unless told',
        tags,
        querystring: rangeQuery.omit({ source: true }),
        response: { 200: driftShape },
      },
    },
    async ({ query }) => {
      const done = metrics.querySeconds.startTimer({ endpoint: 'drift' })
      const drift = await inSnapshot(sql, clock, async (snapshot) => {
        const range = rangeOf(snapshot, { ...query, period: query.period ?? '30d' })
        const { period, from, to } = range
        return { period, from, to, ...(await readDrift(snapshot, range)) }
      })
      done()
      return { ...drift, generated_at: clock.now() }
    },
  )
}
