import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import { Piscina } from 'piscina'
import { messageOf } from '../../kernel/errors.ts'
import type { ParseInput, ParsedPage } from './parse-page.ts'

export interface ParsePool {
  parse(input: ParseInput): Promise<ParsedPage>
  close(): Promise<void>
}

/** The page could not be read within its time or memory: the thread is gone, the run goes on. */
export class Unparsable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'Unparsable'
  }
}

const defaultLimitMs = 10_000
const threadMemoryMb = 512

/** Threads that read pages. An endless or exploding page costs its thread, which is replaced. */
export function createParsePool(options: { threads?: number; limitMs?: number } = {}): ParsePool {
  const fromSources = import.meta.url.endsWith('.ts')
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1)
  const limitMs = options.limitMs ?? defaultLimitMs
  const pool = new Piscina<ParseInput, ParsedPage>({
    filename: new URL(fromSources ? './dev-worker.mjs' : './parse-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
  })
  // The wait for a free thread happens here, so that the time limit covers the work alone.
  const turns = new PQueue({ concurrency: threads * 2 })
  return {
    parse: (input) => turns.add(() => withLimit(limitMs, (signal) => pool.run(input, { signal }))),
    close: async () => {
      turns.clear()
      await pool.destroy()
    },
  }
}

async function withLimit<T>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  // Two tasks share a thread's queue, so one may wait for the other's full time.
  const timer = setTimeout(() => limit.abort(), limitMs * 2)
  try {
    return await work(limit.signal)
  } catch (error) {
    const reason = limit.signal.aborted ? `it took longer than ${limitMs} ms` : messageOf(error)
    throw new Unparsable(reason, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
