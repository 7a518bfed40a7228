export interface Usage {
  cpuMs: number
  memoryPeakMb: number
}

export interface UsageMeter {
  /** Charges the time since the last tick to the runs under way, in equal parts. */
  tick(): void
  start(runId: string): void
  end(runId: string): Usage | null
}

/**
 * Runs share a process, so their CPU time is an estimate: each tick's time is split among the runs under way.
 * A run that starts and ends between two ticks is too short to measure.
 */
export function createUsageMeter(): UsageMeter {
  const usage = new Map<string, Usage>()
  let last = process.cpuUsage()
  return {
    tick: () => {
      const spent = process.cpuUsage(last)
      last = process.cpuUsage()
      if (usage.size === 0) return
      const shareMs = (spent.user + spent.system) / 1000 / usage.size
      const memoryMb = process.memoryUsage.rss() / 1024 / 1024
      for (const entry of usage.values()) {
        entry.cpuMs += shareMs
        entry.memoryPeakMb = Math.max(entry.memoryPeakMb, memoryMb)
      }
    },
    start: (runId) => {
      usage.set(runId, { cpuMs: 0, memoryPeakMb: 0 })
    },
    end: (runId) => {
      const entry = usage.get(runId) ?? null
      usage.delete(runId)
      return entry === null || entry.memoryPeakMb === 0
        ? null
        : { cpuMs: Math.round(entry.cpuMs), memoryPeakMb: Math.round(entry.memoryPeakMb) }
    },
  }
}
