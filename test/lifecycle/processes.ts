import { createTokens } from '../../src/access/tokens.ts'
import { streamName } from '../../src/lifecycle/stream.ts'
import { startMillrace, temporaryFolder, type MillraceProcess } from '../harness/millrace.ts'
import type { RedisClient } from '../harness/redis.ts'

const secret = 'a-secret-for-the-lifecycle-tests'

export interface Fleet {
  /** One more process with these roles. Processes that ended are forgotten. */
  start(name: string, roles: string, env?: Record<string, string>): Promise<MillraceProcess>
  stop(): Promise<void>
}

/** Millrace processes that share a database and a Redis, as on several machines. */
export function createFleet(shared: { databaseUrl: string; redisUrl: string }): Fleet {
  const folder = temporaryFolder()
  const running = new Set<MillraceProcess>()
  const starting = new Set<Promise<MillraceProcess>>()
  return {
    start: async (name, roles, env = {}) => {
      const start = startMillrace(
        {
          DATABASE_URL: shared.databaseUrl,
          REDIS_URL: shared.redisUrl,
          REDIS_CLAIM_IDLE_MS: '500',
          MILLRACE_DATA_DIR: folder.path,
          MILLRACE_DATABASE_POOL: '4',
          MILLRACE_INSTANCE_ID: name,
          AUTH_JWT_SECRET: secret,
          ...env,
        },
        ['serve', '--roles', roles],
      )
      starting.add(start)
      const millrace = await start.finally(() => starting.delete(start))
      running.add(millrace)
      void millrace.exited.then(() => running.delete(millrace))
      return millrace
    },
    stop: async () => {
      await Promise.allSettled(starting)
      for (const millrace of running) millrace.kill('SIGKILL')
      await Promise.all([...running].map((millrace) => millrace.exited))
      folder.remove()
    },
  }
}

/** Calls the API as an admin; anything but a good answer fails the test. */
export async function callApi<T>(
  millrace: MillraceProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const token = createTokens(secret).signService('lifecycle-test', 'admin', 3_600_000)
  const response = await fetch(millrace.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text) as T
}

/** Adds messages the way any other program would: all at once. */
export async function addMessages(redis: RedisClient, events: readonly string[]): Promise<void> {
  const batch = redis.multi()
  for (const event of events) batch.xAdd(streamName, '*', { event })
  await batch.exec()
}
