import { z } from 'zod'
import {
  deleteDomain,
  deleteUrls,
  frontierStats,
  listDomains,
  listFrontier,
  retryUrls,
} from '../../crawl/frontier/list.ts'
import { addUrls } from '../../crawl/frontier/store.ts'
import { outOfScope } from '../../crawl/scope.ts'
import { findSource } from '../../sources/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid, notFound } from '../problem.ts'
import { refusePrivate } from './sources.ts'

const urlRow = z.looseObject({
  id: z.string(),
  url: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
})
const domainRow = z.looseObject({ source_id: z.string(), domain: z.string(), links: z.number() })
const frontierId = z.string().regex(/^\d{1,18}$/, 'is not a frontier id')
const params = z.object({ id: frontierId })
const tags = ['frontier']
const operator = { role: 'operator' as const }

/** The known URLs of sources, and the domains they link to. */
export function frontierRoutes(api: Api, context: ApiContext): void {
  const { sql, clock } = context

  api.get(
    '/api/v1/frontier',
    {
      schema: {
        summary: 'List known URLs',
        tags,
        querystring: pageQuery.extend({
          source_id: z.uuid().optional(),
          status: z.enum(['waiting', 'fetched', 'failed', 'refused', 'gone', 'moved']).optional(),
          kind: z.enum(['page', 'listing', 'feed', 'sitemap']).optional(),
          reason: z.string().max(100).optional(),
          search: z.string().max(200).optional(),
          due: z.stringbool().optional(),
        }),
        response: { 200: pageShape(urlRow) },
      },
    },
    async (request) => {
      const { limit, offset, ...filter } = request.query
      const { rows, total } = await listFrontier(sql, filter, { limit, offset }, clock.now())
      return { data: rows.map((row) => ({ ...row })), total, limit, offset }
    },
  )

  api.get(
    '/api/v1/frontier/stats',
    {
      schema: {
        summary: 'How many URLs ended where, and why',
        tags,
        querystring: z.object({ source_id: z.uuid().optional() }),
        response: {
          200: z.object({
            total: z.number(),
            due: z.number(),
            buckets: z.array(
              z.object({
                status: z.string(),
                reason: z.string().nullable(),
                count: z.number(),
                due: z.number(),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const rows = await frontierStats(sql, request.query.source_id ?? null, clock.now())
      const sum = (field: 'count' | 'due'): number =>
        rows.reduce((total, row) => total + row[field], 0)
      return { total: sum('count'), due: sum('due'), buckets: rows.map((row) => ({ ...row })) }
    },
  )

  api.post(
    '/api/v1/frontier',
    {
      config: operator,
      schema: {
        summary: 'Submit a URL of a source; its next run fetches it first',
        tags,
        body: z.strictObject({
          source_id: z.uuid(),
          url: z.url().max(2000),
          kind: z.enum(['page', 'listing', 'feed', 'sitemap']).default('page'),
        }),
        response: { 201: z.object({ added: z.boolean() }) },
      },
    },
    async (request, reply) => {
      const { source_id, url, kind } = request.body
      const source = await findSource(sql, source_id)
      if (source === null) throw notFound('source', source_id)
      refusePrivateUnlessAllowed(url)
      const reason = outOfScope(url, 0, {
        startUrl: source.url,
        maxDepth: 99,
        includePatterns: [],
        excludePatterns: source.exclude_patterns,
      })
      if (reason !== null)
        throw invalid([{ field: 'url', message: `is outside of this source: ${reason}` }])
      const added = await addUrls(
        sql,
        source_id,
        [{ url, kind, origin: 'submit', depth: 0, priority: 95 }],
        clock.now(),
      )
      return reply.code(201).send({ added: added > 0 })
    },
  )

  api.post(
    '/api/v1/frontier/:id/retry',
    {
      config: operator,
      schema: {
        summary: 'Fetch a URL again with the next run',
        tags,
        params,
        response: { 200: z.object({ retried: z.number() }) },
      },
    },
    async (request) => {
      const retried = await retryUrls(sql, [request.params.id], clock.now())
      if (retried === 0) throw notFound('URL', request.params.id)
      return { retried }
    },
  )

  api.delete(
    '/api/v1/frontier/:id',
    {
      config: operator,
      schema: {
        summary: 'Forget a URL; a link may bring it back',
        tags,
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      if ((await deleteUrls(sql, [request.params.id])) === 0)
        throw notFound('URL', request.params.id)
      return reply.code(204).send(null)
    },
  )

  api.get(
    '/api/v1/discovered-links',
    {
      schema: {
        summary: 'Domains that sources link to, with counts',
        tags,
        querystring: pageQuery.extend({
          source_id: z.uuid().optional(),
          search: z.string().max(200).optional(),
        }),
        response: { 200: pageShape(domainRow) },
      },
    },
    async (request) => {
      const { limit, offset, ...filter } = request.query
      const { rows, total } = await listDomains(sql, filter, { limit, offset })
      return { data: rows.map((row) => ({ ...row })), total, limit, offset }
    },
  )

  api.delete(
    '/api/v1/discovered-links/:source_id/:domain',
    {
      config: operator,
      schema: {
        summary: 'Forget a discovered domain',
        tags,
        params: z.object({ source_id: z.uuid(), domain: z.string().max(300) }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { source_id, domain } = request.params
      if (!(await deleteDomain(sql, source_id, domain))) throw notFound('discovered domain', domain)
      return reply.code(204).send(null)
    },
  )

  function refusePrivateUnlessAllowed(url: string): void {
    if (!context.allowedHosts.has(new URL(url).host)) refusePrivate(context, url)
  }
}
