import { Worker } from 'node:worker_threads'
import { messageOf } from '../../kernel/errors.ts'
import type { ParseInput } from './parse-page.ts'
import type { Answer, Batch, ThreadData } from './parse-worker.ts'
import { Unkept } from './unkept.ts'
import { Unparsable } from './unparsable.ts'

export interface Task {
  name: Batch['tasks'][number]['name']
  input: Omit<ParseInput, 'body'>
  body: Uint8Array
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

export interface Thread {
  /** How many it has in hand. */
  batches(): number
  tasks(): readonly Task[]
  take(tasks: readonly Task[]): void
  stop(): Promise<void>
}

export interface ThreadOptions {
  /** For one page. */
  limitMs: number
  articles: boolean
  /** A batch is done. */
  freed: () => void
  /** The thread is no more: with what it had not read, without the page that was its end. */
  gone: (left: readonly Task[]) => void
}

/** A new thread loads the program first, on a busy machine for a while. */
const startMs = 30_000
const idleMs = 30_000
const memoryMb = 512
/** Twice the default: the tree of a page is gone before it is taken for something that lasts. */
const youngMb = 96
const lookMs = 250

/** One thread, its pages in order, and an eye on how long it takes for each. */
export function startThread({ limitMs, articles, freed, gone }: ThreadOptions): Thread {
  const fromSources = import.meta.url.endsWith('.ts')
  /** Pages read since the start; the thread counts, so that a busy main thread takes nobody for endless. */
  const read = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(
    new URL(fromSources ? './dev-worker.mjs' : './parse-worker.js', import.meta.url),
    {
      workerData: { read, articles } satisfies ThreadData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
    },
  )
  const tasks: Task[] = []
  const sizes: number[] = []
  let answered = 0
  let seen = 0
  let since = performance.now()
  let ready = false
  let over = false

  const end = (why: string, cause?: unknown): void => {
    if (over) return
    over = true
    clearInterval(watch)
    const left = tasks.splice(0)
    const [culprit] = left.splice(Atomics.load(read, 0) - answered, 1)
    void worker.terminate()
    culprit?.reject(new Unparsable(why, { cause }))
    gone(left)
  }
  const look = (): void => {
    const count = Atomics.load(read, 0)
    const now = performance.now()
    if (count !== seen) {
      seen = count
      since = now
    }
    const spent = now - since
    if (tasks.length === 0) {
      if (spent > idleMs) end('it had nothing to do')
    } else if (spent > (ready ? limitMs : limitMs + startMs))
      end(`it took longer than ${limitMs} ms`)
  }
  const watch = setInterval(look, Math.min(lookMs, limitMs / 4))

  worker.on('message', (message: string) => {
    if (over) return
    since = performance.now()
    if (message === 'ready') {
      ready = true
      return
    }
    const answers = JSON.parse(message) as Answer[]
    answered += answers.length
    sizes.shift()
    const done = tasks.splice(0, answers.length)
    freed()
    for (const [index, answer] of answers.entries()) {
      if ('error' in answer) done[index]?.reject(failureOf(answer))
      else done[index]?.resolve(answer.value)
    }
  })
  worker.on('error', (error) => end(messageOf(error), error))
  worker.on('exit', (code) => end(`its thread ended with ${code}`))

  return {
    batches: () => sizes.length,
    tasks: () => tasks,
    take: (batch) => {
      if (tasks.length === 0) since = performance.now()
      tasks.push(...batch)
      sizes.push(batch.length)
      const message: Batch = {
        tasks: batch.map(({ name, input }) => ({ name, input })),
        bodies: batch.map(({ body }) => ownBytes(body)),
      }
      worker.postMessage(message, [])
    },
    stop: async () => {
      over = true
      clearInterval(watch)
      await worker.terminate()
    },
  }
}

function failureOf({ error, unkept }: Extract<Answer, { error: string }>): Error {
  return unkept ? new Unkept(error) : new Unparsable(error)
}

/** A view is sent with all of the memory it looks at. */
function ownBytes(body: Uint8Array): Uint8Array {
  return body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body)
}
