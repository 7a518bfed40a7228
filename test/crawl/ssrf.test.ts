import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBrowserTier } from '../../src/crawl/fetch/browser.ts'
import { createBrowserHost, findChromium } from '../../src/crawl/fetch/browser-host.ts'
import { createGuard, type Lookup } from '../../src/crawl/fetch/guard.ts'
import { createImpersonatingTier } from '../../src/crawl/fetch/impersonating.ts'
import { createRelays, type Relays } from '../../src/crawl/fetch/relays.ts'
import { createStaticTier } from '../../src/crawl/fetch/static.ts'
import type { FetchTier } from '../../src/crawl/fetch/types.ts'

// A house with one server inside, and one outside that tries to lead a crawler there.
let inside: Server
let outside: Server
let insidePort = 0
let outsidePort = 0
/** Every request that came through; none may, so nothing is ever taken out again. */
const reached: string[] = []
let lookups: string[] = []
let relays: Relays
const tiers = new Map<string, FetchTier>()
const chromium = findChromium()
const names = ['static', 'impersonating', ...(chromium === null ? [] : ['browser'])]

beforeAll(async () => {
  inside = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end('the secrets of the house')
  })
  outside = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://outside.test')
    const to = url.searchParams.get('to') ?? ''
    if (url.pathname === '/redirect') response.writeHead(302, { location: to }).end()
    else if (url.pathname === '/subresource')
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><title>t</title><h1>Outside</h1><iframe src="${to}"></iframe><script src="${to}"></script><script>fetch('${to}', { mode: 'no-cors' }).catch(() => {}); new WebSocket('${to}'.replace('http', 'ws'))</script>`,
        )
    else if (url.pathname === '/script')
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>t</title><script>location.href='${to}'</script>`)
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Outside</h1>')
  })
  insidePort = await listen(inside)
  outsidePort = await listen(outside)
  const lookup: Lookup = async (host) => {
    lookups.push(host)
    const times = lookups.filter((name) => name === host).length
    if (host === 'outside.test') return [{ address: '127.0.0.1', family: 4 }]
    if (host === 'mapped.test') return [{ address: '::ffff:127.0.0.1', family: 6 }]
    if (host === 'mixed.test')
      return [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]
    if (host === 'rebind.test')
      return [{ address: times % 2 === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const guard = createGuard(
    { allowPrivate: false, allowedHosts: new Set([`outside.test:${outsidePort}`]) },
    lookup,
  )
  relays = createRelays(guard)
  const limits = {
    guard,
    timeoutMs: 15_000,
    maxBytes: 1_000_000,
    maxRedirects: 5,
    followRedirects: true,
  }
  tiers.set('static', createStaticTier({ ...limits, userAgent: () => 'MillraceTest/1.0' }))
  tiers.set('impersonating', createImpersonatingTier({ ...limits, relays }))
  if (chromium !== null)
    tiers.set(
      'browser',
      createBrowserTier({
        ...limits,
        pages: 4,
        host: createBrowserHost({ executablePath: chromium, relays }),
      }),
    )
}, 30_000)

afterAll(async () => {
  for (const tier of tiers.values()) await tier.close()
  await relays.close()
  inside.closeAllConnections()
  outside.closeAllConnections()
  inside.close()
  outside.close()
})

beforeEach(() => {
  lookups = []
})

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function tier(name: string): FetchTier {
  const found = tiers.get(name)
  if (found === undefined) throw new Error(`no tier ${name}`)
  return found
}

const waysIn: [string, (port: number) => string][] = [
  ['the loopback address', (port) => `http://127.0.0.1:${port}/`],
  ['a decimal address', (port) => `http://2130706433:${port}/`],
  ['an octal address', (port) => `http://0177.0.0.1:${port}/`],
  ['a short address', (port) => `http://127.1:${port}/`],
  ['an IPv6-mapped address', (port) => `http://[::ffff:127.0.0.1]:${port}/`],
  ['the IPv6 loopback', (port) => `http://[::1]:${port}/`],
  ['a name of this machine', (port) => `http://localhost:${port}/`],
  ['a name that resolves inside', (port) => `http://private.test:${port}/`],
  ['a name with a mapped address', (port) => `http://mapped.test:${port}/`],
  ['a name with one address inside', (port) => `http://mixed.test:${port}/`],
  ['the metadata address', () => 'http://169.254.169.254/latest/meta-data/'],
]

describe.each(names)('the %s tier', (name) => {
  test('fetches from outside', async () => {
    const result = await tier(name).fetch({ url: `http://outside.test:${outsidePort}/` })
    expect(result).toMatchObject({ ok: true, status: 200, tier: name })
  })

  test.concurrent.each(waysIn)('does not enter by %s', async (_what, url) => {
    const result = await tier(name).fetch({ url: url(insidePort) })
    expect(result).toMatchObject({ ok: false, kind: 'private_address' })
    expect(reached).toEqual([])
  })

  test.concurrent.each(waysIn)('does not follow a redirect to %s', async (_what, url) => {
    const to = encodeURIComponent(url(insidePort))
    const result = await tier(name).fetch({
      url: `http://outside.test:${outsidePort}/redirect?to=${to}`,
    })
    expect(result).toMatchObject({ ok: false, kind: 'private_address' })
    expect(reached).toEqual([])
  })

  test('a name that answers differently the second time gains nothing', async () => {
    const result = await tier(name).fetch({ url: `http://rebind.test:${insidePort}/` })
    expect(result.ok).toBe(false)
    expect(reached).toEqual([])
  })
})

describe.runIf(chromium !== null)('inside the browser', () => {
  test.concurrent.each(waysIn)('nothing on a page reaches %s', async (_what, url) => {
    const to = encodeURIComponent(url(insidePort))
    const result = await tier('browser').fetch({
      url: `http://outside.test:${outsidePort}/subresource?to=${to}`,
    })
    expect(result).toMatchObject({ ok: true })
    expect(reached).toEqual([])
  })

  test('a script that moves the page inside is stopped', async () => {
    const to = encodeURIComponent(`http://127.0.0.1:${insidePort}/`)
    await tier('browser').fetch({ url: `http://outside.test:${outsidePort}/script?to=${to}` })
    expect(reached).toEqual([])
  })
})
