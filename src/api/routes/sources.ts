import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createGuard } from '../../crawl/fetch/guard.ts'
import {
  createSources,
  patchSource,
  patchSources,
  removeSources,
  type ChangeOptions,
  type ChangeResult,
} from '../../sources/change.ts'
import {
  kinds,
  pairsBelongTogether,
  priorities,
  sourceInput,
  sourcePatch,
  type GroupSettings,
} from '../../sources/fields.ts'
import { findGroup, listGroups } from '../../sources/groups.ts'
import type { Source } from '../../sources/source.ts'
import { findSource } from '../../sources/store.ts'
import {
  findListedSource,
  listSources,
  sourceSorts,
  sourceStates,
} from '../../flows/list-sources.ts'
import { countBelongings } from '../../flows/source-belongings.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid, notFound, problem } from '../problem.ts'
import { describeSource, etagOf, listedSourceShape, sourceShape } from './source-shape.ts'

export const idParams = z.object({ id: z.uuid() })
const tags = ['sources']
const operator = { role: 'operator' as const }

export const sourceQuery = z.object({
  search: z.string().max(200).optional(),
  enabled: z.stringbool().optional(),
  kind: z.enum(kinds).optional(),
  priority: z.enum(priorities).optional(),
  tag: z.string().max(60).optional(),
  group_id: z.uuid().optional(),
  auto_disabled: z.stringbool().optional(),
  host: z.string().max(300).optional(),
})

export function sourceRoutes(api: Api, context: ApiContext): void {
  const { sql } = context

  api.get(
    '/api/v1/sources',
    {
      schema: {
        summary: 'List sources with the state of their jobs',
        tags,
        querystring: sourceQuery.extend(pageQuery.shape).extend({
          status: z.enum(sourceStates).optional(),
          sort: z.enum(sourceSorts).default('name'),
        }),
        response: { 200: pageShape(listedSourceShape) },
      },
    },
    async (request) => {
      const { limit, offset, sort, ...filter } = request.query
      const [page, groups] = await Promise.all([
        listSources(sql, filter, { limit, offset, sort }, context.clock.now()),
        listGroups(sql),
      ])
      const settings = new Map(groups.map((group) => [group.id, group.settings]))
      const data = page.sources.map((source) =>
        describeSource(source, settings.get(source.group_id ?? '') ?? null),
      )
      return { data, total: page.total, limit, offset }
    },
  )

  api.get(
    '/api/v1/sources/:id',
    {
      schema: {
        summary: 'One source with the state of its job',
        tags,
        params: idParams,
        response: { 200: listedSourceShape },
      },
    },
    async (request, reply) => {
      const source = await findListedSource(sql, request.params.id, context.clock.now())
      if (source === null) throw notFound('source', request.params.id)
      return reply
        .header('etag', etagOf(source))
        .send(describeSource(source, await groupOf(source)))
    },
  )

  api.post(
    '/api/v1/sources',
    {
      config: operator,
      schema: {
        summary: 'Add a source; its job follows by itself',
        tags,
        body: sourceInput,
        response: { 201: sourceShape },
      },
    },
    async (request, reply) => {
      refusePrivate(context, request.body.url)
      await requireGroup(request.body.group_id)
      const { created, duplicates } = await createSources(
        sql,
        [request.body],
        // Whoever adds one source looks for its first pages.
        { ...changeOptions(context, request), firstRunsWithinMs: 0 },
      )
      const [source] = created
      if (source === undefined) throw duplicate(duplicates[0]?.existingId ?? '')
      return reply
        .code(201)
        .header('etag', etagOf(source))
        .header('location', `/api/v1/sources/${source.id}`)
        .send(describeSource(source, await groupOf(source)))
    },
  )

  api.put(
    '/api/v1/sources/:id',
    {
      config: operator,
      schema: {
        summary: 'Replace a source: what is left out gets its default',
        tags,
        params: idParams,
        body: sourceInput,
        response: { 200: sourceShape },
      },
    },
    async (request, reply) => {
      refusePrivate(context, request.body.url)
      await requireGroup(request.body.group_id)
      const source = await change(request, request.params.id, request.body)
      return reply
        .header('etag', etagOf(source))
        .send(describeSource(source, await groupOf(source)))
    },
  )

  api.patch(
    '/api/v1/sources/:id',
    {
      config: operator,
      schema: {
        summary: 'Change the fields that are named',
        tags,
        params: idParams,
        body: sourcePatch,
        response: { 200: sourceShape },
      },
    },
    async (request, reply) => {
      if (request.body.url !== undefined) refusePrivate(context, request.body.url)
      await requireGroup(request.body.group_id ?? null)
      await requirePairs(request.params.id, request.body)
      const source = await change(request, request.params.id, request.body)
      return reply
        .header('etag', etagOf(source))
        .send(describeSource(source, await groupOf(source)))
    },
  )

  api.delete(
    '/api/v1/sources/:id',
    {
      config: operator,
      schema: {
        summary: 'Delete a source and what goes with it; dry_run only tells what that is',
        tags,
        params: idParams,
        querystring: z.object({
          reason: z.string().max(200).default('user_requested'),
          dry_run: z.stringbool().default(false),
        }),
        response: {
          200: z.object({
            deleted: z.boolean(),
            id: z.string(),
            goes_with_it: z.record(z.string(), z.number()),
          }),
        },
      },
    },
    async (request) => {
      const { id } = request.params
      const source = await findSource(sql, id)
      if (source === null) throw notFound('source', id)
      const expected = expectedVersion(request)
      if (expected !== null && expected !== source.version) throw stale(source.version)
      const goes_with_it = await countBelongings(sql, id)
      if (request.query.dry_run) return { deleted: false, id, goes_with_it }
      await removeSources(sql, [id], request.query.reason, changeOptions(context, request))
      return { deleted: true, id, goes_with_it }
    },
  )

  api.post(
    '/api/v1/sources/:id/enable',
    {
      config: operator,
      schema: {
        summary: 'Enable a source',
        tags,
        params: idParams,
        response: { 200: sourceShape },
      },
    },
    async (request) => toggle(request, request.params.id, { enabled: true }),
  )

  api.post(
    '/api/v1/sources/:id/disable',
    {
      config: operator,
      schema: {
        summary: 'Disable a source; say why',
        tags,
        params: idParams,
        body: z.object({ reason: z.string().trim().min(1).max(500) }),
        response: { 200: sourceShape },
      },
    },
    async (request) =>
      toggle(request, request.params.id, { enabled: false, disabled_reason: request.body.reason }),
  )

  async function change(request: FastifyRequest, id: string, patch: Partial<Source>) {
    const options = changeOptions(context, request)
    return changed(await patchSource(sql, id, patch, expectedVersion(request), options), id)
  }

  async function toggle(request: FastifyRequest, id: string, patch: Partial<Source>) {
    const results = await patchSources(sql, [id], () => patch, changeOptions(context, request))
    const source = changed(results.get(id) ?? { ok: false, reason: 'missing' }, id)
    return describeSource(source, await groupOf(source))
  }

  async function groupOf(source: Source): Promise<GroupSettings | null> {
    return source.group_id === null
      ? null
      : ((await findGroup(sql, source.group_id))?.settings ?? null)
  }

  async function requireGroup(id: string | null): Promise<void> {
    if (id !== null && (await findGroup(sql, id)) === null)
      throw invalid([{ field: 'group_id', message: `there is no group ${id}` }])
  }

  /** A patch may name one half of a pair; the other half is the stored one. */
  async function requirePairs(id: string, patch: Record<string, unknown>): Promise<void> {
    const source = await findSource(sql, id)
    if (source === null) throw notFound('source', id)
    const merged = z
      .looseObject({})
      .superRefine(pairsBelongTogether)
      .safeParse({ ...source, ...patch })
    if (!merged.success)
      throw invalid(
        merged.error.issues.map((issue) => ({
          field: issue.path.join('.'),
          message: issue.message,
        })),
      )
  }
}

export function changeOptions(context: ApiContext, request: FastifyRequest): ChangeOptions {
  return {
    now: context.clock.now(),
    by: request.caller?.kind === 'service' ? 'system' : 'user',
    autoManage: context.config.autoManageNewSources,
  }
}

export function refusePrivate(context: ApiContext, url: string): void {
  const reason = privateReason(context, url)
  if (reason !== null) throw invalid([{ field: 'url', message: reason }])
}

export function privateReason(context: ApiContext, url: string): string | null {
  const { allowedHosts, config } = context
  return createGuard({ allowPrivate: config.allowPrivateNetworks, allowedHosts }).refuses(url)
}

/** If-Match: the change is made only to the version the caller has seen. */
function expectedVersion(request: FastifyRequest): number | null {
  const header = request.headers['if-match']
  if (header === undefined || header === '*') return null
  const match = /^(?:W\/)?"(\d+)"$/.exec(header)
  if (match === null) throw invalid([{ field: 'if-match', message: 'is not an ETag of a source' }])
  return Number(match[1])
}

function changed(result: ChangeResult, id: string): Source {
  if (result.ok) return result.source
  if (result.reason === 'stale') throw stale(result.version)
  if (result.reason === 'duplicate') throw duplicate(result.existingId)
  throw notFound('source', id)
}

function stale(version: number): Error {
  return problem(
    412,
    'Changed meanwhile',
    `Somebody changed this source; it is at version ${version} now. Read it again and repeat.`,
    { version },
  )
}

function duplicate(existingId: string): Error {
  return problem(409, 'Address already known', 'Another source has this address.', {
    existing_id: existingId,
    errors: [{ field: 'url', message: 'another source has this address' }],
  })
}
