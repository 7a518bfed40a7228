import { beforeEach } from 'vitest'
import { transaction } from '../../src/db/pool.ts'
import { settleRuns } from '../../src/flows/settle-runs.ts'
import { insertJob, type NewJob } from '../../src/jobs/store.ts'
import type { Job } from '../../src/jobs/types.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { claimRuns, finishRuns } from '../../src/runs/claim.ts'
import type { ClaimedRun, Outcome } from '../../src/runs/types.ts'
import { registerWorker } from '../../src/runs/workers.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'

/** The API over an empty queue before every test, with what tests of the queue do again and again. */
export function useQueueApi() {
  const database = useDatabase()
  const clock = manualClock(new Date())
  const server = useApi(database, {
    clock,
    env: { CRAWLER_MAX_CRAWLS_AT_ONCE: '2', CRAWLER_MAX_CRAWLS_PER_DAY: '3' },
  })

  beforeEach(async () => {
    clock.set(new Date())
    await database.sql`truncate jobs, runs, workers, run_logs, breakers, rounds, sources cascade`
  })

  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
  ) {
    const response = await server.api.inject({
      method,
      url,
      headers: server.as('operator'),
      ...(body !== undefined && { payload: body }),
    })
    return { status: response.statusCode, body: response.body === '' ? null : response.json() }
  }

  async function listening(): Promise<string> {
    if (!server.api.server.listening) await server.api.listen({ port: 0, host: '127.0.0.1' })
    const address = server.api.server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }

  async function source(name = 'Example', fields: Record<string, unknown> = {}): Promise<string> {
    const id = newId()
    await database.sql`
      insert into sources ${database.sql({
        id,
        name,
        url: `https://${id}.example/`,
        url_key: id,
        host_key: `${id}.example`,
        ...(fields as { enabled?: boolean }),
      })}`
    return id
  }

  async function job(given: Partial<NewJob> = {}): Promise<Job> {
    const sourceId = given.sourceId ?? (await source())
    return await insertJob(
      database.sql,
      {
        sourceName: 'Example',
        url: 'https://example.com/',
        hostKey: 'example.com',
        intervalMinutes: 60,
        nextRunAt: clock.now(),
        status: 'scheduled',
        ...given,
        sourceId,
      },
      clock.now(),
    )
  }

  async function claim(): Promise<ClaimedRun> {
    const workerId = newId()
    const info = { id: workerId, instanceId: 'test', hostName: 'here', pid: 1, concurrency: 1 }
    await registerWorker(database.sql, info, 60_000)
    const [run] = await claimRuns(database.sql, { workerId, limit: 1, hostLimit: null })
    if (run === undefined) throw new Error('nothing to claim')
    return run
  }

  async function finish(run: ClaimedRun, outcome: Partial<Outcome> = {}): Promise<void> {
    await transaction(database.sql, async (tx) => {
      const base: Outcome = { id: run.id, token: run.leaseToken, status: 'completed' }
      await settleRuns(tx, await finishRuns(tx, [{ ...base, ...outcome }]), clock.now())
    })
  }

  return { database, clock, server, call, listening, source, job, claim, finish }
}
