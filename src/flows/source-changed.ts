import { transaction, type Sql, type Tx } from '../db/pool.ts'
import { backoffMs } from '../kernel/backoff.ts'
import type { Clock } from '../kernel/clock.ts'
import { Permanent, messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import {
  deleteAutoJobs,
  insertAutoJobs,
  lockAutoJobs,
  updateAutoJobs,
  type AutoJob,
} from '../jobs/auto.ts'
import { decide } from '../lifecycle/decide.ts'
import type { LifecycleMetrics } from '../lifecycle/metrics.ts'
import {
  holdDueSources,
  holdSources,
  markProcessed,
  pendingEvents,
  recordFailure,
  sourcesOfPending,
  type HeldSources,
  type Outcome,
  type SourceEvent,
} from '../lifecycle/store.ts'
import { cancelRuns } from '../runs/cancel.ts'
import { activeRunsOfJobs, holdRunsThen } from '../runs/of-jobs.ts'
import { lockSources } from '../sources/store.ts'
import { adoptForeignChange, noteForeignTimes, type RefuseUrl } from './foreign-source.ts'
import { applyDecision, type Planner } from './plan-job.ts'
import type { LoadPlanner } from './planner.ts'
import { loadSourceFacts, type SourceWithConfig } from './source-facts.ts'

export interface SourceChangedDeps {
  sql: Sql
  clock: Clock
  log: Log
  metrics: LifecycleMetrics
  planner: LoadPlanner
  /** Why an address may not be crawled, or null; for sources that other programs bring. */
  refuseUrl: RefuseUrl
  /** Named in the event log. */
  consumer: string
}

const batchSize = 500
const largestBatch = 5000
const maxAttempts = 5
const retry = { baseMs: 1000, maxMs: 5 * 60_000 }

/** Takes one batch of waiting events from the outbox and lets them take effect. */
export async function handlePendingEvents(
  deps: SourceChangedDeps,
  graceMs: number,
): Promise<'again' | void> {
  const applied = await handle(deps, (tx) =>
    holdDueSources(tx, deps.clock.now(), { limit: batchSize, graceMs }),
  )
  if (applied.length > 0) return 'again'
}

/** The same for events that a stream delivered and that are stored by now, with whatever waits before them. */
export async function handleStoredEvents(
  deps: SourceChangedDeps,
  eventIds: readonly string[],
): Promise<SourceEvent[]> {
  const sourceIds = await sourcesOfPending(deps.sql, eventIds)
  if (sourceIds.length === 0) return []
  return handle(deps, (tx) => holdSources(tx, sourceIds))
}

type Hold = (tx: Tx) => Promise<HeldSources>

/** A batch that fails is taken apart: one bad event must not hold up other sources. */
async function handle(deps: SourceChangedDeps, hold: Hold): Promise<SourceEvent[]> {
  await deps.planner.refresh()
  const started = performance.now()
  let held: HeldSources = new Map()
  let events: SourceEvent[] = []
  try {
    await transaction(deps.sql, async (tx) => {
      held = await hold(tx)
      events = await eventsOf(tx, held, deps.clock.now(), largestBatch)
      await applyEvents(tx, held, events, deps)
    })
  } catch (error) {
    if (events.length === 0) throw error
    for (const sourceId of held.keys()) while (await applyNext(deps, sourceId));
  }
  if (events.length > 0)
    deps.log.debug(
      { events: events.length, ms: Math.round(performance.now() - started) },
      'source events handled',
    )
  return events
}

/** The next event of one source in its own transaction. False: there is none, or it failed and the others wait. */
async function applyNext(deps: SourceChangedDeps, sourceId: string): Promise<boolean> {
  const next: SourceEvent[] = []
  try {
    await transaction(deps.sql, async (tx) => {
      const held = await holdSources(tx, [sourceId])
      next.push(...(await eventsOf(tx, held, deps.clock.now(), 1)))
      await applyEvents(tx, held, next, deps)
    })
    return next.length > 0
  } catch (error) {
    const [event] = next
    // Without an event it was the database, and nothing was tried.
    if (event === undefined) throw error
    await noteFailure(deps, event, error)
    return false
  }
}

async function noteFailure(
  deps: SourceChangedDeps,
  event: SourceEvent,
  error: unknown,
): Promise<void> {
  const attempt = event.attempts + 1
  const giveUp = error instanceof Permanent || attempt >= maxAttempts
  const reason = messageOf(error)
  deps.metrics.processed.inc({ event_type: event.event_type, result: 'error' })
  deps.log[giveUp ? 'error' : 'warn'](
    {
      event_id: event.event_id,
      event_type: event.event_type,
      source_id: event.source_id,
      attempt,
      reason,
    },
    giveUp ? 'source event quarantined' : 'source event failed, trying again',
  )
  await recordFailure(deps.sql, event, {
    reason,
    giveUp,
    retryMs: backoffMs(attempt, retry),
    now: deps.clock.now(),
  })
}

/**
 * Events of one source take effect in the order of their times. Our own are committed in that order; next to a
 * foreign one, the source rows are held before looking, so that no local change is on its way with an earlier time.
 */
async function eventsOf(
  tx: Tx,
  held: HeldSources,
  now: Date,
  limit: number,
): Promise<SourceEvent[]> {
  const events = await pendingEvents(tx, [...held.keys()], now, limit)
  const foreign = events.filter((event) => event.origin === 'stream')
  if (foreign.length === 0) return events
  await lockSources(
    tx,
    foreign.map((event) => event.source_id),
  )
  return pendingEvents(tx, [...held.keys()], now, limit)
}

/** The effect, the processed mark and the progress commit together: that is what makes an event count once. */
async function applyEvents(
  tx: Tx,
  held: HeldSources,
  events: readonly SourceEvent[],
  deps: SourceChangedDeps,
): Promise<void> {
  if (events.length === 0) return
  const started = performance.now()
  const now = deps.clock.now()
  const progress = new Map(held)
  const isOld = (event: SourceEvent): boolean => event.at_us < (progress.get(event.source_id) ?? 0n)
  await adoptForeignChanges(
    tx,
    events.filter((event) => event.origin === 'stream' && !isOld(event)),
    deps,
  )
  const sourceIds = [...new Set(events.map((event) => event.source_id))]
  const sources = await loadSourceFacts(tx, sourceIds)
  const deleted = { by: 'source_id' as const, ids: sourceIdsOfDeletions(events) }
  const locked = await holdRunsThen(tx, deleted, (held) => lockAutoJobs(held, sourceIds))
  const jobs = new Map(locked.map((job) => [job.source_id, job]))
  const before = new Map(jobs)

  const outcomes = events.map((event): Outcome => {
    if (isOld(event)) {
      const outcome = { action: 'none', why: 'older_than_applied' }
      return { seq: event.seq, status: 'ignored', outcome }
    }
    progress.set(event.source_id, event.at_us)
    const source = sources.get(event.source_id) ?? null
    const outcome = applyOne(event, source, jobs, deps.planner, now)
    return { seq: event.seq, status: 'applied', outcome }
  })
  const written = await writeJobs(tx, before, jobs, now)
  await markProcessed(tx, outcomes, deps.consumer, now)
  count(deps.metrics, events, outcomes, written, (performance.now() - started) / 1000)
}

/** Only these end runs. */
function sourceIdsOfDeletions(events: readonly SourceEvent[]): string[] {
  return events
    .filter((event) => event.event_type === 'SOURCE_DELETED')
    .map((event) => event.source_id)
}

function count(
  metrics: LifecycleMetrics,
  events: readonly SourceEvent[],
  outcomes: readonly Outcome[],
  jobs: { created: number; updated: number },
  seconds: number,
): void {
  for (const [place, event] of events.entries()) {
    const event_type = event.event_type
    const result = outcomes[place]?.status === 'ignored' ? 'duplicate' : 'success'
    metrics.received.inc({ event_type })
    metrics.processed.inc({ event_type, result })
    metrics.seconds.observe({ event_type }, seconds / events.length)
  }
  metrics.jobsCreated.inc(jobs.created)
  metrics.jobsUpdated.inc(jobs.updated)
}

function applyOne(
  event: SourceEvent,
  source: SourceWithConfig | null,
  jobs: Map<string, AutoJob>,
  planner: Planner,
  now: Date,
): Record<string, unknown> {
  const job = jobs.get(event.source_id) ?? null
  const facts =
    job === null ? null : { status: job.status, sourceName: job.source_name, url: job.url }
  const decision = decide({ type: event.event_type, payload: event.payload }, source, facts)
  const { job: next, note } = applyDecision(decision, source, job, planner, now)
  if (next === null) jobs.delete(event.source_id)
  else jobs.set(event.source_id, next)
  return { ...decision, ...note }
}

async function writeJobs(
  tx: Tx,
  before: ReadonlyMap<string, AutoJob>,
  after: ReadonlyMap<string, AutoJob>,
  now: Date,
): Promise<{ created: number; updated: number }> {
  const created = [...after.values()].filter((job) => before.get(job.source_id)?.id !== job.id)
  const updated = [...after.values()].filter(
    (job) => before.get(job.source_id)?.id === job.id && before.get(job.source_id) !== job,
  )
  const deleted = [...before.values()]
    .filter((job) => after.get(job.source_id)?.id !== job.id)
    .map((job) => job.id)
  await cancelRuns(tx, await activeRunsOfJobs(tx, deleted), 'the source was deleted')
  await deleteAutoJobs(tx, deleted)
  await insertAutoJobs(tx, created, now)
  await updateAutoJobs(tx, updated, now)
  return { created: created.length, updated: updated.length }
}

async function adoptForeignChanges(
  tx: Tx,
  events: readonly SourceEvent[],
  deps: SourceChangedDeps,
): Promise<void> {
  if (events.length === 0) return
  for (const event of events) await adoptForeignChange(tx, event, deps.refuseUrl, deps.clock.now())
  await noteForeignTimes(
    tx,
    events.map((event) => event.seq),
  )
}
