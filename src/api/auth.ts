import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiKeyPrefix, useApiKey } from '../access/api-keys.ts'
import { hasRole, type Caller } from '../access/caller.ts'
import { findUser } from '../access/users.ts'
import { isUuid } from '../kernel/ids.ts'
import type { Api, ApiContext } from './context.ts'
import { problem } from './problem.ts'

export const sessionCookie = 'millrace_session'

/** Every route needs a login unless it says `public`. Cookies, bearer tokens and API keys are all welcome. */
export function requireLogin(api: Api, context: ApiContext): void {
  api.decorateRequest('caller', null)
  api.addHook('onRequest', async (request) => {
    const needed = request.routeOptions.config.role ?? 'viewer'
    // Swagger's own pages, the dashboard's files and unknown paths are not under /api/v… and hold no data.
    if (needed === 'public' || !isProtected(request)) return
    const caller = await identify(request, context)
    if (caller === null) {
      throw problem(
        401,
        'Login required',
        'Send a session cookie, a bearer token or an API key.',
        {},
        { 'www-authenticate': 'Bearer' },
      )
    }
    refuseForeignOrigin(request)
    const scope = request.routeOptions.config.scope
    const byScope = scope !== undefined && caller.scopes.includes(scope)
    if (!byScope && !hasRole(caller, needed)) {
      throw problem(403, 'Not allowed', `This needs the role ${needed}; you are ${caller.role}.`)
    }
    request.caller = caller
  })
}

export function setSession(reply: FastifyReply, token: string, config: ApiContext['config']): void {
  void reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: config.publicUrl?.startsWith('https:') ?? false,
    maxAge: config.sessionHours * 3600,
  })
}

function isProtected(request: FastifyRequest): boolean {
  const path = request.routeOptions.url
  return path !== undefined && (/^\/(api\/v\d|sse)\//.test(path) || path === '/metrics')
}

async function identify(request: FastifyRequest, context: ApiContext): Promise<Caller | null> {
  const header = request.headers.authorization
  const bearer = header?.toLowerCase().startsWith('bearer ') ? header.slice(7).trim() : undefined
  const apiKey =
    request.headers['x-api-key'] ?? (bearer?.startsWith(apiKeyPrefix) ? bearer : undefined)
  if (typeof apiKey === 'string') return byApiKey(apiKey, context)
  const token = bearer ?? request.cookies[sessionCookie]
  return token === undefined ? null : byToken(token, context)
}

async function byApiKey(presented: string, context: ApiContext): Promise<Caller | null> {
  const use = await useApiKey(context.sql, presented)
  if (use === null) return null
  if (use.overQuota) {
    throw problem(
      429,
      'Quota used up',
      `This key may make ${use.key.dailyQuota} requests a day (UTC).`,
      {},
      {
        'retry-after': String(secondsUntilMidnight(context.clock.now())),
      },
    )
  }
  return {
    kind: 'api_key',
    id: use.key.id,
    name: use.key.name,
    role: use.key.role,
    scopes: use.key.scopes,
  }
}

async function byToken(token: string, context: ApiContext): Promise<Caller | null> {
  const claims = context.tokens.verify(token)
  if (claims === null) return null
  if (claims.sessionVersion === null) {
    return {
      kind: 'service',
      id: claims.subject,
      name: claims.subject,
      role: claims.role,
      scopes: [],
    }
  }
  const user = isUuid(claims.subject) ? await findUser(context.sql, claims.subject) : null
  if (user === null || user.sessionVersion !== claims.sessionVersion) return null
  return { kind: 'user', id: user.id, name: user.email, role: user.role, scopes: [] }
}

/** A browser sends cookies along with other sites' requests; it also says where those come from. */
function refuseForeignOrigin(request: FastifyRequest): void {
  const origin = request.headers.origin
  if (origin === undefined || request.method === 'GET' || request.method === 'HEAD') return
  if (request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined)
    return
  if (URL.parse(origin)?.host !== request.headers.host) {
    throw problem(403, 'Foreign origin', 'Requests with a session cookie must come from this site.')
  }
}

function secondsUntilMidnight(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.ceil((midnight - now.getTime()) / 1000)
}
