import { z } from 'zod'
import {
  getRound,
  listRounds,
  summarizeRound,
  type Round,
  type RoundSummary,
} from '../../flows/round-summary.ts'
import { startRound } from '../../flows/rounds.ts'
import { listSourceHealth } from '../../flows/source-health.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound } from '../problem.ts'

const tags = ['rounds']

const roundShape = z.object({
  id: z.string(),
  trigger: z.enum(['api', 'cron']),
  requested_by: z.string().nullable(),
  filter: z.record(z.string(), z.unknown()),
  status: z.enum(['running', 'completed']),
  started_at: z.date(),
  completed_at: z.date().nullable(),
  sources: z.number(),
  /** Sources left out, by reason. */
  not_enqueued: z.record(z.string(), z.number()),
})

const summaryShape = roundShape.extend({
  summary: z.object({
    sources_processed: z.number(),
    waiting: z.number(),
    running: z.number(),
    inserted: z.number(),
    updated: z.number(),
    skipped: z.number(),
    errors: z.number(),
    breakers_tripped: z.array(z.string()),
    dead_letters: z.number(),
  }),
})

const healthShape = z.object({
  source_id: z.string(),
  name: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  job_status: z.string().nullable(),
  circuit_state: z.enum(['closed', 'open', 'half_open']),
  cooldown_until: z.date().nullable(),
  is_available: z.boolean(),
  unavailable_because: z.string().nullable(),
  consecutive_failures: z.number(),
  reliability: z.number(),
  historical_items: z.number(),
  last_run_at: z.date().nullable(),
  last_success_at: z.date().nullable(),
  priority_score: z.number(),
})

/** Many sources at once, under one id, with a summary that fills as they finish. */
export function roundRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.post(
    '/api/v1/rounds',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Crawl all healthy sources, or those of a filter, best score first',
        tags,
        body: z
          .strictObject({
            source_ids: z.array(z.uuid()).min(1).max(10_000).optional(),
            tags: z.array(z.string()).min(1).max(50).optional(),
            group_id: z.uuid().optional(),
            kind: z.enum(['news', 'events', 'mixed']).optional(),
          })
          .nullish(),
        response: { 201: roundShape },
      },
    },
    async ({ body, caller }, reply) => {
      const request = {
        trigger: 'api' as const,
        requestedBy: caller?.name ?? null,
        filter: body ?? {},
      }
      const { id } = await startRound(sql, request, clock.now())
      const round = await getRound(sql, id)
      if (round === null) throw notFound('round', id)
      return reply.code(201).send(describe(round))
    },
  )

  api.get(
    '/api/v1/rounds',
    {
      schema: {
        summary: 'Rounds, newest first',
        tags,
        querystring: pageQuery,
        response: { 200: pageShape(roundShape) },
      },
    },
    async ({ query }) => {
      const { rounds, total } = await listRounds(sql, query)
      return { data: rounds.map(describe), total, ...query }
    },
  )

  api.get(
    '/api/v1/rounds/:id',
    {
      schema: {
        summary: 'One round with its summary so far',
        tags,
        params: z.object({ id: z.uuid() }),
        response: { 200: summaryShape },
      },
    },
    async ({ params }) => {
      const round = await getRound(sql, params.id)
      if (round === null) throw notFound('round', params.id)
      return { ...describe(round), summary: describeSummary(await summarizeRound(sql, params.id)) }
    },
  )

  api.get(
    '/api/v1/source-health',
    {
      schema: {
        summary: 'Which sources may be crawled now, and in which order a round would take them',
        tags,
        querystring: pageQuery.extend({ available: z.stringbool().optional() }),
        response: { 200: pageShape(healthShape) },
      },
    },
    async ({ query }) => {
      const { limit, offset, available } = query
      const { sources, total } = await listSourceHealth(sql, available ?? null, { limit, offset })
      return { data: sources, total, limit, offset }
    },
  )
}

function describe(round: Round): z.infer<typeof roundShape> {
  return {
    id: round.id,
    trigger: round.trigger,
    requested_by: round.requestedBy,
    filter: round.filter,
    status: round.completedAt === null ? 'running' : 'completed',
    started_at: round.createdAt,
    completed_at: round.completedAt,
    sources: round.sources,
    not_enqueued: round.skipped,
  }
}

function describeSummary(summary: RoundSummary): z.infer<typeof summaryShape>['summary'] {
  return {
    sources_processed: summary.processed,
    waiting: summary.waiting,
    running: summary.running,
    inserted: summary.inserted,
    updated: summary.updated,
    skipped: summary.skipped,
    errors: summary.errors,
    breakers_tripped: summary.breakersTripped,
    dead_letters: summary.deadLetters,
  }
}
