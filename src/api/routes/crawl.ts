import { z } from 'zod'
import { hasRole, type Caller } from '../../access/caller.ts'
import { cancelRun } from '../../flows/cancel-run.ts'
import { listCrawlResults } from '../../flows/crawl-results.ts'
import { requestCrawl } from '../../flows/request-crawl.ts'
import { isUuid } from '../../kernel/ids.ts'
import { hostKey, normalizeUrl } from '../../kernel/url.ts'
import { getRun, listRuns } from '../../runs/history.ts'
import type { Run } from '../../runs/types.ts'
import { findSource } from '../../sources/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid, notFound, problem } from '../problem.ts'
import { describeRun, runShape } from './run-shape.ts'

const tags = ['one-off crawls']
const byId = z.object({ id: z.uuid() })

const crawlBody = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).max(2000),
  source_id: z.uuid().optional(),
  max_depth: z.int().min(0).max(10).default(1),
  max_pages: z.int().min(1).max(10_000).default(100),
  max_duration_seconds: z.int().min(1).max(86_400).default(600),
  strategy: z.enum(['auto', 'static', 'browser', 'feed']).default('auto'),
  priority: z.int().min(0).max(100).default(60),
})

const resultShape = z.object({
  kind: z.enum(['article', 'calendar_event']),
  strategy: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
  item: z.record(z.string(), z.unknown()),
})

/** Crawls that belong to no schedule, for whoever holds a key with the scope `crawl`. */
export function crawlRoutes(api: Api, { sql, clock, config: settings }: ApiContext): void {
  const quota = { active: settings.maxCrawlsAtOnce, perDay: settings.maxCrawlsPerDay }
  const config = { role: 'operator' as const, scope: 'crawl' }

  const load = async (id: string, caller: Caller | null): Promise<Run> => {
    const run = await getRun(sql, id)
    if (run === null || run.trigger !== 'one_off' || !maySee(caller, run))
      throw notFound('crawl', id)
    return run
  }

  api.post(
    '/api/v1/crawl',
    {
      config,
      schema: {
        summary: 'Crawl an address once; the id follows its progress',
        tags,
        body: crawlBody,
        response: {
          202: z.object({
            id: z.string(),
            job_id: z.string(),
            progress_id: z.string(),
            status: z.literal('pending'),
            active_crawls: z.number(),
            crawls_today: z.number(),
          }),
        },
      },
    },
    async ({ body, caller }, reply) => {
      const { url, source_id, priority, max_depth, ...limits } = body
      const normalized = normalizeUrl(url)
      if (normalized === null) throw invalid([{ field: 'url', message: 'is not an address' }])
      if (source_id !== undefined && (await findSource(sql, source_id)) === null) {
        throw invalid([{ field: 'source_id', message: 'there is no such source' }])
      }
      const answer = await requestCrawl(
        sql,
        {
          url,
          hostKey: hostKey(normalized) ?? '',
          sourceId: source_id ?? null,
          priority,
          settings: { ...limits, depth: max_depth },
          requestedBy: caller !== null && isUuid(caller.id) ? caller.id : null,
        },
        clock.now(),
        quota,
      )
      if (!answer.ok) {
        const what = answer.reason === 'active' ? 'crawls at once' : 'crawls a day (UTC)'
        throw problem(
          429,
          'Quota used up',
          `You may have ${answer.limit} ${what}.`,
          { quota: answer.reason, limit: answer.limit },
          { 'retry-after': String(answer.retryAfterSeconds) },
        )
      }
      return reply.code(202).send({
        id: answer.id,
        job_id: answer.id,
        progress_id: answer.id,
        status: 'pending',
        active_crawls: answer.active,
        crawls_today: answer.today,
      })
    },
  )

  api.get(
    '/api/v1/crawl',
    {
      config,
      schema: {
        summary: 'Your one-off crawls, newest first',
        tags,
        querystring: pageQuery,
        response: { 200: pageShape(runShape) },
      },
    },
    async ({ query, caller }) => {
      const own =
        caller !== null && isUuid(caller.id) ? caller.id : '00000000-0000-0000-0000-000000000000'
      const { runs, total } = await listRuns(sql, { requestedBy: own }, query)
      return { data: runs.map(describeRun), total, ...query }
    },
  )

  for (const path of ['/api/v1/crawl/:id', '/api/v1/crawl-progress/:id']) {
    api.get(
      path,
      {
        config,
        schema: {
          summary: 'How far a one-off crawl is',
          tags,
          params: byId,
          response: { 200: runShape },
        },
      },
      async ({ params, caller }) => describeRun(await load(params.id, caller)),
    )
  }

  api.get(
    '/api/v1/crawl/:id/results',
    {
      config,
      schema: {
        summary: 'What a one-off crawl found so far',
        tags,
        params: byId,
        querystring: pageQuery,
        response: { 200: pageShape(resultShape) },
      },
    },
    async ({ params, query, caller }) => {
      const run = await load(params.id, caller)
      const { results, total } = await listCrawlResults(sql, run.id, query)
      return { data: results, total, ...query }
    },
  )

  api.post(
    '/api/v1/crawl/:id/cancel',
    {
      config,
      schema: {
        summary: 'Cancel a one-off crawl',
        tags,
        params: byId,
        response: { 200: runShape },
      },
    },
    async ({ params, caller }) => {
      const run = await load(params.id, caller)
      const reason = `cancelled by ${caller?.name ?? 'its owner'}`
      if (!(await cancelRun(sql, run.id, reason, clock.now()))) {
        throw problem(409, 'Not in this state', `A ${run.status} crawl cannot be cancelled.`, {
          current_status: run.status,
          allowed_actions: [],
        })
      }
      return describeRun(await load(params.id, caller))
    },
  )
}

/** Operators see every crawl; a key sees its own. */
function maySee(caller: Caller | null, run: Run): boolean {
  if (caller === null) return false
  return hasRole(caller, 'operator') || run.requestedBy === caller.id
}
