// `npm run bench:crawl [-- --pages 5000 --rounds 2 --only millrace,raw-loop --slow-hosts 500]`: the same local site and
// the same work for everybody, in turns; then many slow hosts at once. The course of our memory over a long crawl:
// `--only millrace --pages 50000 --rounds 1 --slow-hosts 0`.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { provideServer } from '../../scripts/build-server.mjs'
import { packagePath } from '../../src/kernel/package-root.ts'
import { contenders } from './contenders.ts'
import { measure } from './measure.ts'
import { slowHosts } from './slow-hosts.ts'
import { cpuSecondsOf } from './usage.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    'slow-hosts': { type: 'string', default: '500' },
  },
})
const pages = Number(values.pages)
const hosts = Number(values['slow-hosts'])

interface Result {
  pagesPerSecond: number
  cpuPer1000: number
  peakMb: number
  /** Of the peak, the buffers of PostgreSQL. */
  sharedMb: number
  /** Memory in the last fifth of the crawl against the second fifth. */
  growth: number
  /** Memory in each fifth of the crawl. */
  courseMb: number[]
  /** What serving the pages cost; it should be little beside the crawl. */
  siteCpuPer1000: number
}

// What is measured is the build: one of yesterday's sources would be measured without a word.
if (!(await provideServer())) throw new Error('the server cannot be built; npm run build says why')
const results = new Map<string, Result[]>()
const site = spawn(
  process.execPath,
  ['--import', 'tsx', packagePath('demo', 'bench-main.ts'), '--pages', String(pages)],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  const { url } = await readyLine<{ url: string }>(site)
  const everybody = contenders(url, pages, values.only === '' ? [] : values.only.split(','))
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const contender of everybody) {
      await fetch(new URL('/__reset', url), { method: 'POST' })
      const siteBefore = cpuSecondsOf(site.pid ?? 0)
      const { seconds, cpuSeconds, peakMb, sharedMb, course } = await measure(contender)
      const siteCpu = cpuSecondsOf(site.pid ?? 0) - siteBefore
      const counts = (await (await fetch(new URL('/__counts.json', url))).json()) as {
        distinct: number
        repeated: number
      }
      if (counts.distinct < pages)
        throw new Error(`${contender.name} saw ${counts.distinct} of ${pages} pages`)
      const result = {
        pagesPerSecond: pages / seconds,
        cpuPer1000: (cpuSeconds / pages) * 1000,
        peakMb,
        sharedMb,
        growth: mean(course, 0.8, 1) / Math.max(mean(course, 0.2, 0.4), 1),
        courseMb: [0, 0.2, 0.4, 0.6, 0.8].map((from) => Math.round(mean(course, from, from + 0.2))),
        siteCpuPer1000: (siteCpu / pages) * 1000,
      }
      results.set(contender.name, [...(results.get(contender.name) ?? []), result])
      console.log(
        `${contender.name.padEnd(18)} ${result.pagesPerSecond.toFixed(0).padStart(6)} pages/s  ${result.cpuPer1000.toFixed(2)} CPU s per 1,000  ${peakMb} MB (${sharedMb} shared), growth ${result.growth.toFixed(2)} (${result.courseMb.join(' ')}); the site ${result.siteCpuPer1000.toFixed(2)} CPU s`,
      )
    }
  }
} finally {
  site.kill('SIGTERM')
}
const slow = hosts === 0 ? null : await slowHosts(hosts)
report()

function readyLine<T>(child: ChildProcess): Promise<T> {
  if (child.stdout === null) throw new Error('no output')
  return once(child.stdout, 'data').then(([line]) => JSON.parse(String(line)) as T)
}

function report(): void {
  const of = (name: string, field: Exclude<keyof Result, 'courseMb'>): number =>
    median((results.get(name) ?? []).map((result) => result[field]))
  const ratios: Record<string, number> = {}
  for (const ours of ['millrace', 'millrace-waterfall'])
    for (const name of results.keys())
      if (!name.startsWith('millrace') && results.has(ours))
        ratios[`${ours}_vs_${name}`] = round(
          of(ours, 'pagesPerSecond') / of(name, 'pagesPerSecond'),
        )
  if (slow !== null) ratios['slow_hosts_speed'] = slow.speed
  const figures = Object.fromEntries(
    [...results.keys()].flatMap((name) => [
      [`${name}_pages_per_second`, Math.round(of(name, 'pagesPerSecond'))],
      [`${name}_cpu_s_per_1000`, round(of(name, 'cpuPer1000'))],
      [`${name}_peak_mb`, of(name, 'peakMb')],
      [`${name}_shared_mb`, of(name, 'sharedMb')],
      [`${name}_memory_growth`, round(of(name, 'growth'))],
      [`${name}_memory_course_mb`, results.get(name)?.at(-1)?.courseMb],
      [`${name}_site_cpu_s_per_1000`, round(of(name, 'siteCpuPer1000'))],
    ]),
  )
  console.log(
    JSON.stringify({
      bench: 'crawl',
      ratios,
      figures: { pages, ...figures, ...(slow !== null && { slow_hosts: slow }) },
    }),
  )
}

function mean(list: readonly number[], from: number, to: number): number {
  const part = list.slice(Math.floor(list.length * from), Math.ceil(list.length * to))
  return part.reduce((sum, value) => sum + value, 0) / Math.max(part.length, 1)
}

function median(list: number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
