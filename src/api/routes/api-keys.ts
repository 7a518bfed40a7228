import { z } from 'zod'
import { createApiKey, listApiKeys, revokeApiKey, type ApiKey } from '../../access/api-keys.ts'
import { hasRole, roleNames } from '../../access/caller.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound, problem } from '../problem.ts'

const keyShape = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  role: z.enum(roleNames),
  scopes: z.array(z.string()),
  daily_quota: z.number().nullable(),
  used_today: z.number(),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
  expires_at: z.date().nullable(),
  revoked_at: z.date().nullable(),
})

export function apiKeyRoutes(api: Api, { sql }: ApiContext): void {
  const config = { role: 'admin' as const }
  const tags = ['api keys']

  api.get(
    '/api/v1/api-keys',
    {
      config,
      schema: {
        summary: 'List API keys',
        tags,
        querystring: pageQuery,
        response: { 200: pageShape(keyShape) },
      },
    },
    async (request) => {
      const { keys, total } = await listApiKeys(sql, request.query)
      return { data: keys.map(describe), total, ...request.query }
    },
  )

  api.post(
    '/api/v1/api-keys',
    {
      config,
      schema: {
        summary: 'Create an API key; it is shown this once',
        tags,
        body: z.object({
          name: z.string().trim().min(1).max(100),
          role: z.enum(roleNames).default('viewer'),
          scopes: z.array(z.string().max(50)).max(20).default([]),
          daily_quota: z.int().positive().max(100_000_000).nullable().default(null),
          expires_at: z.coerce.date().nullable().default(null),
        }),
        response: { 201: keyShape.extend({ key: z.string() }) },
      },
    },
    async (request, reply) => {
      const { name, role, scopes, daily_quota, expires_at } = request.body
      if (request.caller !== null && !hasRole(request.caller, role)) {
        throw problem(403, 'Not allowed', 'A key cannot have more rights than its maker.')
      }
      const { key, record } = await createApiKey(sql, {
        name,
        role,
        scopes,
        dailyQuota: daily_quota,
        expiresAt: expires_at,
        createdBy: request.caller?.kind === 'user' ? request.caller.id : null,
      })
      return reply.code(201).send({ ...describe(record), key })
    },
  )

  api.delete(
    '/api/v1/api-keys/:id',
    {
      config,
      schema: {
        summary: 'Revoke an API key',
        tags,
        params: z.object({ id: z.uuid() }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      if (!(await revokeApiKey(sql, request.params.id)))
        throw notFound('API key', request.params.id)
      return reply.code(204).send(null)
    },
  )
}

function describe(key: ApiKey): z.infer<typeof keyShape> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    role: key.role,
    scopes: key.scopes,
    daily_quota: key.dailyQuota,
    used_today: key.usedToday,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  }
}
