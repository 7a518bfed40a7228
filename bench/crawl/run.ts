// `npm run bench:crawl [-- --pages 5000 --rounds 2]`: the same local site and the same work for everybody, in turns.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { packagePath } from '../../src/kernel/package-root.ts'
import { contenders, type Contender } from './contenders.ts'

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '2' } },
})
const pages = Number(values.pages)
const clockTicks = 100

interface Result {
  pagesPerSecond: number
  cpuPer1000: number
  peakMb: number
}

const site = spawn(
  process.execPath,
  ['--import', 'tsx', packagePath('demo', 'bench-main.ts'), '--pages', String(pages)],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const [ready] = (await once(site.stdout, 'data')) as [Buffer]
const { url } = JSON.parse(ready.toString()) as { url: string }
const results = new Map<string, Result[]>()
try {
  const everybody = contenders(url, pages)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const contender of everybody) {
      const result = await measure(contender)
      results.set(contender.name, [...(results.get(contender.name) ?? []), result])
      console.log(
        `${contender.name.padEnd(10)} ${result.pagesPerSecond.toFixed(0).padStart(6)} pages/s  ${result.cpuPer1000.toFixed(2)} CPU s per 1,000  ${result.peakMb} MB`,
      )
    }
  }
} finally {
  site.kill('SIGTERM')
}
report()

async function measure(contender: Contender): Promise<Result> {
  await fetch(new URL('/__reset', url), { method: 'POST' })
  const started = performance.now()
  const child = spawn(contender.command, contender.args, {
    cwd: contender.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...contender.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const usage = watch(child)
  const [code] = (await once(child, 'exit')) as [number]
  const seconds = (performance.now() - started) / 1000
  const { cpuSeconds, peakMb } = usage()
  const counts = (await (await fetch(new URL('/__counts.json', url))).json()) as {
    distinct: number
  }
  if (code !== 0 || counts.distinct < pages)
    throw new Error(
      `${contender.name} ended with ${code} after ${counts.distinct} of ${pages} pages`,
    )
  return { pagesPerSecond: pages / seconds, cpuPer1000: (cpuSeconds / pages) * 1000, peakMb }
}

/** Processor time and memory of a process and everything it started, as the system counts them. */
function watch(child: ChildProcess): () => { cpuSeconds: number; peakMb: number } {
  const ticks = new Map<number, number>()
  let peakMb = 0
  const look = (): void => {
    let resident = 0
    for (const pid of family(child.pid ?? 0)) {
      const stat = readText(`/proc/${pid}/stat`)
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      ticks.set(pid, Number(fields[11] ?? 0) + Number(fields[12] ?? 0))
      resident += Number(/RssAnon:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0)
    }
    peakMb = Math.max(peakMb, Math.round(resident / 1024))
  }
  const timer = setInterval(look, 100)
  return () => {
    clearInterval(timer)
    return {
      cpuSeconds: [...ticks.values()].reduce((sum, value) => sum + value, 0) / clockTicks,
      peakMb,
    }
  }
}

function family(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = readText(`/proc/${name}/stat`)
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0))
  }
  // The embedded PostgreSQL leaves its parent's family; its processes are found by their own postmaster.
  const found = new Set([root])
  for (let grown = true; grown;) {
    grown = false
    for (const [pid, parent] of parents) {
      if (!found.has(pid) && found.has(parent)) {
        found.add(pid)
        grown = true
      }
    }
  }
  return [...found].filter((pid) => existsSync(`/proc/${pid}`))
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function report(): void {
  const speed = new Map(
    [...results].map(([name, rounds]) => [
      name,
      median(rounds.map((result) => result.pagesPerSecond)),
    ]),
  )
  const ours = speed.get('millrace') ?? 0
  const ratios = Object.fromEntries(
    [...speed]
      .filter(([name]) => name !== 'millrace')
      .map(([name, value]) => [name, Math.round((ours / value) * 100) / 100]),
  )
  const figures = Object.fromEntries(
    [...results].flatMap(([name, rounds]) => [
      [
        `${name}_pages_per_second`,
        Math.round(median(rounds.map((result) => result.pagesPerSecond))),
      ],
      [
        `${name}_cpu_s_per_1000`,
        Math.round(median(rounds.map((result) => result.cpuPer1000)) * 100) / 100,
      ],
      [`${name}_peak_mb`, median(rounds.map((result) => result.peakMb))],
    ]),
  )
  console.log(JSON.stringify({ bench: 'crawl', ratios, figures: { pages, ...figures } }))
}

function median(list: number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
}
