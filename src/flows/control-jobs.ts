import { transaction, type Sql, type Tx } from '../db/pool.ts'
import {
  cancelJob,
  clearOverride,
  deleteJob,
  forceJob,
  overrideJob,
  pauseJob,
  resumeJob,
  retryJob,
  type Controlled,
  type OverrideRequest,
} from '../jobs/control.ts'
import type { ControlAction } from '../jobs/transition.ts'
import type { Job, JsonObject } from '../jobs/types.ts'
import { newId } from '../kernel/ids.ts'
import { cancelRuns } from '../runs/cancel.ts'
import { enqueueRuns } from '../runs/enqueue.ts'
import { holdRunsThen } from '../runs/of-jobs.ts'
import { closeRounds } from './round-summary.ts'

export interface ControlRequest {
  action: Exclude<ControlAction, 'override'>
  /** For pause: let the run under way finish, or stop it. */
  mode?: 'finish' | 'stop' | undefined
  reason?: string | undefined
}

/** One action on one job with everything that follows from it, or nothing at all. */
export async function controlJob(
  sql: Sql,
  id: string,
  request: ControlRequest,
  now: Date,
): Promise<Controlled> {
  return await transaction(sql, (tx) => acts[request.action](tx, id, request, now))
}

export interface BulkResult {
  id: string
  result: Controlled
}

/** Row by row, each in its own transaction: one refusal does not undo the others. */
export async function controlJobs(
  sql: Sql,
  ids: readonly string[],
  request: ControlRequest,
  now: Date,
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const id of new Set(ids)) {
    results.push({ id, result: await controlJob(sql, id, request, now) })
  }
  return results
}

export async function setOverride(
  sql: Sql,
  id: string,
  request: OverrideRequest,
  now: Date,
): Promise<Controlled> {
  return await overrideJob(sql, id, request, now)
}

export async function removeOverride(sql: Sql, id: string, now: Date): Promise<Controlled> {
  return await clearOverride(sql, id, now)
}

type Act = (tx: Tx, id: string, request: ControlRequest, now: Date) => Promise<Controlled>

const acts: Record<ControlRequest['action'], Act> = {
  pause: async (tx, id, { mode, reason }, now) => {
    if (mode !== 'stop') return await pauseJob(tx, id, reason ?? '', now)
    await holdJob(tx, id)
    return await stopRun(tx, await pauseJob(tx, id, reason ?? '', now), 'the job was paused', now)
  },
  resume: (tx, id, _, now) => resumeJob(tx, id, now),
  cancel: async (tx, id, { reason }, now) => {
    await holdJob(tx, id)
    return await stopRun(tx, await cancelJob(tx, id, now), reason ?? 'the job was cancelled', now)
  },
  retry: (tx, id, _, now) => retryJob(tx, id, now),
  delete: async (tx, id, _, now) => {
    await holdJob(tx, id)
    return await stopRun(tx, await deleteJob(tx, id), 'the job was deleted', now)
  },
  'force-run': (tx, id, _, now) => forceRun(tx, id, now),
}

/** The job with the run it has, in the order that keeps us from waiting for one who ends that run. */
async function holdJob(tx: Tx, id: string): Promise<void> {
  await holdRunsThen(
    tx,
    { by: 'id', ids: [id] },
    (held) => held`select 1 from jobs where id = ${id} for update`,
  )
}

async function stopRun(
  tx: Tx,
  controlled: Controlled,
  reason: string,
  now: Date,
): Promise<Controlled> {
  if (!controlled.ok || controlled.job.activeRunId === null) return controlled
  const { job } = controlled
  const ended = await cancelRuns(tx, [controlled.job.activeRunId], reason)
  await closeRounds(
    tx,
    ended.flatMap((run) => run.roundId ?? []),
    now,
  )
  return { ok: true, job: { ...job, activeRunId: null } }
}

/** In front of everything that waits for its turn: somebody is looking. */
const forcedPriority = 100

async function forceRun(tx: Tx, id: string, now: Date): Promise<Controlled> {
  const runId = newId(now.getTime())
  const forced = await forceJob(tx, id, runId, now)
  if (!forced.ok) return forced
  const { job } = forced
  await enqueueRuns(tx, [
    {
      id: runId,
      jobId: job.id,
      sourceId: job.sourceId,
      hostKey: job.hostKey,
      trigger: 'force',
      priority: forcedPriority,
      sourceLimit: job.maxConcurrent,
      maxRetries: job.maxRetries,
      retryBackoffSeconds: job.retryBackoffSeconds,
      executionNumber: job.executionCount,
      payload: payloadOf(job),
      runAt: now,
    },
  ])
  return forced
}

/** What the crawl gets to know: the address, and whatever the job says about crawling it. */
function payloadOf(job: Job): JsonObject {
  const crawl = job.metadata['crawl']
  const extra = typeof crawl === 'object' && crawl !== null && !Array.isArray(crawl) ? crawl : {}
  return { url: job.url, ...extra }
}
