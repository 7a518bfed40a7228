import type { Sql } from '../db/pool.ts'
import { LeaseLost } from './fence.ts'
import { appendLogs, type LogBatch, type LogLevel, type NewLogLine } from './logs.ts'
import { completed, failed, handedBack, type RetryDelay } from './outcome.ts'
import { writeProgress } from './progress.ts'
import type { ClaimedRun, JsonObject, Outcome, RunProgress, RunResult } from './types.ts'
import { createUsageMeter, type Usage } from './usage.ts'

export interface RunContext {
  /** Aborts when the run is cancelled, lost or handed back. */
  signal: AbortSignal
  /** Merged into what was reported before, and written about once a second. */
  progress(update: Partial<RunProgress>): void
  log(level: LogLevel, category: string, message: string, fields?: JsonObject): void
}

export type Execute = (run: ClaimedRun, context: RunContext) => Promise<RunResult>

interface Entry {
  run: ClaimedRun
  /** Made when first asked for: short work never looks at its signal, and a controller costs more than the rest. */
  controller: AbortController | null
  progress: RunProgress
  moved: boolean
  lines: NewLogLine[]
  /** Cancelled or lost: whatever it still returns is thrown away. */
  dropped: boolean
  startedAt: number
  abortedAt: number | null
  /** Set when it took longer than any run may. */
  tooLong: Error | null
}

/** The work in progress of one worker. */
export interface Desk {
  size(): number
  ids(): string[]
  start(run: ClaimedRun): void
  /** Aborts runs that are not ours any more. */
  drop(ids: readonly string[]): void
  /** Aborts everything, waits for it, and hands back what does not end in time. */
  end(graceMs: number): Promise<void>
  /** Stops runs that take too long, then writes progress and log lines. */
  report(): Promise<void>
  /** Writes the last lines of runs about to end: afterwards their token is void. */
  flushLogs(outcomes: readonly Outcome[]): Promise<void>
}

/** A run that logs faster than the database writes keeps only so many lines in memory. */
const maxBufferedLines = 2_000
/** Work that has not ended this long after its signal never will: it loses its place on the desk. */
const deafMs = 10_000

export function createDesk(options: {
  sql: Sql
  execute: Execute
  retryDelay: RetryDelay
  isStopping: () => boolean
  maxRunMs: number
  deafMs?: number
  onOutcome: (outcome: Outcome, run: ClaimedRun) => void
}): Desk {
  const { sql } = options
  const active = new Map<string, Entry>()
  const ending = new Map<string, Entry>()
  const meter = createUsageMeter()

  const work = async (entry: Entry): Promise<void> => {
    const { run } = entry
    let settle: (usage: Usage | null) => Outcome
    try {
      const result = await options.execute(run, contextOf(entry))
      settle = (usage) => completed(run, result, usage)
    } catch (error) {
      if (error instanceof LeaseLost) entry.dropped = true
      settle = (usage) => unfinished(entry, error, usage)
    }
    // It may have been taken off the desk already, and the run started again since.
    if (active.get(run.id) === entry) leave(entry, settle)
  }

  const unfinished = (entry: Entry, error: unknown, usage: Usage | null): Outcome => {
    if (options.isStopping() && entry.abortedAt !== null && entry.tooLong === null) {
      return handedBack(entry.run, usage, 'handed back')
    }
    return failed(entry.run, entry.tooLong ?? error, usage, options.retryDelay, new Date())
  }

  const leave = (entry: Entry, settle: (usage: Usage | null) => Outcome): void => {
    const { run } = entry
    active.delete(run.id)
    const usage = meter.end(run.id)
    if (entry.dropped) return
    if (entry.lines.length > 0) ending.set(run.id, entry)
    options.onOutcome(settle(usage), run)
  }

  const stopOverdue = (): void => {
    const now = Date.now()
    for (const entry of active.values()) {
      if (entry.abortedAt === null && now - entry.startedAt >= options.maxRunMs) {
        entry.tooLong = new Error(`took longer than ${spell(options.maxRunMs)}`)
        abort(entry, entry.tooLong)
      } else if (entry.abortedAt !== null && now - entry.abortedAt >= (options.deafMs ?? deafMs)) {
        leave(entry, (usage) => unfinished(entry, entry.tooLong, usage))
      }
    }
  }

  const writeLines = async (entries: Entry[]): Promise<void> => {
    const batches: LogBatch[] = entries
      .filter((entry) => entry.lines.length > 0 && !entry.dropped)
      .map((entry) => ({
        runId: entry.run.id,
        token: entry.run.leaseToken,
        lines: entry.lines.splice(0),
      }))
    try {
      await appendLogs(sql, batches)
    } catch (error) {
      // Kept for the next try, in order.
      for (const batch of batches) {
        const entry = active.get(batch.runId) ?? ending.get(batch.runId)
        entry?.lines.unshift(...batch.lines)
      }
      throw error
    }
  }

  return {
    size: () => active.size,
    ids: () => [...active.keys()],
    start: (run) => {
      const entry: Entry = {
        run,
        controller: null,
        progress: run.progress ?? { percent: null, phase: 'starting', counters: {} },
        moved: false,
        lines: [],
        dropped: false,
        startedAt: Date.now(),
        abortedAt: null,
        tooLong: null,
      }
      active.set(run.id, entry)
      meter.start(run.id)
      void work(entry)
    },
    drop: (ids) => {
      for (const id of ids) {
        const entry = active.get(id)
        if (entry === undefined) continue
        entry.dropped = true
        abort(entry, new LeaseLost(id))
      }
    },
    end: async (graceMs) => {
      for (const entry of active.values()) abort(entry, new Error('the worker stops'))
      const deadline = Date.now() + graceMs
      while (active.size > 0 && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      for (const entry of active.values()) {
        leave(entry, (usage) => handedBack(entry.run, usage, 'handed back'))
      }
    },
    report: async () => {
      stopOverdue()
      meter.tick()
      const moved = [...active.values()].filter((entry) => entry.moved && !entry.dropped)
      for (const entry of moved) entry.moved = false
      await writeProgress(
        sql,
        moved.map(({ run, progress }) => ({ id: run.id, token: run.leaseToken, progress })),
      )
      await writeLines([...active.values()])
    },
    flushLogs: async (outcomes) => {
      if (ending.size === 0) return
      const entries = outcomes.flatMap((outcome) => ending.get(outcome.id) ?? [])
      await writeLines(entries)
      for (const entry of entries) ending.delete(entry.run.id)
    },
  }
}

function abort(entry: Entry, reason: Error): void {
  entry.abortedAt ??= Date.now()
  controllerOf(entry).abort(reason)
}

function spell(ms: number): string {
  const minutes = ms / 60_000
  return minutes < 1 ? `${ms} ms` : `${minutes} minute${minutes === 1 ? '' : 's'}`
}

function controllerOf(entry: Entry): AbortController {
  return (entry.controller ??= new AbortController())
}

function contextOf(entry: Entry): RunContext {
  return {
    get signal() {
      return controllerOf(entry).signal
    },
    progress: (update) => {
      entry.progress = {
        ...entry.progress,
        ...update,
        counters: { ...entry.progress.counters, ...update.counters },
      }
      entry.moved = true
    },
    log: (level, category, message, fields) => {
      if (entry.lines.length >= maxBufferedLines) return
      entry.lines.push({
        at: new Date(),
        level,
        category,
        message,
        ...(fields !== undefined && { fields }),
      })
    },
  }
}
