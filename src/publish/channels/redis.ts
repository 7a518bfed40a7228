import { messageOf as errorMessage } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { messageOf } from '../deliveries/message.ts'
import type { Attempt, Send } from './send.ts'
import type { Channel } from './store.ts'

const connectTimeoutMs = 2000
const answerMs = 5000
const defaultMaxLength = 100_000

export interface RedisSender {
  send: Send
  close(): Promise<void>
}

/** PUBLISH and XADD over one connection, in the order given. Opened when needed, dropped after a failure. */
export function createRedisSender(url: string, log: Log): RedisSender {
  let opening: Promise<Client> | null = null
  const open = async (): Promise<Client> => {
    const client = await newClient(url)
    // Without a listener a lost connection would end the process.
    client.on('error', (error: unknown) =>
      log.debug({ reason: errorMessage(error) }, 'redis connection for publishing'),
    )
    try {
      await within(client.connect(), connectTimeoutMs + 500)
      return client
    } catch (error) {
      client.destroy()
      throw error
    }
  }
  const drop = async (): Promise<void> => {
    const last = opening
    opening = null
    const client = await last?.catch(() => null)
    client?.destroy()
  }

  return {
    send: async (channel, batch) => {
      const started = performance.now()
      let client: Client
      try {
        client = await (opening ??= open())
      } catch (error) {
        await drop()
        return batch.slice(0, 1).map((one) => failed(one.id, error, started))
      }
      const replies = await Promise.allSettled(
        batch.map((one) => within(command(client, channel, messageOf(one)), answerMs)),
      )
      const attempts: Attempt[] = []
      for (const [index, reply] of replies.entries()) {
        const id = batch[index]?.id ?? ''
        if (reply.status === 'fulfilled') {
          attempts.push({ ...attempt(id, started), ok: true, subscribers: reply.value })
          continue
        }
        // What comes after the first failure is sent again in order, so it does not count as delivered.
        attempts.push(failed(id, reply.reason, started))
        await drop()
        break
      }
      return attempts
    },
    close: drop,
  }
}

type Client = Awaited<ReturnType<typeof newClient>>

async function newClient(url: string) {
  const { createClient } = await import('@redis/client')
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
  })
}

async function command(
  client: Client,
  channel: Channel,
  message: ReturnType<typeof messageOf>,
): Promise<number | null> {
  const topic = channel.config.topic ?? channel.name
  const body = JSON.stringify(message)
  if (channel.kind === 'redis_pubsub') return client.publish(topic, body)
  const threshold = channel.config.max_length ?? defaultMaxLength
  await client.xAdd(
    topic,
    '*',
    { id: message.id, type: message.type, message: body },
    { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold } },
  )
  return null
}

function attempt(id: string, started: number): Attempt {
  return {
    id,
    ok: false,
    error: null,
    responseCode: null,
    subscribers: null,
    tookMs: Math.round(performance.now() - started),
    pauseMs: null,
    goneForGood: false,
  }
}

function failed(id: string, error: unknown, started: number): Attempt {
  return { ...attempt(id, started), error: `Redis: ${errorMessage(error)}` }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, limit])
  } finally {
    clearTimeout(timer)
  }
}
