import { messageOf } from '../kernel/errors.ts'

export interface RedisState {
  configured: boolean
  ok: boolean
  reason: string
}

const timeoutMs = 1_500
/** Several people may look at once; Redis is asked for all of them together. */
const freshMs = 4_000

/** Whether Redis answers, asked with a connection of its own so that a dead one costs the others nothing. */
export function createRedisCheck(url: string | null): () => Promise<RedisState> {
  if (url === null) {
    const none = { configured: false, ok: true, reason: 'not configured' }
    return () => Promise.resolve(none)
  }
  let asked: { at: number; state: Promise<RedisState> } | null = null
  return () => {
    if (asked === null || Date.now() - asked.at > freshMs)
      asked = { at: Date.now(), state: askRedis(url) }
    return asked.state
  }
}

async function askRedis(url: string): Promise<RedisState> {
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    commandOptions: { timeout: timeoutMs },
    socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return { configured: true, ok: true, reason: 'answers' }
  } catch (error) {
    return { configured: true, ok: false, reason: messageOf(error) }
  } finally {
    client.destroy()
  }
}
