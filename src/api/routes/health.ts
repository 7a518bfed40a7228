import { z } from 'zod'
import { countPending } from '../../db/migrate.ts'
import { listLeaders } from '../../db/leader.ts'
import { messageOf } from '../../kernel/errors.ts'
import { queueDepth } from '../../runs/history.ts'
import { listWorkers } from '../../runs/workers.ts'
import type { Api, ApiContext } from '../context.ts'
import { createRedisCheck } from '../redis-state.ts'
import { version } from '../version.ts'

const check = z.object({ name: z.string(), ok: z.boolean(), reason: z.string() })
const readiness = z.object({ status: z.enum(['ready', 'not_ready']), checks: z.array(check) })

export function healthRoutes(api: Api, context: ApiContext): void {
  const redisState = createRedisCheck(context.config.redisUrl)

  api.get(
    '/health',
    {
      config: { role: 'public' },
      schema: {
        summary: 'Is the process alive',
        tags: ['system'],
        response: { 200: z.object({ status: z.literal('ok'), version: z.string() }) },
      },
    },
    () => ({ status: 'ok' as const, version }),
  )

  api.get(
    '/ready',
    {
      config: { role: 'public' },
      schema: {
        summary: 'Can the process do its duties, and if not, why',
        tags: ['system'],
        response: { 200: readiness, 503: readiness },
      },
    },
    async (_request, reply) => {
      const checks = [
        await checkDatabase(context),
        await checkMigrations(context),
        checkRoles(context),
      ]
      const ok = checks.every((entry) => entry.ok)
      return reply.code(ok ? 200 : 503).send({ status: ok ? 'ready' : 'not_ready', checks })
    },
  )

  api.get(
    '/metrics',
    { schema: { summary: 'Prometheus metrics', tags: ['system'] } },
    async (_request, reply) =>
      reply.type(context.metrics.contentType).send(await context.metrics.metrics()),
  )

  api.get(
    '/api/v1/system',
    {
      schema: {
        summary: 'This installation: version, duties, database, Redis, queue',
        tags: ['system'],
        response: { 200: systemShape },
      },
    },
    async () => {
      const { sql } = context
      const [[database], leaders, redis, queue, workers] = await Promise.all([
        sql<{ version: string; bytes: string }[]>`
          select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes`,
        listLeaders(sql, context.singletonDuties),
        redisState(),
        queueDepth(sql),
        listWorkers(sql),
      ])
      return {
        version,
        instance_id: context.instanceId,
        uptime_s: Math.round((context.clock.now().getTime() - context.startedAt.getTime()) / 1000),
        roles: [...context.config.roles],
        leaders,
        database: {
          embedded: context.embeddedDatabase,
          version: database?.version ?? 'unknown',
          size_bytes: Number(database?.bytes ?? 0),
        },
        redis,
        queue: {
          pending: queue.pending,
          running: queue.running,
          oldest_seconds: queue.oldestSeconds,
        },
        workers: {
          alive: workers.length,
          slots: workers.reduce((sum, worker) => sum + worker.concurrency, 0),
        },
        memory_bytes: process.memoryUsage().rss,
        node: process.version,
      }
    },
  )
}

const systemShape = z.object({
  version: z.string(),
  instance_id: z.string(),
  uptime_s: z.number(),
  roles: z.array(z.string()),
  leaders: z.array(z.object({ duty: z.string(), holder: z.string().nullable() })),
  database: z.object({ embedded: z.boolean(), version: z.string(), size_bytes: z.number() }),
  redis: z.object({ configured: z.boolean(), ok: z.boolean(), reason: z.string() }),
  queue: z.object({
    pending: z.number(),
    running: z.number(),
    oldest_seconds: z.number().nullable(),
  }),
  workers: z.object({ alive: z.number(), slots: z.number() }),
  memory_bytes: z.number(),
  node: z.string(),
})

async function checkDatabase({ sql }: ApiContext): Promise<z.infer<typeof check>> {
  try {
    await sql`select 1`
    return { name: 'database', ok: true, reason: 'answers' }
  } catch (error) {
    return { name: 'database', ok: false, reason: messageOf(error) }
  }
}

async function checkMigrations({ sql }: ApiContext): Promise<z.infer<typeof check>> {
  try {
    const pending = await countPending(sql)
    return {
      name: 'migrations',
      ok: pending === 0,
      reason: pending === 0 ? 'up to date' : `${pending} not applied`,
    }
  } catch (error) {
    return { name: 'migrations', ok: false, reason: messageOf(error) }
  }
}

function checkRoles({ config, stopping }: ApiContext): z.infer<typeof check> {
  return {
    name: 'roles',
    ok: !stopping.aborted,
    reason: stopping.aborted ? 'shutting down' : config.roles.join(', '),
  }
}
