import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import { Piscina } from 'piscina'
import { messageOf } from '../../kernel/errors.ts'
import type { ParseInput, ParsedPage } from './parse-page.ts'
import type { PageSurvey } from './survey-page.ts'
import { Unparsable } from './unparsable.ts'

export interface ParsePool {
  parse(input: ParseInput): Promise<ParsedPage>
  /** All strategies side by side, for a person who looks at one page. */
  survey(input: ParseInput): Promise<PageSurvey>
  close(): Promise<void>
}

const defaultLimitMs = 10_000
/** A new thread loads the program first, on a busy machine for a while. */
const startMs = 30_000
const threadMemoryMb = 512

/** Threads that read pages. An endless or exploding page costs its thread, which is replaced. */
export function createParsePool(options: { threads?: number; limitMs?: number } = {}): ParsePool {
  const fromSources = import.meta.url.endsWith('.ts')
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1)
  const limitMs = options.limitMs ?? defaultLimitMs
  const pool = new Piscina({
    filename: new URL(fromSources ? './dev-worker.mjs' : './parse-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
  })
  // The wait for a free thread happens here, so that the time limit covers the work alone.
  const turns = new PQueue({ concurrency: threads })
  const inThread = (input: ParseInput, name: string): Promise<unknown> =>
    turns.add(() => {
      const cold = pool.threads.length < turns.pending
      return withLimit(cold ? limitMs + startMs : limitMs, (signal) =>
        pool.run(input, { signal, name }),
      )
    })
  return {
    parse: (input) => inThread(input, 'parsePage') as Promise<ParsedPage>,
    survey: (input) => inThread(input, 'surveyPage') as Promise<PageSurvey>,
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
  const timer = setTimeout(() => limit.abort(), limitMs)
  try {
    return await work(limit.signal)
  } catch (error) {
    const reason = limit.signal.aborted ? `it took longer than ${limitMs} ms` : messageOf(error)
    throw new Unparsable(reason, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
