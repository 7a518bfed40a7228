import type { FastifyReply, FastifyRequest } from 'fastify'

export interface SseMessage {
  /** Ascending; the browser sends the last one back after a lost connection. */
  id: number
  event?: string
  data: unknown
}

export interface SseSource {
  /** Messages after `lastId` that already exist, oldest first; null asks for the usual first look. */
  replay(lastId: number | null): Promise<SseMessage[]>
  /** Calls back for each new message until the returned function is called. */
  subscribe(onMessage: (message: SseMessage) => void): Promise<() => Promise<void> | void>
}

export interface SseOptions {
  stopping: AbortSignal
  heartbeatMs?: number
}

const defaultHeartbeatMs = 15_000
/** A reader this far behind is cut off; it comes back by itself and resumes by id. */
const maxBufferedBytes = 4 * 1024 * 1024

/**
 * Streams what exists and then what comes, without a gap or a repeat: it subscribes first, holds live messages back
 * while it replays, and then drops those that the replay already held.
 */
export async function streamSse(
  request: FastifyRequest,
  reply: FastifyReply,
  source: SseSource,
  options: SseOptions,
): Promise<void> {
  const stream = openStream(request, reply, options)
  let lastId = readLastEventId(request)
  let waiting: SseMessage[] | null = []

  const deliver = (message: SseMessage): void => {
    if (lastId !== null && message.id <= lastId) return
    lastId = message.id
    stream.write(message)
  }
  const unsubscribe = await source.subscribe((message) => {
    if (waiting === null) deliver(message)
    else waiting.push(message)
  })
  stream.onClose(() => void unsubscribe())
  try {
    for (const message of await source.replay(lastId)) deliver(message)
    for (const message of waiting) deliver(message)
    waiting = null
  } catch (error) {
    request.log.warn({ err: error }, 'a stream ended because its replay failed')
    stream.close()
  }
}

/** The number in Last-Event-ID, or in `last_event_id` for readers that cannot set headers. */
function readLastEventId(request: FastifyRequest): number | null {
  const query = request.query as Record<string, unknown>
  const text = request.headers['last-event-id'] ?? query['last_event_id']
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
}

interface SseStream {
  write(message: SseMessage): void
  onClose(listener: () => void): void
  close(): void
}

function openStream(request: FastifyRequest, reply: FastifyReply, options: SseOptions): SseStream {
  reply.hijack()
  const response = reply.raw
  const listeners: (() => void)[] = []
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  })
  response.write('retry: 2000\n\n')

  const heartbeat = setInterval(
    () => response.write(': still here\n\n'),
    options.heartbeatMs ?? defaultHeartbeatMs,
  )
  const close = (): void => {
    response.end()
  }
  options.stopping.addEventListener('abort', close, { once: true })
  request.raw.once('close', () => {
    clearInterval(heartbeat)
    options.stopping.removeEventListener('abort', close)
    for (const listener of listeners) listener()
  })
  return {
    write: (message) => {
      if (response.writableLength > maxBufferedBytes) return close()
      response.write(encode(message))
    },
    onClose: (listener) => {
      if (request.raw.destroyed) listener()
      else listeners.push(listener)
    },
    close,
  }
}

function encode(message: SseMessage): string {
  const event = message.event === undefined ? '' : `event: ${message.event}\n`
  return `id: ${message.id}\n${event}data: ${JSON.stringify(message.data)}\n\n`
}
