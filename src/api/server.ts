import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { newId } from '../kernel/ids.ts'
import { requireLogin } from './auth.ts'
import type { Api, ApiContext } from './context.ts'
import { serveDashboard } from './dashboard.ts'
import { measureRequests } from './measure.ts'
import { answerError, problem } from './problem.ts'
import { allRoutes } from './routes.ts'
import { version } from './version.ts'

export async function buildServer(context: ApiContext): Promise<Api> {
  const logger: FastifyBaseLogger = context.log
  const api = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: context.config.bodyLimitBytes,
    forceCloseConnections: true,
    genReqId: (request) => sane(request.headers['x-request-id']) ?? newId(),
    trustProxy: false,
    routerOptions: { maxParamLength: 500 },
  }).withTypeProvider<ZodTypeProvider>()
  api.setValidatorCompiler(validatorCompiler)
  api.setSerializerCompiler(serializerCompiler)
  api.setErrorHandler(answerError)
  api.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })

  await api.register(helmet, { contentSecurityPolicy: contentSecurityPolicy(), hsts: false })
  await api.register(cookie)
  await api.register(swagger, { openapi: openApiDescription(), transform: jsonSchemaTransform })
  await api.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true })
  measureRequests(api, context.metrics)
  requireLogin(api, context)
  await api.register(rateLimit, {
    max: context.config.rateLimitPerMinute,
    timeWindow: 60_000,
    hook: 'preHandler',
    keyGenerator: (request) => request.caller?.id ?? request.ip,
    errorResponseBuilder: (_request, limit) =>
      problem(
        429,
        'Too many requests',
        `At most ${limit.max} requests a minute; try again in ${Math.ceil(limit.ttl / 1000)} s.`,
      ),
  })
  for (const routes of allRoutes) routes(api, context)
  api.get('/api/openapi.json', { config: { role: 'public' }, schema: { hide: true } }, () =>
    api.swagger(),
  )
  await serveDashboard(api)
  return api
}

/** A caller's own request id is kept when it is short and plain enough for a log line. */
function sane(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header) ? header : null
}

function contentSecurityPolicy(): { directives: Record<string, string[] | null> } {
  return {
    directives: {
      'default-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'https:', 'http:'],
      'style-src': ["'self'", "'unsafe-inline'"],
      'script-src': ["'self'"],
      'frame-ancestors': ["'none'"],
      'upgrade-insecure-requests': null,
    },
  }
}

function openApiDescription() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version,
      description: 'Sources in, clean articles and calendar events out.',
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http' as const, scheme: 'bearer' },
        apiKey: { type: 'apiKey' as const, in: 'header' as const, name: 'x-api-key' },
        session: { type: 'apiKey' as const, in: 'cookie' as const, name: 'millrace_session' },
      },
    },
    security: ['bearer', 'apiKey', 'session'].map((name): Record<string, string[]> => ({
      [name]: [],
    })),
  }
}
