// `npm run bench:start`: from command to ready with an empty and with a used data folder, and memory at rest.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../src/kernel/package-root.ts'

const rounds = 3
const restMs = 3000
const limits = { cold_ms: 5000, warm_ms: 2000, memory_mb: 150 }
const program = packagePath('dist', 'src', 'main.js')

if (!existsSync(program)) throw new Error('build first: npm run build')

interface Start {
  readyMs: number
  memoryMb: number
}

const cold: Start[] = []
const warm: Start[] = []
for (let round = 0; round < rounds; round++) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  chmodSync(folder, 0o755)
  cold.push(await measure(folder))
  warm.push(await measure(folder))
  rmSync(folder, { recursive: true, force: true })
}
const figures = {
  cold_ms: median(cold.map((start) => start.readyMs)),
  warm_ms: median(warm.map((start) => start.readyMs)),
  memory_mb: median(warm.map((start) => start.memoryMb)),
}
console.log(
  `cold start ${figures.cold_ms} ms (aim ${limits.cold_ms}), warm ${figures.warm_ms} ms (aim ${limits.warm_ms}), at rest ${figures.memory_mb} MB (aim ${limits.memory_mb})`,
)
const ratios = Object.fromEntries(
  Object.entries(limits).map(([name, limit]) => [
    `${name}-of-aim`,
    round2(figures[name as keyof typeof figures] / limit),
  ]),
)
console.log(JSON.stringify({ bench: 'start', ratios, figures }))

async function measure(folder: string): Promise<Start> {
  const started = performance.now()
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      MILLRACE_DATA_DIR: folder,
      PORT: '0',
      MILLRACE_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await poll(() => /running at (\S+)/.exec(output)?.[1])
  await poll(async () => (await fetch(`${url}/ready`).catch(() => null))?.ok)
  const readyMs = Math.round(performance.now() - started)
  await new Promise((resolve) => setTimeout(resolve, restMs))
  const memoryMb = Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
  )
  child.kill('SIGTERM')
  await ended
  return { readyMs, memoryMb }
}

async function poll<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const value = await look()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('Millrace did not become ready within a minute')
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
