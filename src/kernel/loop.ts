import { backoffMs } from './backoff.ts'
import { messageOf } from './errors.ts'
import type { Log } from './log.ts'

export interface LoopOptions {
  name: string
  /** One round. Returning `again` starts the next round at once: there is more to do. */
  runOnce: (signal: AbortSignal) => Promise<'again' | void>
  /** The longest pause between two rounds when nobody wakes the loop. */
  everyMs: number
  log: Log
}

export interface Loop {
  /** Ends the current pause, or starts another round right after the current one. */
  wake(): void
  /** Lets the round in progress end, then stops. */
  stop(): Promise<void>
}

const firstRetryMs = 250
const longestRetryMs = 10_000

/** A background duty that outlives its dependencies: a failed round is logged and tried again with growing pauses. */
export function startLoop(options: LoopOptions): Loop {
  const stopping = new AbortController()
  let woken = false
  let endPause: (() => void) | null = null

  const wake = (): void => {
    woken = true
    endPause?.()
  }

  const pause = async (ms: number): Promise<void> => {
    if (woken || stopping.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    endPause = null
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!stopping.signal.aborted) {
      woken = false
      try {
        const next = await options.runOnce(stopping.signal)
        if (failures > 0) options.log.info({ loop: options.name, failures }, 'loop recovered')
        failures = 0
        if (next !== 'again') await pause(options.everyMs)
      } catch (error) {
        if (stopping.signal.aborted) break
        failures++
        // The first failures of an outage are expected; only a lasting one needs a person.
        const level = failures === 5 ? 'error' : failures < 5 ? 'warn' : 'debug'
        options.log[level](
          { loop: options.name, failures, reason: messageOf(error) },
          'round failed',
        )
        woken = false
        await pause(
          backoffMs(failures, { baseMs: firstRetryMs, maxMs: longestRetryMs, jitter: 0.2 }),
        )
      }
    }
  }

  const finished = run()
  return {
    wake,
    stop: async () => {
      stopping.abort()
      endPause?.()
      await finished
    },
  }
}
