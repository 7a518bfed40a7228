import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Contender } from './contenders.ts'
import { watch, type Usage } from './usage.ts'

export interface Measured extends Usage {
  seconds: number
  /** What the contender said when it was done. */
  said: Record<string, unknown>
}

const longestMs = 15 * 60_000

/**
 * Runs a contender and measures it from the moment it says that it is ready until it says that it is done: programs
 * load, and PostgreSQL starts, before the clock does, for everybody alike.
 */
export async function measure(contender: Contender): Promise<Measured> {
  const child = spawn(contender.command, contender.args, {
    cwd: contender.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...contender.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const timer = setTimeout(() => child.kill('SIGTERM'), longestMs)
  let started = 0
  let stopWatching: (() => Usage) | null = null
  let measured: Measured | null = null
  for await (const line of createInterface({ input: outputOf(child) })) {
    if (!line.startsWith('{')) continue
    const said = JSON.parse(line) as Record<string, unknown>
    if (said['ready'] === true) {
      const helpers = Array.isArray(said['family']) ? said['family'].map(Number) : []
      stopWatching = watch([child.pid ?? 0, ...helpers])
      started = performance.now()
    } else if (said['done'] === true && stopWatching !== null) {
      const seconds = (performance.now() - started) / 1000
      measured = { seconds, said, ...stopWatching() }
      stopWatching = null
    }
  }
  if (child.exitCode === null) await once(child, 'exit')
  clearTimeout(timer)
  stopWatching?.()
  if (measured === null || child.exitCode !== 0)
    throw new Error(`${contender.name} ended with ${child.exitCode} before it was done`)
  return measured
}

function outputOf(child: ChildProcess): NodeJS.ReadableStream {
  if (child.stdout === null) throw new Error('no output')
  return child.stdout
}
