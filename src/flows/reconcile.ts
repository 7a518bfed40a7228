import type { Duty } from '../db/leader.ts'
import { transaction, type Sql, type Tx } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'
import {
  insertAutoJobs,
  lockAutoJobs,
  markOrphans,
  updateAutoJobs,
  type AutoJob,
} from '../jobs/auto.ts'
import { eachSource } from '../sources/list.ts'
import { decide, pausedBySource } from '../lifecycle/decide.ts'
import { holdIdleSources } from '../lifecycle/store.ts'
import { applyDecision, scheduledFields } from './plan-job.ts'
import type { LoadPlanner } from './planner.ts'
import { loadSourceFacts, type SourceWithConfig } from './source-facts.ts'

export interface ReconcileDeps {
  sql: Sql
  clock: Clock
  log: Log
  planner: LoadPlanner
  /** Off: jobs that exist are kept right, missing ones are not made. */
  createMissing: boolean
}

export interface ReconcileReport {
  sources_checked: number
  jobs_created: number
  jobs_updated: number
  jobs_paused: number
  jobs_resumed: number
  orphans_marked: number
  started_at: string
  duration_ms: number
}

/** The net below the events: compares every source with its job, page by page, and mends what differs. */
export async function reconcile(deps: ReconcileDeps): Promise<ReconcileReport> {
  const started = deps.clock.now()
  const began = performance.now()
  await deps.planner.refresh()
  const counts = { created: 0, updated: 0, paused: 0, resumed: 0, checked: 0 }
  for await (const page of eachSource(deps.sql, {})) {
    counts.checked += page.length
    await transaction(deps.sql, (tx) =>
      reconcilePage(
        tx,
        page.map((source) => source.id),
        deps,
        counts,
      ),
    )
  }
  const orphans = await markOrphans(deps.sql, deps.clock.now())
  const report = {
    sources_checked: counts.checked,
    jobs_created: counts.created,
    jobs_updated: counts.updated,
    jobs_paused: counts.paused,
    jobs_resumed: counts.resumed,
    orphans_marked: orphans,
    started_at: started.toISOString(),
    duration_ms: Math.round(performance.now() - began),
  }
  const mended = counts.created + counts.updated + counts.paused + counts.resumed + orphans
  deps.log[mended > 0 ? 'info' : 'debug'](report, 'reconciled sources and jobs')
  return report
}

export function startReconciler(deps: ReconcileDeps & { everyMinutes: number }): Duty {
  return startLoop({
    name: 'reconcile',
    everyMs: deps.everyMinutes * 60_000,
    log: deps.log,
    runOnce: async () => {
      await reconcile(deps)
    },
  })
}

interface Counts {
  created: number
  updated: number
  paused: number
  resumed: number
}

async function reconcilePage(
  tx: Tx,
  ids: string[],
  deps: ReconcileDeps,
  counts: Counts,
): Promise<void> {
  // A source whose events wait or are being applied will be right without us; two hands on one job would only
  // confuse the log.
  const idle = await holdIdleSources(tx, ids)
  const sources = await loadSourceFacts(tx, idle)
  const jobs = new Map((await lockAutoJobs(tx, idle)).map((job) => [job.source_id, job]))
  const inserts: AutoJob[] = []
  const updates: AutoJob[] = []
  for (const source of sources.values()) {
    const job = jobs.get(source.id) ?? null
    const mended = mend(source, job, deps, counts)
    if (mended === null || mended === job) continue
    if (job === null) inserts.push(mended)
    else updates.push(mended)
  }
  await insertAutoJobs(tx, inserts, deps.clock.now())
  await updateAutoJobs(tx, updates, deps.clock.now())
}

function mend(
  source: SourceWithConfig,
  job: AutoJob | null,
  deps: ReconcileDeps,
  counts: Counts,
): AutoJob | null {
  const now = deps.clock.now()
  const apply = (type: string, target: AutoJob | null): AutoJob | null => {
    const facts =
      target === null
        ? null
        : { status: target.status, sourceName: target.source_name, url: target.url }
    const decision = decide({ type, payload: { enabled: source.enabled } }, source, facts)
    return applyDecision(decision, source, target, deps.planner, now).job
  }
  if (job === null) {
    if (!source.enabled || !deps.createMissing) return null
    counts.created++
    return apply('SOURCE_CREATED', null)
  }
  if (!source.enabled) {
    if (job.status === 'paused' || job.status === 'cancelled') return job
    counts.paused++
    return apply('SOURCE_DISABLED', job)
  }
  if (job.status === 'paused' && heldBySource(job.paused_reason)) {
    counts.resumed++
    return apply('SOURCE_ENABLED', job)
  }
  return withoutDrift(source, job, counts)
}

/** Paused by the events of its source, or as an orphan; what a person paused stays paused. */
function heldBySource(reason: string | null): boolean {
  return reason !== null && (reason.startsWith(pausedBySource) || reason === 'source is gone')
}

function withoutDrift(source: SourceWithConfig, job: AutoJob, counts: Counts): AutoJob {
  const right = {
    ...scheduledFields(source, job.override),
    source_name: source.name,
    url: source.url,
    host_key: source.hostKey,
  }
  const wrong = Object.entries(right).some(
    ([name, value]) =>
      name !== 'schedule_chain' &&
      JSON.stringify(job[name as keyof AutoJob]) !== JSON.stringify(value),
  )
  if (!wrong) return job
  counts.updated++
  return { ...job, ...right }
}
