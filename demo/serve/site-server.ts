import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hashText } from '../generate/random.ts'
import { svgImage } from '../render/html.ts'
import type { DemoRequest, Rendered, Resource, Wire } from '../types.ts'
import { control } from './control.ts'
import type { LiveSite } from './live-site.ts'
import type { RequestLog } from './request-log.ts'
import { respond } from './respond.ts'

/** The HTTP server of one site. The site itself is given later, when its address is known. */
export function createSiteServer(key: string, log: RequestLog, live: () => LiveSite): Server {
  // Without a timeout of its own, so that slow sites are as slow as they want to be.
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 5_000 },
    (request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/'
      if (path.startsWith('/__')) {
        control(key, live(), log, request, response).catch((error: unknown) => {
          response.destroy(error instanceof Error ? error : new Error(String(error)))
        })
        return
      }
      const entry = log.add({
        site: key,
        at: Date.now(),
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        userAgent: request.headers['user-agent'] ?? '',
        status: null,
      })
      response.once('close', () => {
        entry.status = response.headersSent ? response.statusCode : 0
      })
      answer(live(), request, response, path)
    },
  )
  return server
}

function answer(
  live: LiveSite,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const method = request.method ?? 'GET'
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const rendered = live.rendered
  const asked: DemoRequest = {
    method,
    target: request.url ?? '/',
    path,
    headers: request.headers,
    at: performance.now(),
  }
  if (live.site.intercept?.(asked, wireOf(request, response), rendered)) return
  respond(request, response, lookUp(rendered, asked.target, path))
}

export function lookUp(rendered: Rendered, target: string, path: string): Resource {
  return (
    rendered.resources.get(withoutTracking(target)) ??
    (path.startsWith('/img/') ? image(path) : notFound)
  )
}

function wireOf(request: IncomingMessage, response: ServerResponse): Wire {
  return {
    send: (resource) => respond(request, response, resource),
    reset: () => request.socket.resetAndDestroy(),
    stream(head, body) {
      response.writeHead(head.status, head.headers)
      if (request.method === 'HEAD') {
        response.end()
        return
      }
      // A client that hangs up is the expected end of most of these.
      pipeline(Readable.from(body), response).catch(() => response.destroy())
    },
  }
}

/** Links carry campaign parameters; the page behind them is the same. */
function withoutTracking(target: string): string {
  const [path = '/', query] = target.split('?')
  if (query === undefined) return path
  const kept = query.split('&').filter((pair) => !/^(utm_\w+|fbclid|gclid|ref)=/.test(pair))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

const images = new Map<string, Resource>()

function image(path: string): Resource {
  const known = images.get(path)
  if (known) return known
  const made: Resource = {
    body: svgImage(path.slice(5).replace(/\W/g, ''), hashText(path) % 360),
    type: 'image/svg+xml',
    lastModified: new Date(0),
  }
  images.set(path, made)
  return made
}

const notFound: Resource = {
  status: 404,
  type: 'text/html; charset=utf-8',
  body: '<!doctype html><html lang="nl"><title>Niet gevonden</title><h1>Niet gevonden</h1><p>Deze pagina bestaat niet (meer).</p><p><a href="/">Naar de voorpagina</a></p></html>',
  lastModified: new Date(0),
}
