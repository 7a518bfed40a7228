// Hosts of a few pages that link to each other, with their own log of arrivals. A process of its own, before all others
// where the system allows it: else an arrival is noticed when a busy machine has time for it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'

export interface Arrival {
  path: string
  at: number
}

export const pages = 5

if (process.argv[2] !== undefined) await serve(process.argv.slice(2).map(Number))

/** One host for each of the crawl delays; their addresses are printed. */
async function serve(crawlDelays: readonly number[]): Promise<void> {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST)
  } catch {
    // Only the administrator may.
  }
  console.log(JSON.stringify(await Promise.all(crawlDelays.map(startHost))))
}

async function startHost(crawlDelayMs: number): Promise<string> {
  const arrivals: Arrival[] = []
  const links = Array.from(
    { length: pages },
    (_, index) => `<a href="/p${index}">Page ${index}</a>`,
  )
  const server = createServer(({ url: path = '' }, response) => {
    const at = performance.now()
    if (path === '/__arrivals') return response.end(JSON.stringify(arrivals))
    arrivals.push({ path, at })
    if (path === '/robots.txt')
      return response.end(`User-agent: *\nAllow: /\nCrawl-delay: ${crawlDelayMs / 1000}\n`)
    if (!/^\/p\d$/.test(path)) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>${path}</title><p>A page of this site.</p>${links.join(' ')}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
