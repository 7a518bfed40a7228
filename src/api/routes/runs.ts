import { z } from 'zod'
import { cancelRun } from '../../flows/cancel-run.ts'
import { watchRuns } from '../../flows/watch-runs.ts'
import { findJobBySource, getJob } from '../../jobs/store.ts'
import { channels } from '../../runs/channels.ts'
import { getRun, listRuns, type RunFilter } from '../../runs/history.ts'
import { runStatuses, type Run, type RunStatus } from '../../runs/types.ts'
import { namesOfSources } from '../../sources/names.ts'
import { listWorkers } from '../../runs/workers.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid, notFound, problem } from '../problem.ts'
import { streamSse, type SseMessage } from '../sse.ts'
import { describeRun, runShape } from './run-shape.ts'

const tags = ['runs']
const byId = z.object({ id: z.uuid() })
const listQuery = pageQuery.extend({ status: z.string().optional() })

const listedRunShape = runShape.extend({ source_name: z.string().nullable() })

const workerShape = z.object({
  id: z.string(),
  instance_id: z.string(),
  host_name: z.string(),
  pid: z.number(),
  concurrency: z.number(),
  runs: z.number(),
  started_at: z.date(),
  heartbeat_at: z.date(),
  lease_until: z.date(),
  stopping: z.boolean(),
})

/** Executions: what ran, how it went, and how far it is. */
export function runRoutes(api: Api, context: ApiContext): void {
  const { sql, log, stopping, clock } = context

  const load = async (id: string): Promise<Run> => {
    const run = await getRun(sql, id)
    if (run === null) throw notFound('execution', id)
    return run
  }
  const page = async (filter: RunFilter, query: z.infer<typeof listQuery>) => {
    const { limit, offset, status } = query
    const wanted = status === undefined ? filter : { ...filter, status: statusesIn(status) }
    const { runs, total } = await listRuns(sql, wanted, { limit, offset })
    const names = await namesOfSources(
      sql,
      runs.map((run) => run.sourceId),
    )
    const data = runs.map((run) => ({
      ...describeRun(run),
      source_name: names.get(run.sourceId ?? '') ?? null,
    }))
    return { data, total, limit, offset }
  }

  api.get(
    '/api/v1/jobs/:id/executions',
    {
      schema: {
        summary: 'Executions of a job, newest first',
        tags,
        params: byId,
        querystring: listQuery,
        response: { 200: pageShape(listedRunShape) },
      },
    },
    async ({ params, query }) => {
      if ((await getJob(sql, params.id)) === null) throw notFound('job', params.id)
      return await page({ jobId: params.id }, query)
    },
  )

  api.get(
    '/api/v1/sources/:source_id/executions',
    {
      schema: {
        summary: 'Executions of a source, newest first',
        tags,
        params: z.object({ source_id: z.uuid() }),
        querystring: listQuery,
        response: { 200: pageShape(listedRunShape) },
      },
    },
    async ({ params, query }) => {
      const job = await findJobBySource(sql, params.source_id)
      return await page(job === null ? { sourceId: params.source_id } : { jobId: job.id }, query)
    },
  )

  api.get(
    '/api/v1/runs',
    {
      schema: {
        summary: 'All runs, newest first',
        tags,
        querystring: listQuery.extend({ round_id: z.uuid().optional() }),
        response: { 200: pageShape(listedRunShape) },
      },
    },
    ({ query }) => page(query.round_id === undefined ? {} : { roundId: query.round_id }, query),
  )

  for (const path of ['/api/v1/executions/:id', '/api/v1/runs/:id']) {
    api.get(
      path,
      {
        schema: { summary: 'One execution', tags, params: byId, response: { 200: listedRunShape } },
      },
      async ({ params }) => {
        const run = await load(params.id)
        const names = await namesOfSources(sql, [run.sourceId])
        return { ...describeRun(run), source_name: names.get(run.sourceId ?? '') ?? null }
      },
    )
  }

  api.post(
    '/api/v1/runs/:id/cancel',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Cancel one run; its job goes on with its schedule',
        tags,
        params: byId,
        response: { 200: runShape },
      },
    },
    async ({ params, caller }) => {
      const run = await load(params.id)
      const reason = `cancelled by ${caller?.name ?? 'an operator'}`
      if (!(await cancelRun(sql, run.id, reason, clock.now()))) {
        throw problem(409, 'Not in this state', `A ${run.status} run cannot be cancelled.`, {
          current_status: run.status,
          allowed_actions: [],
        })
      }
      return describeRun(await load(params.id))
    },
  )

  api.get(
    '/api/v1/runs/:id/progress/stream',
    { schema: { summary: 'Progress of a run as it happens (SSE)', tags, params: byId } },
    async (request, reply) => {
      const { id } = request.params
      await load(id)
      await streamSse(request, reply, progressSource(id), { stopping })
    },
  )

  api.get(
    '/api/v1/workers',
    {
      schema: {
        summary: 'Workers that are alive',
        tags,
        response: { 200: z.object({ data: z.array(workerShape), total: z.number() }) },
      },
    },
    async () => {
      const workers = await listWorkers(sql)
      return {
        total: workers.length,
        data: workers.map((worker) => ({
          id: worker.id,
          instance_id: worker.instanceId,
          host_name: worker.hostName,
          pid: worker.pid,
          concurrency: worker.concurrency,
          runs: worker.runs,
          started_at: worker.startedAt,
          heartbeat_at: worker.heartbeatAt,
          lease_until: worker.leaseUntil,
          stopping: worker.stopping,
        })),
      }
    },
  )

  /** Each message is the whole state, so a reader that missed some has lost nothing. */
  function progressSource(id: string) {
    let last = ''
    let number = Date.now()
    const look = async (): Promise<SseMessage[]> => {
      const data = describeRun(await load(id))
      const text = JSON.stringify([data.status, data.progress, data.retry_attempt])
      if (text === last) return []
      last = text
      const ended = ['completed', 'failed', 'cancelled'].includes(data.status)
      return [{ id: ++number, event: ended ? 'end' : 'progress', data }]
    }
    return {
      replay: () => look(),
      subscribe: async (onMessage: (message: SseMessage) => void) => {
        const relay = (): void => {
          look().then(
            (messages) => messages.forEach(onMessage),
            () => {},
          )
        }
        const concerns = (ids: Set<string> | null): boolean => ids === null || ids.has(id)
        const watch = await watchRuns(sql, channels.changed, concerns, relay, log, 2000)
        return () => watch.stop()
      },
    }
  }
}

function statusesIn(text: string): RunStatus[] {
  return text.split(',').map((word) => {
    const status = runStatuses.find((known) => known === word.trim())
    if (status !== undefined) return status
    throw invalid([{ field: 'status', message: `"${word}" is none of ${runStatuses.join(', ')}` }])
  })
}
