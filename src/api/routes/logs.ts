import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { watchRuns } from '../../flows/watch-runs.ts'
import { getJob } from '../../jobs/store.ts'
import { channels } from '../../runs/channels.ts'
import { getRun } from '../../runs/history.ts'
import {
  countLogs,
  logLevels,
  readLastLogs,
  readLogs,
  type LogFilter,
  type LogLine,
} from '../../runs/logs.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound } from '../problem.ts'
import { streamSse, type SseMessage, type SseSource } from '../sse.ts'

const tags = ['logs']
const byId = z.object({ id: z.uuid() })
const filterQuery = z.object({
  level: z.enum(logLevels).optional(),
  category: z.string().max(50).optional(),
  run_id: z.uuid().optional(),
})
/** Ids are numbers of their own, so paging goes by `after_id`, not by counting lines again. */
const listQuery = pageQuery.extend({
  ...filterQuery.shape,
  after_id: z.coerce.number().int().min(0).optional(),
})
const lineShape = z.object({
  id: z.number(),
  run_id: z.string(),
  timestamp: z.date(),
  level: z.enum(logLevels),
  category: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()),
})

const replayLines = 200
const batchLines = 1000

/** The log of a job (over all its runs) or of one run: list, download, follow. */
export function logRoutes(api: Api, context: ApiContext): void {
  const { sql, log, stopping } = context

  const scopes = [
    { base: '/api/v1/jobs/:id/logs', of: ofJob },
    { base: '/api/v1/runs/:id/logs', of: ofRun },
  ]
  for (const { base, of } of scopes) {
    api.get(
      base,
      {
        schema: {
          summary: 'Log lines, oldest first',
          tags,
          params: byId,
          querystring: listQuery,
          response: { 200: pageShape(lineShape) },
        },
      },
      async ({ params, query }) => {
        const { limit, offset, after_id } = query
        const filter = { ...(await of(params.id)), ...filterOf(query) }
        const from = after_id === undefined ? filter : { ...filter, afterId: after_id }
        const [lines, total] = await Promise.all([
          readLogs(sql, from, limit, offset),
          countLogs(sql, filter),
        ])
        return { data: lines.map(describe), total, limit, offset }
      },
    )

    api.get(
      `${base}/download`,
      {
        schema: {
          summary: 'The whole log as JSON lines',
          tags,
          params: byId,
          querystring: filterQuery,
        },
      },
      async (request, reply) => {
        const filter = { ...(await of(request.params.id)), ...filterOf(request.query) }
        return reply
          .header('content-type', 'application/x-ndjson; charset=utf-8')
          .header('content-disposition', `attachment; filename="${request.params.id}.jsonl"`)
          .send(Readable.from(eachLine(filter)))
      },
    )

    api.get(
      `${base}/stream/v2`,
      {
        schema: {
          summary: 'The last 200 lines and then every new one (SSE); Last-Event-ID resumes',
          tags,
          params: byId,
          querystring: filterQuery.extend({ last_event_id: z.string().optional() }),
        },
      },
      async (request, reply) => {
        const filter = { ...(await of(request.params.id)), ...filterOf(request.query) }
        await follow(request, reply, filter)
      },
    )
  }

  async function ofJob(id: string): Promise<LogFilter> {
    if ((await getJob(sql, id)) === null) throw notFound('job', id)
    return { jobId: id }
  }

  async function ofRun(id: string): Promise<LogFilter> {
    if ((await getRun(sql, id)) === null) throw notFound('run', id)
    return { runId: id }
  }

  async function* eachLine(filter: LogFilter): AsyncGenerator<string> {
    let afterId = 0
    for (;;) {
      const lines = await readLogs(sql, { ...filter, afterId }, batchLines)
      for (const line of lines) yield `${JSON.stringify(describe(line))}\n`
      if (lines.length < batchLines) return
      afterId = lines.at(-1)?.id ?? afterId
    }
  }

  /** Replay and live lines both come from "after the last id", one read at a time: no gap, no repeat. */
  async function follow(
    request: FastifyRequest,
    reply: FastifyReply,
    filter: LogFilter,
  ): Promise<void> {
    let cursor: number | null = null
    let reading: Promise<void> = Promise.resolve()
    const since = async (afterId: number): Promise<LogLine[]> => {
      const lines = await readLogs(sql, { ...filter, afterId }, batchLines)
      if (lines.length < batchLines) return lines
      return [...lines, ...(await since(lines.at(-1)?.id ?? afterId))]
    }
    const source: SseSource = {
      replay: async (lastId) => {
        const lines =
          lastId === null ? await readLastLogs(sql, filter, replayLines) : await since(lastId)
        cursor = lines.at(-1)?.id ?? lastId ?? 0
        return lines.map(toMessage)
      },
      subscribe: async (onMessage) => {
        const read = async (): Promise<void> => {
          if (cursor === null) return
          for (const line of await since(cursor)) {
            cursor = line.id
            onMessage(toMessage(line))
          }
        }
        const onChange = (): void => {
          reading = reading.then(read).catch((error: unknown) => {
            log.warn({ err: error }, 'a log stream missed a read; the next one catches up')
          })
        }
        const concerns = (ids: Set<string> | null): boolean =>
          filter.runId === undefined || ids === null || ids.has(filter.runId)
        const watch = await watchRuns(sql, channels.logged, concerns, onChange, log, 2000)
        return () => watch.stop()
      },
    }
    await streamSse(request, reply, source, { stopping })
  }
}

function filterOf(query: z.infer<typeof filterQuery>): LogFilter {
  return {
    ...(query.level !== undefined && { level: query.level }),
    ...(query.category !== undefined && { category: query.category }),
    ...(query.run_id !== undefined && { runId: query.run_id }),
  }
}

function toMessage(line: LogLine): SseMessage {
  return { id: line.id, event: 'log', data: describe(line) }
}

function describe(line: LogLine): z.infer<typeof lineShape> {
  return {
    id: line.id,
    run_id: line.runId,
    timestamp: line.at,
    level: line.level,
    category: line.category,
    message: line.message,
    fields: line.fields ?? {},
  }
}
