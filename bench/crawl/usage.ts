import { existsSync, readFileSync, readdirSync } from 'node:fs'

export interface Usage {
  cpuSeconds: number
  peakMb: number
  /** Of the peak: memory that processes share, such as the buffers of PostgreSQL, which fill up to what is configured. */
  sharedMb: number
  /** Memory of the processes' own over time, one figure per look. */
  course: number[]
}

const clockTicks = 100
const lookMs = 100

/**
 * Processor time and memory of processes and everything they started, as the system counts them, from now on. Memory
 * that processes share counts once.
 */
export function watch(roots: readonly number[]): () => Usage {
  const before = new Map<number, number>()
  const ticks = new Map<number, number>()
  const course: number[] = []
  let peakMb = 0
  let sharedMb = 0
  for (const pid of family(roots)) before.set(pid, ticksOf(pid))
  const look = (): void => {
    let own = 0
    let shared = 0
    for (const pid of family(roots)) {
      ticks.set(pid, ticksOf(pid) - (before.get(pid) ?? 0))
      const status = readText(`/proc/${pid}/status`)
      own += Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0)
      shared = Math.max(shared, Number(/RssShmem:\s+(\d+)/.exec(status)?.[1] ?? 0))
    }
    course.push(Math.round(own / 1024))
    sharedMb = Math.max(sharedMb, Math.round(shared / 1024))
    peakMb = Math.max(peakMb, Math.round((own + shared) / 1024))
  }
  const timer = setInterval(look, lookMs)
  return () => {
    look()
    clearInterval(timer)
    return {
      cpuSeconds: [...ticks.values()].reduce((sum, value) => sum + value, 0) / clockTicks,
      peakMb,
      sharedMb,
      course,
    }
  }
}

/** Processor time of one process since it started. */
export function cpuSecondsOf(pid: number): number {
  return ticksOf(pid) / clockTicks
}

/** Processor seconds of a process and its children so far, those that ended among them. */
export function processorSeconds(root: number): number {
  const ended = statOf(root).slice(13, 15)
  const ticks = [...ended.map(Number), ...family([root]).map(ticksOf)]
  return ticks.reduce((sum, value) => sum + value, 0) / clockTicks
}

function family(roots: readonly number[]): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(statOf(Number(name))[1] ?? 0))
  }
  const found = new Set(roots)
  for (let grown = true; grown;) {
    grown = false
    for (const [pid, parent] of parents) {
      if (found.has(pid) || !found.has(parent)) continue
      found.add(pid)
      grown = true
    }
  }
  return [...found].filter((pid) => existsSync(`/proc/${pid}`))
}

function ticksOf(pid: number): number {
  const fields = statOf(pid)
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

function statOf(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
