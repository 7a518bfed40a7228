import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Resource } from '../types.ts'

interface Prepared {
  plain: Buffer
  gzip: Buffer | null
  etag: string
}

// Rendered resources are immutable until the next edit, so their bytes are prepared once.
const prepared = new WeakMap<Resource, Prepared>()

/** Sends a resource as a well-kept server does: validators, 304, HEAD and gzip. */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  resource: Resource,
): void {
  const bytes = prepare(resource)
  const status = resource.status ?? 200
  const headers: Record<string, string | number> = {
    'content-type': resource.type,
    ...resource.headers,
  }
  if (status === 200) {
    headers['etag'] = bytes.etag
    headers['last-modified'] = resource.lastModified.toUTCString()
    headers['cache-control'] = 'public, max-age=60'
    headers['vary'] = 'accept-encoding'
    if (isFresh(request, resource, bytes.etag)) {
      response.writeHead(304, headers).end()
      return
    }
  }
  const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const encoded = acceptsGzip && bytes.gzip !== null && !headers['content-encoding']
  const body = encoded && bytes.gzip !== null ? bytes.gzip : bytes.plain
  if (encoded) headers['content-encoding'] = 'gzip'
  headers['content-length'] = body.length
  response.writeHead(status, headers)
  if (request.method === 'HEAD') response.end()
  else response.end(body)
}

function prepare(resource: Resource): Prepared {
  const known = prepared.get(resource)
  if (known) return known
  const plain = typeof resource.body === 'string' ? Buffer.from(resource.body) : resource.body
  const made = {
    plain,
    gzip: plain.length > 1000 && /text|json|xml/.test(resource.type) ? gzipSync(plain) : null,
    etag: `"${createHash('sha1').update(plain).digest('hex').slice(0, 20)}"`,
  }
  prepared.set(resource, made)
  return made
}

function isFresh(request: IncomingMessage, resource: Resource, etag: string): boolean {
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch !== undefined) {
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  }
  const since = request.headers['if-modified-since']
  if (since === undefined) return false
  return Math.floor(resource.lastModified.getTime() / 1000) * 1000 <= Date.parse(since)
}
