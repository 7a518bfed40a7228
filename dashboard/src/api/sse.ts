import { ApiError } from './problem.ts'

interface StreamMessage {
  id: string
  type: string
  data: string
}

export interface StreamHandlers {
  onMessage(message: StreamMessage): void
  onState?(state: 'connecting' | 'open' | 'waiting' | 'gone'): void
}

/**
 * Server-sent events over fetch: unlike EventSource it can tell a missing stream (404) from a
 * server that is away, and resumes after both kinds of loss with the last id it saw.
 * Returns the function that stops it.
 */
export function openStream(path: string, handlers: StreamHandlers): () => void {
  const stop = new AbortController()
  void keepOpen(path, handlers, stop.signal)
  return () => stop.abort()
}

async function keepOpen(path: string, handlers: StreamHandlers, signal: AbortSignal) {
  let lastId = ''
  let waitMs = 1000
  while (!signal.aborted) {
    handlers.onState?.('connecting')
    try {
      const response = await fetch(path, {
        credentials: 'same-origin',
        headers: { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) },
        signal,
      })
      if (response.status >= 400 && response.status < 500) throw new ApiError(response.status, null)
      if (response.ok && response.body !== null) {
        handlers.onState?.('open')
        waitMs = 1000
        for await (const message of messages(response.body)) {
          if (message.id !== '') lastId = message.id
          if (message.data !== '') handlers.onMessage(message)
        }
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError) return handlers.onState?.('gone')
    }
    handlers.onState?.('waiting')
    await pause(waitMs, signal)
    waitMs = Math.min(waitMs * 2, 15_000)
  }
}

async function* messages(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<StreamMessage> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    buffer += value.replaceAll('\r\n', '\n')
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      yield parse(buffer.slice(0, end))
      buffer = buffer.slice(end + 2)
    }
  }
}

function parse(block: string): StreamMessage {
  const message: StreamMessage = { id: '', type: 'message', data: '' }
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const value = line.slice(colon + 1).replace(/^ /, '')
    const field = line.slice(0, colon)
    if (field === 'id') message.id = value
    else if (field === 'event') message.type = value
    else if (field === 'data') data.push(value)
  }
  message.data = data.join('\n')
  return message
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
