import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, createServer as createTcp, type AddressInfo, type Server as Tcp } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowserHost, findChromium } from './browser-host.ts'
import { createBrowserTier } from './browser.ts'
import { openFetchers, type FetcherOptions, type Fetchers } from './fetchers.ts'
import { createGuard } from './guard.ts'
import { createRelays } from './relays.ts'
import type { FetchResult } from './types.ts'

const asked: IncomingMessage[] = []
const used: string[] = []
const servers: (Server | Tcp)[] = []
let site = ''
let httpProxy = ''
let socksProxy = ''

beforeAll(async () => {
  site = `http://127.0.0.1:${await listen(
    createServer((request, response) => {
      asked.push(request)
      const blocked = request.url === '/blocked'
      response.writeHead(blocked ? 403 : 200, { 'content-type': 'text/html' })
      response.end(`<title>Open</title><p>${request.url}</p>`)
    }),
  )}`
  const proxy = createServer()
  proxy.on('connect', (request, socket, head) => {
    used.push('http')
    const [host = '', port = ''] = (request.url ?? '').split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.write(head)
      target.pipe(socket).pipe(target)
    })
    for (const end of [target, socket]) end.on('error', () => end.destroy())
  })
  httpProxy = `http://127.0.0.1:${await listen(proxy)}`
  socksProxy = `socks5://127.0.0.1:${await listen(socksServer())}`
})

afterAll(() => {
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  }
})

/** As little of SOCKS5 as a client without a login needs. */
function socksServer(): Tcp {
  return createTcp((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (request) => {
        used.push('socks5')
        const named = request[3] === 3
        const end = named ? 5 + (request[4] ?? 0) : 8
        const host = named
          ? request.subarray(5, end).toString()
          : [...request.subarray(4, 8)].join('.')
        const target = connect(request.readUInt16BE(end), host, () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
          target.pipe(socket).pipe(target)
        })
        target.on('error', () => socket.destroy())
      })
    })
  })
}

async function listen(server: Server | Tcp): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function open(options: Partial<FetcherOptions>): Fetchers {
  return openFetchers({
    allowPrivate: true,
    userAgent: 'MillraceTest/1.0 (+https://millrace.test)',
    timeoutMs: 10_000,
    maxBytes: 1_000_000,
    maxRedirects: 3,
    followRedirects: true,
    browserPages: 0,
    now: () => new Date(),
    ...options,
  })
}

/** Fetches one address as a run would, up to the last tier. */
async function fetchAll(fetchers: Fetchers, urls: readonly string[]): Promise<FetchResult[]> {
  const memory = { tier: 'static' as const, retryAt: null, failures: 0 }
  const climb = fetchers.ladder({ renderMode: 'auto', proxy: null, memory })
  const results: FetchResult[] = []
  for (const [index, url] of urls.entries()) {
    const rung = { id: String(index), kind: 'page' as const, isStart: false }
    for (;;) {
      const result = await climb.fetch(rung, { url })
      if (!result.ok && climb.failed(rung, result) !== 'give_up') continue
      results.push(result)
      break
    }
  }
  await fetchers.close()
  return results
}

test('fetches go through HTTP and SOCKS5 proxies in turn', async () => {
  const fetchers = open({ proxies: [httpProxy, socksProxy], proxiesForAll: true })
  const results = await fetchAll(
    fetchers,
    [1, 2, 3, 4].map((n) => `${site}/proxied/${n}`),
  )
  expect(results.map((result) => result.ok)).toEqual([true, true, true, true])
  expect(used.slice(0, 2).toSorted()).toEqual(['http', 'socks5'])
})

test('what is blocked everywhere is asked of the scraping service, whose key stays secret', async () => {
  const service = `http://127.0.0.1:${await listen(
    createServer((request, response) => {
      const wanted = new URL(request.url ?? '/', 'http://service').searchParams
      response.setHeader('content-type', 'text/html')
      response.statusCode = wanted.get('url')?.endsWith('/blocked') === true ? 200 : 402
      response.end(`<p>${wanted.get('key')} fetched ${wanted.get('url')}</p>`)
    }),
  )}`
  const scrapingApiUrl = `${service}/?key=secret&url={url}`
  const [found] = await fetchAll(open({ scrapingApiUrl }), [`${site}/blocked`])
  expect(found).toMatchObject({ ok: true, tier: 'proxy', finalUrl: `${site}/blocked` })
  const other = `http://127.0.0.1:${await listen(createServer((_, response) => response.writeHead(403).end()))}`
  const [spent] = await fetchAll(open({ scrapingApiUrl }), [`${other}/elsewhere`])
  expect(spent).toMatchObject({ ok: false, kind: 'rate_limited' })
  expect(JSON.stringify(spent)).not.toContain('secret')
})

test('browser-like user agents take turns; robots.txt is asked for under our own name', async () => {
  asked.length = 0
  const fetchers = open({ rotateUserAgents: true })
  await fetchers.fetchRobots(`${site}/robots.txt`, {})
  await fetchAll(
    fetchers,
    [1, 2, 3].map((n) => `${site}/agents/${n}`),
  )
  const agents = asked.map((request) => request.headers['user-agent'] ?? '')
  expect(agents[0]).toContain('MillraceTest')
  expect(new Set(agents.slice(1)).size).toBe(3)
  expect(agents.slice(1).every((agent) => agent.startsWith('Mozilla/5.0'))).toBe(true)
})

const executablePath = findChromium()

test.skipIf(executablePath === null)(
  'a browser that dies under a page is replaced, and the page is drawn all the same',
  async () => {
    const guard = createGuard({ allowPrivate: true })
    const relays = createRelays(guard, [])
    const host = createBrowserHost({ executablePath: executablePath ?? '', relays })
    let deaths = 0
    const tier = createBrowserTier({
      guard,
      timeoutMs: 30_000,
      maxBytes: 1_000_000,
      pages: 1,
      host: {
        close: () => host.close(),
        open: async (address, proxy) => {
          const session = await host.open(address, proxy)
          if (deaths++ === 0) await session.page.context().browser()?.close()
          return session
        },
      },
    })
    const result = await tier.fetch({ url: `${site}/drawn` })
    expect(result).toMatchObject({ ok: true, tier: 'browser' })
    expect(deaths).toBe(2)
    await tier.close()
    await relays.close()
  },
  90_000,
)
