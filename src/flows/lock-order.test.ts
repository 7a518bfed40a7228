import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { waitFor } from '../../test/harness/wait.ts'
import { transaction } from '../db/pool.ts'
import { systemClock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { lifecycleMetrics } from '../lifecycle/metrics.ts'
import { claimRuns, finishRuns } from '../runs/claim.ts'
import type { ClaimedRun } from '../runs/types.ts'
import { holdRunsThen } from '../runs/of-jobs.ts'
import { registerWorker } from '../runs/workers.ts'
import { createSources, removeSources } from '../sources/change.ts'
import { sourceInput } from '../sources/fields.ts'
import { controlJob } from './control-jobs.ts'
import { createPlanner } from './planner.ts'
import { settleRuns } from './settle-runs.ts'
import { dispatchDue } from './schedule-due.ts'
import { handlePendingEvents, type SourceChangedDeps } from './source-changed.ts'

// Finishing a run holds the run and then its job. Whoever else wants both must wait for the run while it holds
// neither; so the job is free for the one who finishes.

const database = useDatabase()
let deps: SourceChangedDeps

beforeEach(async () => {
  await database.sql`truncate sources, source_events, source_event_progress, jobs, runs, workers`
  deps = {
    sql: database.sql,
    clock: systemClock,
    log: silentLog,
    metrics: lifecycleMetrics(createMetrics({ process: false })),
    planner: createPlanner(database.sql, systemClock),
    refuseUrl: () => null,
    consumer: 'test',
  }
})

const change = () => ({ now: new Date(), by: 'user' as const, autoManage: true })

async function sourceWithRun(): Promise<{ sourceId: string; run: ClaimedRun }> {
  const input = sourceInput.parse({ name: 'Example', url: 'https://example.com' })
  const { created } = await createSources(database.sql, [input], change())
  await handlePendingEvents(deps, 0)
  await database.sql`update jobs set next_run_at = now()`
  await dispatchDue(database.sql, new Date(Date.now() + 1000))
  const workerId = newId()
  const info = { id: workerId, instanceId: 'test', hostName: 'here', pid: 1, concurrency: 1 }
  await registerWorker(database.sql, info, 60_000)
  await database.sql`update runs set run_at = now()`
  const [run] = await claimRuns(database.sql, { workerId, limit: 1, hostLimit: null })
  const [source] = created
  if (run === undefined || source === undefined) throw new Error('nothing to claim')
  return { sourceId: source.id, run }
}

/** Finishes the run, and in the middle of it lets `other` go until it waits for us. */
async function finishAgainst(run: ClaimedRun, other: () => Promise<unknown>): Promise<void> {
  let waiting: Promise<unknown> = Promise.resolve()
  await transaction(database.sql, async (tx) => {
    const ended = await finishRuns(tx, [{ id: run.id, token: run.leaseToken, status: 'completed' }])
    waiting = other()
    await waitFor('the other to wait for us', async () => {
      const rows = await database.sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`
      return rows.length > 0
    })
    await tx`select 1 from jobs where id = ${run.jobId} for update nowait`
    await settleRuns(tx, ended, new Date())
  })
  await waiting
}

test('deleting a source and finishing its run do not wait for each other', async () => {
  const { sourceId, run } = await sourceWithRun()
  await removeSources(database.sql, [sourceId], 'test', change())
  await finishAgainst(run, () => handlePendingEvents(deps, 0))
  expect([...(await database.sql`select status from runs`)]).toEqual([{ status: 'completed' }])
  expect([...(await database.sql`select 1 from jobs`)]).toEqual([])
})

test.each(['pause', 'cancel', 'delete'] as const)(
  'a %s of a job and the end of its run do not wait for each other',
  async (action) => {
    const { run } = await sourceWithRun()
    await finishAgainst(run, () =>
      controlJob(database.sql, run.jobId ?? '', { action, mode: 'stop' }, new Date()),
    )
    expect([...(await database.sql`select status from runs`)]).toEqual([{ status: 'completed' }])
  },
)

test('a job that gets a run while it is waited for is held together with that run', async () => {
  const input = sourceInput.parse({ name: 'Example', url: 'https://example.com' })
  const { created } = await createSources(database.sql, [input], change())
  await handlePendingEvents(deps, 0)
  await database.sql`update jobs set next_run_at = now()`
  const chosen = { by: 'source_id' as const, ids: created.map((source) => source.id) }
  let tries = 0
  await transaction(database.sql, async (tx) => {
    await holdRunsThen(tx, chosen, async (held) => {
      if (tries++ === 0) await dispatchDue(database.sql, new Date(Date.now() + 1000))
      await held`select 1 from jobs for update`
    })
    const other = database.sql`select 1 from runs for update nowait`
    await expect(other).rejects.toThrow('could not obtain lock')
  })
  expect(tries).toBe(2)
})
