import { listen, type Listener } from '../../db/listen.ts'
import type { Sql } from '../../db/pool.ts'
import type { Log } from '../../kernel/log.ts'
import { deliveriesChannel } from '../../publish/deliveries/outbox.ts'

export interface ChangeFollower {
  /** Calls back when there may be something new, until the returned function is called. */
  subscribe(onChange: () => void): () => void
  /** Settles at the next change or after `ms`, whichever is first. */
  next(ms: number): { happened: Promise<void>; forget(): void }
}

/** A lost notification costs at most this much time. */
const pollMs = 2000

/** One database listener for all readers of changes, there only while somebody reads. */
export function followChanges(deps: { sql: Sql; log: Log; stopping: AbortSignal }): ChangeFollower {
  const waiting = new Set<() => void>()
  let listener: Promise<Listener> | null = null
  let poll: NodeJS.Timeout | null = null
  const tell = (): void => {
    for (const onChange of waiting) onChange()
  }
  const start = (): void => {
    poll = setInterval(tell, pollMs)
    listener ??= listen(deps.sql, deliveriesChannel, tell, deps.log)
    listener.catch(() => {
      listener = null
    })
  }
  const subscribe = (onChange: () => void): (() => void) => {
    waiting.add(onChange)
    if (waiting.size === 1) start()
    return () => {
      waiting.delete(onChange)
      if (waiting.size > 0 || poll === null) return
      clearInterval(poll)
      poll = null
    }
  }
  deps.stopping.addEventListener('abort', () => {
    tell()
    if (poll !== null) clearInterval(poll)
    listener?.then((one) => one.stop()).catch(() => undefined)
  })
  return {
    subscribe,
    next: (ms) => {
      let forget = (): void => undefined
      const happened = new Promise<void>((resolve) => {
        const timer = setTimeout(() => forget(), Math.max(0, Math.min(ms, 60_000)))
        const unsubscribe = subscribe(() => forget())
        forget = () => {
          clearTimeout(timer)
          unsubscribe()
          resolve()
        }
      })
      return { happened, forget: () => forget() }
    },
  }
}
