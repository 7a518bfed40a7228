// What every contender's process answers to. The parent sends a command, the child answers when it is done.
export type Command =
  | { do: 'prepare' }
  | { do: 'enqueue'; jobs: number; batch: number }
  /** Work until told to stop; reports its count about every 20 ms. */
  | { do: 'work'; batch: number }
  /** Stop working; the latencies seen are the answer. */
  | { do: 'halt' }
  | { do: 'end' }
  /** Enqueue one job at a time, evenly spaced; each carries its time. */
  | { do: 'trickle'; jobs: number; everyMs: number }

export type Report =
  | { is: 'done' }
  | { is: 'working' }
  | { is: 'count'; jobs: number }
  | { is: 'latencies'; ms: number[] }
  | { is: 'failed'; reason: string }

export interface Contender {
  /** Makes the tables where they are missing, and opens the connections. */
  prepare(): Promise<void>
  enqueue(jobs: number, batch: number): Promise<void>
  /** Starts working; calls back for every job with the time it was queued, if it carries one. */
  work(batch: number, onJob: (queuedAt: number | null) => void): Promise<() => Promise<void>>
  enqueueOne(queuedAt: number): Promise<void>
  end(): Promise<void>
}

/** Serves one contender over the process's message channel. */
export function serve(contender: Contender): void {
  let count = 0
  let latencies: number[] = []
  let stop: (() => Promise<void>) | null = null
  const report = (message: Report): void => {
    process.send?.(message)
  }
  const timer = setInterval(() => {
    if (stop !== null) report({ is: 'count', jobs: count })
  }, 20)

  const obey = async (command: Command): Promise<void> => {
    switch (command.do) {
      case 'prepare':
        await contender.prepare()
        return report({ is: 'done' })
      case 'enqueue':
        await contender.enqueue(command.jobs, command.batch)
        return report({ is: 'done' })
      case 'work':
        count = 0
        latencies = []
        stop = await contender.work(command.batch, (queuedAt) => {
          count++
          if (queuedAt !== null) latencies.push(clockMs() - queuedAt)
        })
        return report({ is: 'working' })
      case 'trickle':
        for (let i = 0; i < command.jobs; i++) {
          await new Promise((resolve) => setTimeout(resolve, command.everyMs))
          await contender.enqueueOne(clockMs())
        }
        return report({ is: 'done' })
      case 'halt':
        await stop?.()
        stop = null
        return report({ is: 'latencies', ms: latencies })
      default:
        clearInterval(timer)
        await contender.end()
        process.disconnect()
    }
  }
  process.on('message', (command: Command) => {
    obey(command).catch((error: unknown) => {
      report({ is: 'failed', reason: error instanceof Error ? (error.stack ?? '') : String(error) })
    })
  })
}

function clockMs(): number {
  return performance.timeOrigin + performance.now()
}
