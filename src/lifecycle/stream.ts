import { messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

export const streamName = 'source-events'
export const consumerGroup = 'crawler-workers'

export interface StreamMessage {
  id: string
  event: string | undefined
}

/** The source-event stream in Redis. Every call fails fast when Redis is away; the callers try again. */
export interface SourceEventStream {
  publish(messages: readonly string[]): Promise<void>
  /** New messages for this consumer; waits up to `blockMs` for the first. */
  read(count: number, blockMs: number): Promise<StreamMessage[]>
  /** Messages that another consumer took and never finished. */
  claim(count: number, idleMs: number): Promise<StreamMessage[]>
  acknowledge(ids: readonly string[]): Promise<void>
  /** For good: takes the consumer out of the group, unless it leaves unfinished messages to be claimed. */
  leave(): Promise<void>
  close(): void
}

export interface StreamOptions {
  url: string
  instanceId: string
  maxLength: number
  log: Log
}

const connectTimeoutMs = 2000

export async function openStream(options: StreamOptions): Promise<SourceEventStream> {
  const consumer = `crawler-${options.instanceId}`
  const client = await newClient(options.url, consumer)
  // Without a listener a lost connection would end the process.
  client.on('error', (error: unknown) =>
    options.log.debug({ reason: messageOf(error) }, 'redis connection'),
  )
  try {
    await answerWithin(client.connect(), connectTimeoutMs + 500)
    await ensureGroup(client)
  } catch (error) {
    client.destroy()
    throw error
  }
  const trim = {
    TRIM: {
      strategy: 'MAXLEN' as const,
      strategyModifier: '~' as const,
      threshold: options.maxLength,
    },
  }

  return {
    publish: async (messages) => {
      await Promise.all(messages.map((event) => client.xAdd(streamName, '*', { event }, trim)))
    },
    read: async (count, blockMs) => {
      const reply = await client.xReadGroup(
        consumerGroup,
        consumer,
        { key: streamName, id: '>' },
        { COUNT: count, BLOCK: blockMs },
      )
      return (reply ?? []).flatMap((stream) => stream.messages.map(toMessage))
    },
    claim: async (count, idleMs) => {
      const reply = await client.xAutoClaim(streamName, consumerGroup, consumer, idleMs, '0-0', {
        COUNT: count,
      })
      return reply.messages.filter((message) => message !== null).map(toMessage)
    },
    acknowledge: async (ids) => {
      if (ids.length > 0) await client.xAck(streamName, consumerGroup, [...ids])
    },
    leave: () => leaveGroup(client, consumer),
    close: () => client.destroy(),
  }
}

type Client = Awaited<ReturnType<typeof newClient>>

/** A lost connection ends the stream for its user, who opens another: no hidden reconnects. */
async function newClient(url: string, name: string) {
  const { createClient } = await import('@redis/client')
  return createClient({
    url,
    // Shown by CLIENT LIST; spaces are not allowed there.
    name: name.replaceAll(/\s/g, '-'),
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
  })
}

/** Made on every connection, so that a Redis that lost its data starts again from the beginning of the stream. */
async function ensureGroup(client: Client): Promise<void> {
  try {
    await client.xGroupCreate(streamName, consumerGroup, '0', { MKSTREAM: true })
  } catch (error) {
    if (!messageOf(error).startsWith('BUSYGROUP')) throw error
  }
}

/** Every process is a consumer of its own name; one that leaves with nothing pending leaves no trace. */
async function leaveGroup(client: Client, consumer: string): Promise<void> {
  const known = await client.xInfoConsumers(streamName, consumerGroup)
  if (known.some(({ name, pending }) => name === consumer && pending === 0))
    await client.xGroupDelConsumer(streamName, consumerGroup, consumer)
}

function toMessage(message: { id: string; message: Record<string, string> }): StreamMessage {
  return { id: message.id, event: message.message['event'] }
}

export async function answerWithin<T>(promise: Promise<T>, ms: number): Promise<T> {
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
