import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAssistant } from '../../src/normalize/ai/assistant.ts'
import { createGeocoder } from '../../src/normalize/geocode/nominatim.ts'

export type Mode = 'up' | 'down' | 'limited' | 'garbage' | 'slow'

export interface HelpersServer {
  readonly url: string
  readonly mode: { ai: Mode; geo: Mode }
  readonly asked: { ai: number; geo: number }
  close(): void
}

/** Plays the AI and the geocoder, well or badly. */
export async function startHelpers(): Promise<HelpersServer> {
  const mode: HelpersServer['mode'] = { ai: 'up', geo: 'up' }
  const asked = { ai: 0, geo: 0 }
  const server = createServer((request, response) => {
    const helper = request.url?.startsWith('/v1/') === true ? 'ai' : 'geo'
    asked[helper]++
    void answer(request, response, mode[helper])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The clients the program would have for them. */
export function helperClients(url: string, timeoutMs: number) {
  return {
    assistant: createAssistant({ baseUrl: `${url}/v1`, apiKey: 'k', model: 'm', fetch, timeoutMs }),
    geocoder: createGeocoder({ baseUrl: url, userAgent: 'Millrace tests', fetch, timeoutMs }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  how: Mode,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const isAi = request.url?.startsWith('/v1/') === true
  if (how === 'slow') return
  if (how === 'down' || how === 'limited')
    return void response.writeHead(how === 'down' ? 503 : 429).end('{}')
  response.setHeader('content-type', 'application/json')
  if (how === 'garbage')
    return void response.end(
      isAi ? chat('Sorry! {"items": [{"id": 7, "category": "rave"') : '"nowhere"',
    )
  if (!isAi)
    return void response.end(
      JSON.stringify([{ lat: '52.0926', lon: '5.1187', display_name: 'Neude 11' }]),
    )
  response.end(request.url?.includes('embeddings') === true ? vectors(body) : suggestions(body))
}

/** Texts that mention Mira are alike; every other is like nothing but itself. */
function vectors(body: string): string {
  const { input } = JSON.parse(body) as { input: string[] }
  const data = input.map((text, index) => ({
    index,
    object: 'embedding',
    embedding: text.includes('Mira')
      ? [1, ...Array.from({ length: 16 }, () => 0.01)]
      : [
          0,
          ...Array.from(
            { length: 16 },
            (_, n) => (Math.sin(sum(text) * 12.9898 + n * 78.233) * 43_758.5453) % 1,
          ),
        ],
  }))
  return JSON.stringify({ object: 'list', data, model: 'm', usage: { prompt_tokens: 1 } })
}

function sum(text: string): number {
  let total = 7
  for (const char of text) total = (total * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003
  return total
}

function suggestions(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
  const question = JSON.parse(messages.at(-1)?.content ?? '{}') as {
    items: { id: string; title: string; wanted: string[] }[]
  }
  const items = question.items.map(({ id, title, wanted }) => ({
    id,
    category: wanted.includes('category') ? 'music' : null,
    description: wanted.includes('description') ? `${title}: een avond om niet te missen.` : null,
    date: wanted.includes('date') && !title.includes('raadsel') ? '2026-12-31T21:00' : null,
  }))
  return chat(JSON.stringify({ items }))
}

function chat(content: string): string {
  return JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
  })
}
