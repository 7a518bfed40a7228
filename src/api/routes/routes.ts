import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { transaction } from '../../db/pool.ts'
import { dryRunRoute, explainRoute } from '../../flows/publish/preview.ts'
import { findChannel } from '../../publish/channels/store.ts'
import { queueClassifiedSince, queueMembers } from '../../publish/queue.ts'
import { routeFilters, type RouteFilters } from '../../publish/routes/filters.ts'
import {
  deleteRoute,
  findRoute,
  insertRoute,
  listRoutes,
  replaceRoute,
  type StoredRoute,
} from '../../publish/routes/store.ts'
import { raiseVersion } from '../../publish/versions.ts'
import type { Api, ApiContext } from '../context.ts'
import { invalid, notFound, problem } from '../problem.ts'

const tags = ['routes']
const operator = { role: 'operator' as const }
const byId = z.object({ id: z.uuid() })
const name = z.string().trim().min(1).max(200)
const routeShape = z.object({
  id: z.string(),
  name: z.string(),
  channel_id: z.string().nullable(),
  channel: z.string(),
  filters: routeFilters,
  enabled: z.boolean(),
  version: z.number(),
  item_count: z.number(),
  feeds: z.object({ rss: z.string(), atom: z.string(), json: z.string(), ics: z.string() }),
  created_at: z.date(),
  updated_at: z.date(),
})
const dryRunShape = z.object({
  examined: z.number(),
  matched: z.number(),
  examples: z.array(
    z.object({
      item_id: z.string(),
      title: z.string(),
      topics: z.array(z.string()),
      quality_score: z.number(),
    }),
  ),
})
const explainShape = z.object({
  item_id: z.string(),
  enabled: z.boolean(),
  matches: z.boolean(),
  filters: z.array(
    z.object({
      filter: z.string(),
      passed: z.boolean(),
      expected: z.unknown(),
      actual: z.unknown(),
    }),
  ),
})
const recent = z.number().int().min(1).max(5000).default(500)

/** Who gets what. */
export function routeRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/routes',
    {
      schema: {
        summary: 'List routes',
        tags,
        querystring: z.object({
          channel_id: z.uuid().optional(),
          enabled: z.stringbool().optional(),
        }),
        response: { 200: z.object({ data: z.array(routeShape), total: z.number() }) },
      },
    },
    async ({ query }) => {
      const routes = await listRoutes(sql, {
        channelId: query.channel_id,
        enabled: query.enabled,
      })
      return { data: routes.map(describe), total: routes.length }
    },
  )

  api.get(
    '/api/v1/routes/:id',
    { schema: { summary: 'One route', tags, params: byId, response: { 200: routeShape } } },
    async ({ params }) => describe(await existing(params.id)),
  )

  api.post(
    '/api/v1/routes',
    {
      config: operator,
      schema: {
        summary: 'Add a route; without a channel it is read as a feed or through the changes',
        tags,
        body: z.strictObject({
          name,
          channel_id: z.uuid().nullable().default(null),
          filters: routeFilters.default({}),
          enabled: z.boolean().default(true),
        }),
        response: { 201: routeShape },
      },
    },
    async ({ body }, reply) => {
      await checkChannel(body.channel_id)
      const { channel_id: channelId, ...fields } = body
      const token = randomBytes(18).toString('base64url')
      const id = await transaction(sql, async (tx) => {
        const created = await insertRoute(tx, { ...fields, channelId }, token, clock.now())
        if (created !== null) await raiseVersion(tx, 'routes')
        return created
      })
      if (id === null) throw nameTaken(body.name)
      return reply.code(201).send(describe(await existing(id)))
    },
  )

  api.patch(
    '/api/v1/routes/:id',
    {
      config: operator,
      schema: {
        summary: 'Change a route; what no longer matches is taken off it',
        tags,
        params: byId,
        body: z.strictObject({
          name: name.optional(),
          channel_id: z.uuid().nullable().optional(),
          filters: routeFilters.optional(),
          enabled: z.boolean().optional(),
        }),
        response: { 200: routeShape },
      },
    },
    async ({ params, body }) => {
      const route = await existing(params.id)
      const fields = {
        name: body.name ?? route.name,
        channelId: body.channel_id === undefined ? route.channelId : body.channel_id,
        filters: body.filters ?? route.filters,
        enabled: body.enabled ?? route.enabled,
      }
      await checkChannel(fields.channelId)
      const namesake = await findRoute(sql, fields.name)
      if (namesake !== null && namesake.id !== route.id) throw nameTaken(fields.name)
      await transaction(sql, async (tx) => {
        await replaceRoute(tx, route.id, fields, clock.now())
        await raiseVersion(tx, 'routes')
        await queueMembers(tx, route.id, clock.now())
      })
      return describe(await existing(route.id))
    },
  )

  api.delete(
    '/api/v1/routes/:id',
    {
      config: operator,
      schema: {
        summary: 'Delete a route with its deliveries',
        tags,
        params: byId,
        response: { 204: z.null() },
      },
    },
    async ({ params }, reply) => {
      const deleted = await transaction(sql, async (tx) => {
        await raiseVersion(tx, 'routes')
        return deleteRoute(tx, params.id)
      })
      if (!deleted) throw notFound('route', params.id)
      return reply.code(204).send(null)
    },
  )

  api.post(
    '/api/v1/routes/dry-run',
    {
      schema: {
        summary: 'Which recent items these filters would take',
        tags,
        body: z.strictObject({ filters: routeFilters, recent }),
        response: { 200: dryRunShape },
      },
    },
    async ({ body }) => toShape(await dryRunRoute(sql, body.filters, body.recent)),
  )

  api.post(
    '/api/v1/routes/:id/dry-run',
    {
      schema: {
        summary: 'Which recent items this route would take',
        tags,
        params: byId,
        body: z.strictObject({ recent }).default({ recent: 500 }),
        response: { 200: dryRunShape },
      },
    },
    async ({ params, body }) =>
      toShape(await dryRunRoute(sql, (await existing(params.id)).filters, body.recent)),
  )

  api.get(
    '/api/v1/routes/:id/explain',
    {
      schema: {
        summary: 'Why an item is or is not on this route',
        tags,
        params: byId,
        querystring: z.object({ item_id: z.uuid() }),
        response: { 200: explainShape },
      },
    },
    async ({ params, query }) => {
      const route = await existing(params.id)
      const answer = await explained(route.filters, query.item_id)
      return { ...answer, enabled: route.enabled, matches: route.enabled && answer.matches }
    },
  )

  api.post(
    '/api/v1/routes/explain',
    {
      schema: {
        summary: 'Why these filters would or would not take an item',
        tags,
        body: z.strictObject({ filters: routeFilters, item_id: z.uuid() }),
        response: { 200: explainShape },
      },
    },
    ({ body }) => explained(body.filters, body.item_id),
  )

  api.post(
    '/api/v1/routes/:id/backfill',
    {
      config: operator,
      schema: {
        summary: 'Look at items of the last days again, for a route that shall begin with them',
        tags,
        params: byId,
        body: z.strictObject({ days: z.number().int().min(1).max(3650).default(30) }),
        response: { 202: z.object({ queued: z.number() }) },
      },
    },
    async ({ params, body }, reply) => {
      await existing(params.id)
      const now = clock.now()
      const since = new Date(now.getTime() - body.days * 86_400_000)
      return reply.code(202).send({ queued: await queueClassifiedSince(sql, since, now) })
    },
  )

  async function explained(
    filters: RouteFilters,
    itemId: string,
  ): Promise<z.infer<typeof explainShape>> {
    const answer = await explainRoute(sql, filters, itemId)
    if (answer === null) throw notFound('classified item', itemId)
    return { item_id: itemId, enabled: true, matches: answer.matches, filters: answer.answers }
  }

  async function existing(id: string): Promise<StoredRoute> {
    const route = await findRoute(sql, id)
    if (route === null) throw notFound('route', id)
    return route
  }

  async function checkChannel(id: string | null): Promise<void> {
    if (id !== null && (await findChannel(sql, id)) === null)
      throw invalid([{ field: 'channel_id', message: 'is not a channel' }])
  }
}

function nameTaken(taken: string) {
  return problem(409, 'Name taken', `There is already a route "${taken}".`)
}

function toShape(run: Awaited<ReturnType<typeof dryRunRoute>>): z.infer<typeof dryRunShape> {
  return {
    ...run,
    examples: run.examples.map(({ itemId, quality, ...rest }) => ({
      item_id: itemId,
      quality_score: quality,
      ...rest,
    })),
  }
}

function describe(route: StoredRoute): z.infer<typeof routeShape> {
  const feed = (format: string): string =>
    `/api/v1/routes/${route.id}/feed.${format}?token=${route.feedToken}`
  return {
    id: route.id,
    name: route.name,
    channel_id: route.channelId,
    channel: route.channelName,
    filters: route.filters,
    enabled: route.enabled,
    version: route.version,
    item_count: route.itemCount,
    feeds: { rss: feed('rss'), atom: feed('atom'), json: feed('json'), ics: feed('ics') },
    created_at: route.createdAt,
    updated_at: route.updatedAt,
  }
}
