import { z } from 'zod'
import { modelVersionOf } from '../../publish/classify/classify.ts'
import { listReputations, reputationOf } from '../../publish/classify/reputation.ts'
import {
  cancelReclassification,
  findReclassification,
  listReclassifications,
  reclassifyFilter,
  startReclassification,
  type Reclassification,
} from '../../publish/classify/reclassifications.ts'
import { listRules } from '../../publish/classify/rules-store.ts'
import { findClassifications, historyOf } from '../../publish/classify/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound, problem } from '../problem.ts'

const tags = ['classification']
const operator = { role: 'operator' as const }
const byId = z.object({ id: z.uuid() })
const runShape = z.object({
  id: z.string(),
  filter: z.record(z.string(), z.unknown()),
  status: z.enum(['running', 'completed', 'cancelled']),
  total: z.number(),
  done: z.number(),
  changed: z.number(),
  model_version: z.string().nullable(),
  requested_by: z.string().nullable(),
  created_at: z.date(),
  finished_at: z.date().nullable(),
})
const judgement = {
  quality_score: z.number(),
  content_type: z.string(),
  confidence: z.number(),
  topics: z.array(z.string()),
  model_version: z.string(),
  classified_at: z.date(),
}
const reputationShape = z.object({
  source_id: z.string(),
  day: z.string(),
  items: z.number(),
  quality_avg: z.number(),
  duplicates: z.number(),
  reputation: z.number(),
})

/** How items were judged, judging them again, and what that says about their sources. */
export function classificationRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/classifications/:id',
    {
      schema: {
        summary: 'How an item was classified, now and before',
        tags,
        params: byId,
        response: {
          200: z.object({
            item_id: z.string(),
            item_version: z.number(),
            ...judgement,
            quality_parts: z.record(z.string(), z.number()),
            topic_scores: z.array(
              z.object({
                topic: z.string(),
                confidence: z.number(),
                terms: z.array(z.string()),
              }),
            ),
            history: z.array(
              z.object({
                ...judgement,
                item_version: z.number(),
                is_reclassification: z.boolean(),
              }),
            ),
          }),
        },
      },
    },
    async ({ params }) => {
      const [now] = await findClassifications(sql, [params.id])
      if (now === undefined) throw notFound('classified item', params.id)
      const history = await historyOf(sql, params.id, 100)
      return {
        item_id: now.itemId,
        item_version: now.version,
        quality_score: now.quality,
        quality_parts: { ...now.parts },
        content_type: now.contentType,
        confidence: now.confidence,
        topics: now.topics,
        topic_scores: now.topicScores,
        model_version: now.modelVersion,
        classified_at: now.classifiedAt,
        history: history.map((row) => ({
          item_version: row.itemVersion,
          quality_score: row.quality,
          content_type: row.contentType,
          confidence: row.confidence,
          topics: row.topics,
          model_version: row.modelVersion,
          is_reclassification: row.isReclassification,
          classified_at: row.classifiedAt,
        })),
      }
    },
  )

  api.post(
    '/api/v1/reclassifications',
    {
      config: operator,
      schema: {
        summary: 'Classify one, some or all items again, in the background',
        tags,
        body: z.strictObject({ filter: reclassifyFilter.default({}) }),
        response: { 202: runShape },
      },
    },
    async ({ body, caller }, reply) => {
      const model = modelVersionOf(await listRules(sql))
      const by = caller?.name ?? null
      const run = await startReclassification(sql, body.filter, model, by, clock.now())
      if (run === null) throw problem(500, 'Not started', 'The reclassification was not stored.')
      return reply.code(202).send(describe(run))
    },
  )

  api.get(
    '/api/v1/reclassifications',
    {
      schema: {
        summary: 'Reclassifications with their progress, newest first',
        tags,
        querystring: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(50) }),
        response: { 200: z.object({ data: z.array(runShape) }) },
      },
    },
    async ({ query }) => ({
      data: (await listReclassifications(sql, query.limit)).map(describe),
    }),
  )

  api.get(
    '/api/v1/reclassifications/:id',
    {
      schema: { summary: 'One reclassification', tags, params: byId, response: { 200: runShape } },
    },
    async ({ params }) => describe(await existing(params.id)),
  )

  api.post(
    '/api/v1/reclassifications/:id/cancel',
    {
      config: operator,
      schema: {
        summary: 'Stop a reclassification; what is done stays done',
        tags,
        params: byId,
        response: { 200: runShape },
      },
    },
    async ({ params }) => {
      const run = await existing(params.id)
      if (!(await cancelReclassification(sql, run.id, clock.now())))
        throw problem(409, 'Not running', `This reclassification is ${run.status}.`)
      return describe(await existing(run.id))
    },
  )

  api.get(
    '/api/v1/reputation',
    {
      schema: {
        summary: 'What the sources are worth, the best first',
        tags,
        querystring: pageQuery,
        response: { 200: pageShape(reputationShape.extend({ source: z.string() })) },
      },
    },
    async ({ query }) => {
      const rows = await listReputations(sql, query)
      const data = rows.map((row) => ({ ...toReputation(row), source: row.sourceName }))
      return { data, total: rows[0]?.total ?? 0, limit: query.limit, offset: query.offset }
    },
  )

  api.get(
    '/api/v1/reputation/:id',
    {
      schema: {
        summary: 'The reputation of a source, day by day, newest first',
        tags,
        params: byId,
        querystring: z.object({ days: z.coerce.number().int().min(1).max(3650).default(90) }),
        response: { 200: z.object({ data: z.array(reputationShape) }) },
      },
    },
    async ({ params, query }) => ({
      data: (await reputationOf(sql, params.id, query.days)).map(toReputation),
    }),
  )

  async function existing(id: string): Promise<Reclassification> {
    const run = await findReclassification(sql, id)
    if (run === null) throw notFound('reclassification', id)
    return run
  }
}

function toReputation(
  row: Awaited<ReturnType<typeof reputationOf>>[number],
): z.infer<typeof reputationShape> {
  return {
    source_id: row.sourceId,
    day: row.day,
    items: row.items,
    quality_avg: row.qualityAvg,
    duplicates: row.duplicates,
    reputation: row.reputation,
  }
}

function describe(run: Reclassification): z.infer<typeof runShape> {
  return {
    id: run.id,
    filter: run.filter,
    status: run.status,
    total: run.total,
    done: run.done,
    changed: run.changed,
    model_version: run.modelVersion,
    requested_by: run.requestedBy,
    created_at: run.createdAt,
    finished_at: run.finishedAt,
  }
}
