import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/kernel/package-root.ts'
import { ours } from './contenders.ts'
import { measure } from './measure.ts'

export interface SlowHostsResult {
  hosts: number
  /** Of one request per second on every host, the share that was reached. */
  speed: number
  smallest_gap_ms: number
  faster_than_allowed: number
  seconds: number
}

const pagesPerHost = 20
const delayMs = 1000

/** Many slow hosts at once, one request per second each: none may be asked faster, all should be as fast as that. */
export async function slowHosts(hosts: number): Promise<SlowHostsResult> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const site = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      packagePath('demo', 'bench-main.ts'),
      '--slow-hosts',
      String(hosts),
      '--pages-per-host',
      String(pagesPerHost),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  try {
    const { urls } = await firstLine<{ urls: string[] }>(site.stdout)
    const list = join(folder, 'urls.json')
    writeFileSync(list, JSON.stringify(urls))
    const { seconds } = await measure({
      name: 'millrace, slow hosts',
      ...ours(`@${list}`, pagesPerHost),
      env: {
        CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true',
        CRAWLER_MIN_DELAY_MS: String(delayMs),
        CRAWLER_WORKER_CONCURRENCY: String(hosts),
        CRAWLER_FEED_DISCOVERY_ENABLED: 'false',
      },
    })
    const seen = (await (await fetch(new URL('/__hosts.json', urls[0]))).json()) as {
      requests: number
      minGapMs: number | null
      firstAt: number
      lastAt: number
    }[]
    const speeds = seen.map(
      ({ requests, firstAt, lastAt }) => ((requests - 1) * delayMs) / (lastAt - firstAt),
    )
    const gaps = seen.map(({ minGapMs }) => minGapMs ?? Infinity)
    const result = {
      hosts,
      speed: Math.round((speeds.reduce((sum, speed) => sum + speed, 0) / hosts) * 100) / 100,
      smallest_gap_ms: Math.round(Math.min(...gaps)),
      faster_than_allowed: gaps.filter((gap) => gap < delayMs).length,
      seconds: Math.round(seconds),
    }
    console.log(
      `${hosts} slow hosts: ${result.speed} of full speed in ${result.seconds} s, smallest gap ${result.smallest_gap_ms} ms`,
    )
    return result
  } finally {
    site.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The list of hosts is longer than one piece of output. */
async function firstLine<T>(output: NodeJS.ReadableStream): Promise<T> {
  let text = ''
  while (!text.includes('\n')) text += String((await once(output, 'data'))[0])
  return JSON.parse(text) as T
}
