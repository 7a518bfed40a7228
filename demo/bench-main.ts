import { parseArgs } from 'node:util'
import { startBenchSite } from './bench-site.ts'
import { startSlowHosts } from './slow-hosts.ts'

/**
 * `demo/bench-main.ts --pages 5000 --port P` or `--slow-hosts 500`: serves until it is stopped.
 * Prints one line of JSON when it is ready.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '5000' },
      port: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      'slow-hosts': { type: 'string' },
      'delay-ms': { type: 'string', default: '300' },
      'pages-per-host': { type: 'string', default: '20' },
    },
  })
  const port = Number(values.port)
  if (values['slow-hosts'] === undefined) {
    const { pages, seed } = values
    const site = await startBenchSite({ pages: Number(pages), seed: Number(seed), port })
    ready({ url: site.url, pages: site.pages }, () => site.close())
    return
  }
  const slow = await startSlowHosts({
    hosts: Number(values['slow-hosts']),
    delayMs: Number(values['delay-ms']),
    pagesPerHost: Number(values['pages-per-host']),
    port,
  })
  ready({ urls: slow.hosts.map((host) => host.url) }, () => slow.close())
}

function ready(line: object, close: () => Promise<void>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
}

await main()
