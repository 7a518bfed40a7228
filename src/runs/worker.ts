import { hostname } from 'node:os'
import { listen, type Listener } from '../db/listen.ts'
import { transaction, type Sql, type Tx } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop, type Loop } from '../kernel/loop.ts'
import { channels, idsPayload, payloadIds } from './channels.ts'
import { claimRuns, finishAndClaim, finishRuns } from './claim.ts'
import { createDesk, type Execute } from './desk.ts'
import { handedBack, type RetryDelay } from './outcome.ts'
import type { ClaimedRun, Outcome, Run } from './types.ts'
import { heartbeat, heldRuns, markStopping, registerWorker, removeWorker } from './workers.ts'

export interface RunWorkerOptions {
  sql: Sql
  /** The work itself. It must end soon after its signal aborts, by throwing. */
  execute: Execute
  /** What the end of a run means for its job, in the transaction that ends it. */
  settle?: (tx: Tx, runs: Run[]) => Promise<void>
  retryDelay: RetryDelay
  instanceId: string
  log: Log
  concurrency?: number
  /** Runs of one host that may go at once, over all workers. */
  hostLimit?: number | null
  leaseMs?: number
  /** A run that takes longer is stopped and counts as failed, so that work that hangs does not hold it for ever. */
  maxRunMs?: number
  /** How long after its signal work may take to end before the worker goes on without it. */
  deafMs?: number
  /** The longest wait for work when no wake-up call arrives. */
  pollMs?: number
}

export interface RunWorker {
  readonly id: string
  /** Ends claims at once, gives executions `graceMs` to end, and hands the rest back. */
  stop(graceMs?: number): Promise<void>
}

const defaults = {
  concurrency: 8,
  leaseMs: 15_000,
  maxRunMs: 2 * 3_600_000,
  pollMs: 1000,
  graceMs: 4000,
  reportMs: 1000,
}
/** Beats per lease: a lost beat or two never costs a lease. */
const beatsPerLease = 8
const maxOutcomesPerRound = 500

/** Takes runs from the queue and carries them out until it is stopped. It outlives its database. */
export function startRunWorker(options: RunWorkerOptions): RunWorker {
  const { sql, log } = options
  const concurrency = options.concurrency ?? defaults.concurrency
  const leaseMs = options.leaseMs ?? defaults.leaseMs
  const hostLimit = options.hostLimit ?? null
  let id = newId()
  let registered = false
  let stopping = false
  /** Set after a failed round: its claim may have been made without our hearing of it. */
  let inDoubt = false
  const finished: Outcome[] = []
  const tracked = new Set<string>()

  const desk = createDesk({
    sql,
    execute: options.execute,
    retryDelay: options.retryDelay,
    isStopping: () => stopping,
    maxRunMs: options.maxRunMs ?? defaults.maxRunMs,
    ...(options.deafMs !== undefined && { deafMs: options.deafMs }),
    onOutcome: (outcome, run) => {
      finished.push(outcome)
      if (isTracked(run)) tracked.add(run.id)
      exchangeLoop?.wake()
    },
  })

  /** One round: write what is finished, take what there is room for. */
  const exchange = async (): Promise<'again' | void> => {
    await ensureRegistered()
    if (inDoubt) await releaseUnknown()
    const limit = stopping ? 0 : concurrency - desk.size()
    const outcomes = finished.splice(0, maxOutcomesPerRound)
    if (outcomes.length === 0 && limit <= 0) return
    const claimant = id
    try {
      const claimed = await swap(outcomes, limit)
      for (const outcome of outcomes) tracked.delete(outcome.id)
      if (claimant !== id || stopping) {
        // The worker was declared dead or told to stop meanwhile: these runs are for others.
        finished.push(...claimed.map((run) => handedBack(run, null, 'handed back')))
        if (claimed.length > 0) return 'again'
      } else for (const run of claimed) desk.start(run)
      if (finished.length > 0 || (claimed.length > 0 && claimed.length < limit)) return 'again'
    } catch (error) {
      finished.unshift(...outcomes)
      inDoubt = true
      throw error
    }
  }

  const swap = async (outcomes: Outcome[], limit: number): Promise<ClaimedRun[]> => {
    await desk.flushLogs(outcomes)
    const claim = { workerId: id, limit: Math.max(limit, 0), hostLimit }
    if (!outcomes.some((outcome) => tracked.has(outcome.id))) {
      return await finishAndClaim(sql, outcomes, claim)
    }
    await transaction(sql, async (tx) => {
      const ended = await finishRuns(tx, outcomes)
      await options.settle?.(tx, ended)
      await tx`select pg_notify(${channels.changed}, ${idsPayload(ended.map((run) => run.id))})`
    })
    return claim.limit > 0 ? await claimRuns(sql, claim) : []
  }

  const ensureRegistered = async (): Promise<void> => {
    if (registered || stopping) return
    const info = { id, instanceId: options.instanceId, hostName: hostname(), pid: process.pid }
    await registerWorker(sql, { ...info, concurrency }, leaseMs)
    registered = true
  }

  const releaseUnknown = async (): Promise<void> => {
    const known = new Set([...desk.ids(), ...finished.map((outcome) => outcome.id)])
    const unknown = (await heldRuns(sql, id)).filter((run) => !known.has(run.id))
    finished.push(...unknown.map((run) => handedBack(run, null, 'claim was not heard of')))
    inDoubt = false
  }

  const beat = async (): Promise<void> => {
    if (!registered) return
    const before = desk.ids()
    const held = await heartbeat(sql, id, leaseMs)
    if (held !== null) return desk.drop(before.filter((run) => !held.has(run)))
    log.warn({ worker: id }, 'declared dead by the reaper; starting anew')
    desk.drop(desk.ids())
    id = newId()
    registered = false
    exchangeLoop?.wake()
  }

  let exchangeLoop: Loop | null = null
  exchangeLoop = startLoop({
    name: 'runs',
    runOnce: exchange,
    everyMs: options.pollMs ?? defaults.pollMs,
    log,
  })
  const beats = startLoop({
    name: 'heartbeat',
    runOnce: beat,
    everyMs: Math.max(50, Math.floor(leaseMs / beatsPerLease)),
    log,
  })
  const reports = startLoop({
    name: 'run reports',
    runOnce: desk.report,
    everyMs: defaults.reportMs,
    log,
  })
  const onStop = (payload: string | null): void => {
    const ids = payloadIds(payload)
    if (ids === null) beats.wake()
    else desk.drop(desk.ids().filter((run) => ids.has(run)))
  }
  const listeners: Listener[] = []
  // postgres.js listens again after a lost connection, but not when the very first try fails.
  const ears = startLoop({
    name: 'run wake-ups',
    everyMs: 60_000,
    log,
    runOnce: async () => {
      if (listeners.length === 0) {
        listeners.push(await listen(sql, channels.ready, () => exchangeLoop?.wake(), log))
      }
      if (listeners.length === 1) listeners.push(await listen(sql, channels.stop, onStop, log))
    },
  })

  const stop = async (graceMs = defaults.graceMs): Promise<void> => {
    stopping = true
    await ears.stop()
    await Promise.allSettled(listeners.map((listener) => listener.stop()))
    await markStopping(sql, id).catch(() => {})
    await desk.end(graceMs)
    await reports.stop()
    await exchangeLoop?.stop()
    // The database may be gone too; then the reaper does the same, later.
    while (finished.length > 0) {
      const flushed = await swap(finished.splice(0, maxOutcomesPerRound), 0).catch(() => null)
      if (flushed === null) break
    }
    await removeWorker(sql, id).catch(() => 0)
    await beats.stop()
  }

  return {
    get id() {
      return id
    },
    stop,
  }
}

/** Somebody waits for the end of this run: a job, a round or a caller. */
function isTracked(run: ClaimedRun): boolean {
  return run.jobId !== null || run.roundId !== null || run.requestedBy !== null
}
