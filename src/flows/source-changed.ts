import { transaction, type Sql, type Tx } from '../db/pool.ts'
import { backoffMs } from '../kernel/backoff.ts'
import type { Clock } from '../kernel/clock.ts'
import { messageOf } from '../kernel/errors.ts'
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
  lockEventsById,
  lockPendingEvents,
  lockProgress,
  markProcessed,
  recordFailure,
  type Outcome,
  type SourceEvent,
} from '../lifecycle/store.ts'
import { cancelRuns } from '../runs/cancel.ts'
import { activeRunsOfJobs } from '../runs/of-jobs.ts'
import { applyDecision, type Planner } from './plan-job.ts'
import type { LoadPlanner } from './planner.ts'
import { adoptForeignChange } from './foreign-source.ts'
import { loadSourceFacts, type SourceWithConfig } from './source-facts.ts'

export interface SourceChangedDeps {
  sql: Sql
  clock: Clock
  log: Log
  metrics: LifecycleMetrics
  planner: LoadPlanner
  /** Named in the event log. */
  consumer: string
}

const batchSize = 500
const maxAttempts = 5
const retry = { baseMs: 1000, maxMs: 5 * 60_000 }

/** Takes one batch of waiting events from the outbox and lets them take effect. */
export async function handlePendingEvents(
  deps: SourceChangedDeps,
  graceMs: number,
): Promise<'again' | void> {
  const handled = await handle(deps, (tx) =>
    lockPendingEvents(tx, deps.clock.now(), { limit: batchSize, graceMs }),
  )
  if (handled === batchSize) return 'again'
}

/** The same for events that a stream delivered and that are stored by now. */
export async function handleStoredEvents(
  deps: SourceChangedDeps,
  eventIds: readonly string[],
): Promise<void> {
  await handle(deps, (tx) => lockEventsById(tx, eventIds))
}

type Pick = (tx: Tx) => Promise<SourceEvent[]>

/** A batch that fails is taken apart: one bad event must not hold up the others. */
async function handle(deps: SourceChangedDeps, pick: Pick): Promise<number> {
  await deps.planner.refresh()
  let batch: SourceEvent[] = []
  try {
    await transaction(deps.sql, async (tx) => {
      batch = await pick(tx)
      await applyEvents(tx, batch, deps)
    })
  } catch (error) {
    if (batch.length === 0) throw error
    for (const event of batch) await handleAlone(deps, event)
  }
  return batch.length
}

async function handleAlone(deps: SourceChangedDeps, event: SourceEvent): Promise<void> {
  try {
    await transaction(deps.sql, async (tx) =>
      applyEvents(tx, await lockEventsById(tx, [event.event_id]), deps),
    )
  } catch (error) {
    const attempt = event.attempts + 1
    const giveUp = attempt >= maxAttempts
    const reason = messageOf(error)
    deps.metrics.processed.inc({ event_type: event.event_type, result: 'error' })
    deps.log[giveUp ? 'error' : 'warn'](
      { event_id: event.event_id, source_id: event.source_id, attempt, reason },
      'source event failed',
    )
    await recordFailure(deps.sql, event, {
      reason,
      giveUp,
      retryMs: backoffMs(attempt, retry),
      now: deps.clock.now(),
    })
  }
}

/** The effect, the processed mark and the progress commit together: that is what makes an event count once. */
export async function applyEvents(
  tx: Tx,
  events: readonly SourceEvent[],
  deps: SourceChangedDeps,
): Promise<void> {
  if (events.length === 0) return
  const started = performance.now()
  const now = deps.clock.now()
  const sourceIds = [...new Set(events.map((event) => event.source_id))]
  const progress = await lockProgress(tx, sourceIds)
  const fresh = events.filter((event) => event.at_us > (progress.get(event.source_id) ?? 0n))
  await adoptForeignChanges(tx, fresh, now)
  const sources = await loadSourceFacts(tx, sourceIds)
  const jobs = new Map((await lockAutoJobs(tx, sourceIds)).map((job) => [job.source_id, job]))
  const before = new Map(jobs)

  const outcomes = inOrder(events).map((event): Outcome => {
    deps.metrics.received.inc({ event_type: event.event_type })
    if (event.at_us <= (progress.get(event.source_id) ?? 0n)) {
      deps.metrics.processed.inc({ event_type: event.event_type, result: 'duplicate' })
      return {
        seq: event.seq,
        status: 'ignored',
        outcome: { action: 'none', why: 'older_than_applied' },
      }
    }
    progress.set(event.source_id, event.at_us)
    deps.metrics.processed.inc({ event_type: event.event_type, result: 'success' })
    return {
      seq: event.seq,
      status: 'applied',
      outcome: applyOne(event, sources.get(event.source_id) ?? null, jobs, deps.planner, now),
    }
  })
  await writeJobs(tx, before, jobs, deps.metrics, now)
  await markProcessed(tx, outcomes, deps.consumer, now)
  const seconds = (performance.now() - started) / 1000 / events.length
  for (const event of events)
    deps.metrics.seconds.observe({ event_type: event.event_type }, seconds)
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
  metrics: LifecycleMetrics,
  now: Date,
): Promise<void> {
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
  metrics.jobsCreated.inc(created.length)
  metrics.jobsUpdated.inc(updated.length)
}

async function adoptForeignChanges(
  tx: Tx,
  events: readonly SourceEvent[],
  now: Date,
): Promise<void> {
  for (const event of inOrder(events)) {
    if (event.origin === 'stream') await adoptForeignChange(tx, event, now)
  }
}

function inOrder(events: readonly SourceEvent[]): SourceEvent[] {
  return [...events].sort((a, b) =>
    a.at_us < b.at_us ? -1 : a.at_us > b.at_us ? 1 : Number(BigInt(a.seq) - BigInt(b.seq)),
  )
}
