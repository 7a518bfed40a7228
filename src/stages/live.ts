import type { Sql } from '../db/pool.ts'
import { messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

export interface StageWatch {
  /** Rises with every stored event. */
  position(): Promise<number>
  subscribe(onChange: (position: number) => void): () => void
}

/**
 * Tells when stage events were stored, by looking at their sequence once a second while anybody listens. Writers
 * send no notification: with one per transaction, every commit would queue up behind the others.
 */
export function watchStages(options: {
  sql: Sql
  log: Log
  stopping: AbortSignal
  everyMs?: number
}): StageWatch {
  const { sql, log } = options
  const listeners = new Set<(position: number) => void>()
  let timer: NodeJS.Timeout | null = null
  let seen: number | null = null

  const position = async (): Promise<number> => {
    const [row] = await sql<{ position: string }[]>`
      select last_value as position from stage_event_ids`
    return Number(row?.position ?? 0)
  }
  const look = async (): Promise<void> => {
    try {
      const now = await position()
      if (now !== seen) for (const listener of listeners) listener(now)
      seen = now
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'could not look for new stage events')
    }
    timer = listeners.size > 0 && !options.stopping.aborted ? next() : null
  }
  const next = (): NodeJS.Timeout => setTimeout(() => void look(), options.everyMs ?? 1000)
  options.stopping.addEventListener('abort', () => {
    if (timer !== null) clearTimeout(timer)
  })
  return {
    position,
    subscribe: (onChange) => {
      listeners.add(onChange)
      if (timer === null) {
        seen = null
        timer = next()
      }
      return () => {
        listeners.delete(onChange)
      }
    },
  }
}
