import { parseArgs } from 'node:util'
import { defaultBasePort, startDemoWeb } from './index.ts'

/** Starts the demo web alone and prints its sites: `demo/main.ts --port 8100 --seed 1`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: String(defaultBasePort) },
      seed: { type: 'string', default: '1' },
      now: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  })
  const web = await startDemoWeb({
    seed: Number(values.seed),
    basePort: Number(values.port),
    host: values.host,
    ...(values.now === undefined ? {} : { now: new Date(values.now) }),
  })
  const width = Math.max(...web.sites.map((site) => site.name.length))
  for (const site of web.sites) {
    process.stdout.write(`${site.url.padEnd(24)} ${site.name.padEnd(width)}  ${site.description}\n`)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void web.close())
  }
}

await main()
