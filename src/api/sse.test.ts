import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { waitFor } from '../../test/harness/wait.ts'
import { streamSse, type SseMessage } from './sse.ts'

const stopping = new AbortController()
const app = fastify({ forceCloseConnections: true })
let onMessage: ((message: SseMessage) => void) | null = null
let replayed: SseMessage[] = []

app.get('/stream', (request, reply) =>
  streamSse(
    request,
    reply,
    {
      replay: async (lastId) => {
        // A message arrives live while the replay is still being read, and is part of it as well.
        onMessage?.({ id: 3, data: 'three' })
        onMessage?.({ id: 4, data: 'four' })
        return replayed.filter((message) => lastId === null || message.id > lastId)
      },
      subscribe: async (listener) => {
        onMessage = listener
        return () => {
          onMessage = null
        }
      },
    },
    { stopping: stopping.signal, heartbeatMs: 50 },
  ),
)
const address = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

async function read(
  headers: Record<string, string>,
): Promise<{ text: () => string; close: () => void }> {
  const abort = new AbortController()
  const response = await fetch(`${address}/stream`, { headers, signal: abort.signal })
  let text = ''
  void (async () => {
    try {
      const reader = response.body?.getReader()
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        text += Buffer.from(part.value).toString()
      }
    } catch {
      text += 'closed'
    }
  })()
  return { text: () => text, close: () => abort.abort() }
}

function ids(text: string): number[] {
  return [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]))
}

test('replay and live join without a gap or a repeat', async () => {
  replayed = [1, 2, 3].map((id) => ({ id, data: String(id) }))
  const stream = await read({})
  await waitFor('four messages', () => ids(stream.text()).length >= 4)
  onMessage?.({ id: 5, data: 'five' })
  await waitFor('the live message', () => ids(stream.text()).includes(5))
  expect(ids(stream.text())).toEqual([1, 2, 3, 4, 5])
  stream.close()
  await waitFor('the end of the subscription', () => onMessage === null)
})

test('a reader that comes back with Last-Event-ID gets only what it missed, and heartbeats keep it open', async () => {
  replayed = [1, 2, 3].map((id) => ({ id, data: String(id) }))
  const stream = await read({ 'last-event-id': '2' })
  await waitFor('a heartbeat', () => stream.text().includes(': still here'))
  expect(ids(stream.text())).toEqual([3, 4])
  stream.close()
})

test('shutting down ends open streams', async () => {
  const stream = await read({})
  await waitFor('the first messages', () => ids(stream.text()).length > 0)
  stopping.abort()
  await waitFor('the end', () => onMessage === null)
})
