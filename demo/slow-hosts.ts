import { createServer, type RequestListener, type Server } from 'node:http'
import { hashText } from './generate/random.ts'
import { listen, stop } from './serve/listen.ts'

export interface SlowHost {
  host: string
  url: string
  requests: number
  /** Smallest time between two arrivals; null before the second. */
  minGapMs: number | null
  firstAt: number
  lastAt: number
}

export interface SlowHosts {
  hosts: readonly SlowHost[]
  close(): Promise<void>
}

export interface SlowHostsOptions {
  hosts?: number
  pagesPerHost?: number
  /** Every answer takes between half and one and a half times this. */
  delayMs?: number
  port?: number
  /** Own loopback addresses (127.1.x.y, Linux) or names under localhost on one address. */
  naming?: 'address' | 'name'
}

/** Many slow hosts in one process, each with a chain of pages, watching how fast it is asked. */
export async function startSlowHosts(options: SlowHostsOptions = {}): Promise<SlowHosts> {
  const { hosts = 500, pagesPerHost = 20, delayMs = 300, naming = 'address' } = options
  const known = new Map<string, SlowHost>()
  const answer: RequestListener = (request, response) => {
    const path = request.url ?? '/'
    if (path === '/__hosts.json') {
      const body = JSON.stringify([...known.values()])
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      return
    }
    if (path === '/robots.txt') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nAllow: /\n')
      return
    }
    const host = known.get((request.headers.host ?? '').replace(/:\d+$/, ''))
    const number = path === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? NaN)
    if (!host || !(number < pagesPerHost)) {
      response.writeHead(404).end()
      return
    }
    arrived(host)
    const delay = delayMs / 2 + (hashText(`${host.host}${path}`) % (delayMs + 1))
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(chainPage(host.host, number, pagesPerHost))
    }, delay)
  }
  const servers: Server[] = []
  let port = options.port ?? 0
  try {
    for (let index = 0; index < hosts; index++) {
      const address =
        naming === 'address' ? `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}` : '127.0.0.1'
      if (naming === 'address' || index === 0) {
        const server = createServer(answer)
        servers.push(server)
        port = await listen(server, port, address)
      }
      const host = naming === 'address' ? address : `h${index}.localhost`
      const url = `http://${host}:${port}/`
      known.set(host, { host, url, requests: 0, minGapMs: null, firstAt: 0, lastAt: 0 })
    }
  } catch (error) {
    await Promise.all(servers.map(stop))
    throw error
  }
  return {
    get hosts() {
      return [...known.values()]
    },
    close: async () => {
      await Promise.all(servers.map(stop))
    },
  }
}

function arrived(host: SlowHost): void {
  const at = performance.now()
  if (host.requests === 0) host.firstAt = at
  else host.minGapMs = Math.min(host.minGapMs ?? Infinity, at - host.lastAt)
  host.requests += 1
  host.lastAt = at
}

/** The first page links all others, so that a crawler can always have the next one ready. */
function chainPage(host: string, number: number, pages: number): string {
  const links =
    number === 0
      ? Array.from(
          { length: pages - 1 },
          (_, i) => `<li><a href="/p/${i + 1}">Pagina ${i + 1}</a></li>`,
        )
      : ['<li><a href="/">Begin</a></li>']
  return `<!doctype html><html lang="nl"><head><meta charset="utf-8"><title>${host} ${number}</title></head><body><h1>Pagina ${number} van ${host}</h1><p>${'Een langzame maar trouwe pagina. '.repeat(60)}</p><ul>${links.join('')}</ul></body></html>`
}
