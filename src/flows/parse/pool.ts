import { availableParallelism } from 'node:os'
import type { ParseInput, ParsedPage } from './parse-page.ts'
import type { PageSurvey } from './survey-page.ts'
import { startThread, type Task, type Thread } from './thread.ts'
import { Unparsable } from './unparsable.ts'

export interface ParsePool {
  parse(input: ParseInput): Promise<ParsedPage>
  /** All strategies side by side, for a person who looks at one page. */
  survey(input: ParseInput): Promise<PageSurvey>
  close(): Promise<void>
}

export interface PoolOptions {
  threads?: number
  /** For one page. */
  limitMs?: number
  /** False when the text of articles is never asked for: the threads start in a third of the time, with half the memory. */
  articles?: boolean
}

const defaultLimitMs = 10_000
/** Pages handed to a thread at once: a message costs as much as a small page. */
const mostAtOnce = 8
/** A thread with a batch behind the one it reads never waits for this one. */
const batchesAhead = 2

/** Threads that read pages. An endless or exploding page costs its thread, which is replaced. */
export function createParsePool(options: PoolOptions = {}): ParsePool {
  const most = options.threads ?? defaultThreads(availableParallelism())
  const limitMs = options.limitMs ?? defaultLimitMs
  const articles = options.articles ?? true
  const threads = new Set<Thread>()
  const queue: Task[] = []
  let closed = false

  const freest = (): Thread | null => {
    const least = [...threads].reduce<Thread | null>(
      (best, thread) => (best === null || thread.batches() < best.batches() ? thread : best),
      null,
    )
    if (least !== null && (least.batches() === 0 || threads.size >= most)) return least
    const thread = startThread({
      limitMs,
      articles,
      freed: feed,
      gone: (left) => {
        threads.delete(thread)
        queue.unshift(...left)
        feed()
      },
    })
    threads.add(thread)
    return thread
  }
  const feed = (): void => {
    if (closed) return
    while (queue.length > 0) {
      const thread = freest()
      if (thread === null || thread.batches() >= batchesAhead) return
      const share = Math.ceil(queue.length / (most * batchesAhead))
      thread.take(queue.splice(0, Math.min(share, mostAtOnce)))
    }
  }
  const read = (name: Task['name'], { body, ...input }: ParseInput): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new Unparsable('the threads that read pages were stopped'))
      queue.push({ name, input, body, resolve, reject })
      feed()
    })
  return {
    parse: (input) => read('parsePage', input) as Promise<ParsedPage>,
    survey: (input) => read('surveyPage', input) as Promise<PageSurvey>,
    close: async () => {
      closed = true
      const left = [...queue.splice(0), ...[...threads].flatMap((thread) => thread.tasks())]
      await Promise.all([...threads].map((thread) => thread.stop()))
      for (const task of left)
        task.reject(new Unparsable('the threads that read pages were stopped'))
    },
  }
}

/**
 * One core stays free for the rest, except on two: with articles to read, one thread made 150 to 190 pages a second and two
 * made 255, and pages without were as fast.
 */
function defaultThreads(cores: number): number {
  return Math.max(Math.min(2, cores), cores - 1)
}
