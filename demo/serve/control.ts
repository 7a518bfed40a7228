import type { IncomingMessage, ServerResponse } from 'node:http'
import { EditError, type Edit } from '../generate/edits.ts'
import type { EditRequest, LiveSite } from './live-site.ts'
import type { RequestLog } from './request-log.ts'

/**
 * The paths under `/__` that tests use and crawlers never see:
 * GET truth and requests, POST reset and edit.
 */
export async function control(
  key: string,
  live: LiveSite,
  log: RequestLog,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${(request.url ?? '').split('?')[0]}`
  if (route === 'GET /__truth.json') return json(response, 200, live.truth())
  if (route === 'GET /__requests.json') return json(response, 200, { requests: log.of(key) })
  if (route === 'POST /__reset') {
    live.reset()
    log.clear(key)
    return json(response, 200, { ok: true })
  }
  if (route === 'POST /__edit') {
    try {
      return json(response, 200, { edits: live.edit(parseEdit(await readBody(request))) })
    } catch (error) {
      if (error instanceof EditError || error instanceof SyntaxError) {
        return json(response, 409, { error: error.message })
      }
      throw error
    }
  }
  json(response, 404, { error: `no control path ${route}` })
}

function parseEdit(text: string): EditRequest {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new EditError('the body must be an object')
  const { seed, edits, count } = value as Record<keyof EditRequest, unknown>
  return {
    ...(typeof seed === 'number' ? { seed } : {}),
    ...(typeof count === 'number' ? { count } : {}),
    ...(Array.isArray(edits) ? { edits: edits as Edit[] } : {}),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > 1_000_000) throw new EditError('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value, null, 1)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body)
}
