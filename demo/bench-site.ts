import { createServer, type ServerResponse } from 'node:http'
import { createBenchPages, type BenchPages } from './generate/bench-pages.ts'
import { listen, stop } from './serve/listen.ts'

export interface BenchSite {
  url: string
  pages: number
  /** Requests so far per page number; robots.txt and misses are not counted. */
  counts: Uint32Array
  close(): Promise<void>
}

export interface BenchSiteOptions {
  pages?: number
  seed?: number
  port?: number
  host?: string
}

/**
 * One big site for benchmarks: linked pages of 20-60 KB with title, links and JSON-LD, rendered
 * beforehand so that the server is never what is measured. Run it as a process of its own.
 */
export async function startBenchSite(options: BenchSiteOptions = {}): Promise<BenchSite> {
  const { pages = 5000, seed = 1, port = 0, host = '127.0.0.1' } = options
  const counts = new Uint32Array(pages)
  let rendered: BenchPages | null = null
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const number = path === '/' ? 0 : pageNumber(path)
    if (number !== null && number < pages && rendered !== null) {
      counts[number] = (counts[number] ?? 0) + 1
      sendPage(response, rendered.body(number), request.method === 'HEAD')
    } else if (path === '/robots.txt') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nAllow: /\n')
    } else if (path === '/__counts.json') {
      const body = JSON.stringify(summary(counts))
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    } else if (path === '/__reset') {
      counts.fill(0)
      response.writeHead(204).end()
    } else {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n')
    }
  })
  const origin = `http://${host}:${await listen(server, port, host)}`
  rendered = createBenchPages({ pages, seed, origin })
  return { url: `${origin}/`, pages, counts, close: () => stop(server) }
}

function sendPage(response: ServerResponse, body: Buffer, headOnly: boolean): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
  })
  if (headOnly) response.end()
  else response.end(body)
}

function pageNumber(path: string): number | null {
  return /^\/p\/\d{1,9}$/.test(path) ? Number(path.slice(3)) : null
}

function summary(counts: Uint32Array): { requests: number; distinct: number; repeated: number } {
  let requests = 0
  let distinct = 0
  for (const count of counts) {
    requests += count
    if (count > 0) distinct += 1
  }
  return { requests, distinct, repeated: requests - distinct }
}
