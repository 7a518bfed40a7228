import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  id: string
  headers: Record<string, string>
  body: string
  message: {
    id: string
    type: string
    data: { item_id: string; item_version: number; change: string }
  }
}

export type Mood = 'fine' | '500' | '429' | 'slow' | 'redirect' | 'close' | '400' | '410'

export interface Receiver {
  url: string
  /** What was answered with 2xx, in order; a message may come twice. */
  accepted: Received[]
  /** How the next request is treated. */
  mood: (received: Received, count: number) => Mood
  stop(): Promise<void>
}

/** A real HTTP receiver of webhooks that behaves as badly as told. */
export async function startReceiver(mood: Receiver['mood'] = () => 'fine'): Promise<Receiver> {
  let count = 0
  const receiver: Receiver = {
    url: '',
    accepted: [],
    mood,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    read(request).then(
      (received) => answer(receiver, received, count++, request, response),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

function answer(
  receiver: Receiver,
  received: Received,
  count: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.url === '/elsewhere') throw new Error('the redirect was followed')
  const mood = receiver.mood(received, count)
  if (mood === 'fine') {
    receiver.accepted.push(received)
    response.writeHead(204).end()
  } else if (mood === '429') response.writeHead(429, { 'retry-after': '0' }).end()
  else if (mood === 'redirect') response.writeHead(302, { location: '/elsewhere' }).end()
  else if (mood === 'close') request.socket.destroy()
  // Slow: no answer at all; the sender hangs up.
  else if (mood !== 'slow') response.writeHead(Number(mood)).end('no')
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  return {
    id: headers['webhook-id'] ?? '',
    headers,
    body,
    message: JSON.parse(body) as Received['message'],
  }
}
