import type { FastifyReply, FastifyRequest } from 'fastify'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { normalizeUrl, urlHash } from '../../kernel/url.ts'
import { checkEvent, type Checked, type Rejection } from '../../stages/contract.ts'
import { addressOf, traceIdOf } from '../../stages/event.ts'
import { createIngest } from '../../stages/ingest.ts'
import { stageNames, stageNumber, stageOfNumber } from '../../stages/kinds.ts'
import { listEvents, type EventFilter, type ListedEvent } from '../../stages/list.ts'
import { stageMetrics } from '../../stages/metrics.ts'
import { createEventRate } from '../../stages/rate.ts'
import type { RecordOutcome, StageEvent } from '../../stages/record.ts'
import type { Api, ApiContext } from '../context.ts'
import { invalid, problem, type FieldError } from '../problem.ts'

const tags = ['pipeline']
const writer = { role: 'operator' as const, scope: 'stage_events:write' }
const mostPerBatch = 1000
const lateMs = 3_600_000
const example = {
  article_url: 'https://example.com/article-123',
  source_name: 'example_com',
  stage: 'classified',
  occurred_at: '2026-02-10T14:30:00Z',
  service_name: 'classifier',
  idempotency_key: null,
  metadata: { quality_score: 78, topics: ['crime', 'news'], model_version: 'v2.1' },
}

// Checked event by event, so that every refusal is counted by its reason and one of them does not sink the others.
const eventBody = z.unknown().meta({ description: 'A stage event', example })
const batchBody = z.object({ events: z.array(z.unknown()).min(1).max(mostPerBatch) })

const storedShape = z.object({
  status: z.enum(['created', 'duplicate']),
  article_url: z.string(),
  url_hash: z.string(),
  stage: z.enum(stageNames),
  trace_id: z.string(),
})
const resultShape = z.object({
  index: z.number(),
  status: z.enum(['created', 'duplicate', 'rejected']),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
const batchShape = z.object({
  created: z.number(),
  duplicates: z.number(),
  rejected: z.number(),
  results: z.array(resultShape),
})
const listedShape = z.object({
  id: z.string(),
  article_url: z.string(),
  url_hash: z.string(),
  trace_id: z.string(),
  source_name: z.string(),
  stage: z.enum(stageNames),
  service_name: z.string(),
  occurred_at: z.date(),
  received_at: z.date(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  metadata_schema_version: z.number(),
})
const listQuery = z.object({
  article_url: z.string().max(8000).optional(),
  stage: z.enum(stageNames).optional(),
  service: z.string().max(100).optional(),
  source: z.string().max(300).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  cursor: z.string().max(200).optional(),
})

/** Other services report here which article passed which stage. */
export function stageEventRoutes(api: Api, context: ApiContext): void {
  const { sql, clock } = context
  const eventsPerSecond = context.config.pipelineEventsPerSecond
  const metrics = stageMetrics(context.metrics)
  const rate = createEventRate(eventsPerSecond, () => clock.now().getTime())
  const ingest = createIngest(sql, clock)
  const preParsing = unpack(context.config.bodyLimitBytes)

  api.post(
    '/api/v1/events',
    {
      config: writer,
      preParsing,
      schema: {
        summary: 'Report one stage event; 201 when it is new, 200 when it was known',
        tags,
        body: eventBody,
        response: { 200: storedShape, 201: storedShape },
      },
    },
    async (request, reply) => {
      takeRoom(1)
      const checked = checkEvent(request.body, clock.now())
      if ('errors' in checked) {
        countRejections([checked])
        throw invalid(fieldsOf(checked.errors))
      }
      const [outcome = 'created'] = await store(request, [checked.event])
      const { url, hash } = addressOf(checked.event.url)
      return reply.code(outcome === 'created' ? 201 : 200).send({
        status: outcome,
        article_url: url,
        url_hash: hash,
        stage: checked.event.stage,
        trace_id: traceIdOf(hash),
      })
    },
  )

  api.post(
    '/api/v1/events/batch',
    {
      config: writer,
      preParsing,
      schema: {
        summary: 'Report many stage events; each gets its own result',
        tags,
        body: batchBody,
        response: { 200: batchShape, 201: batchShape },
      },
    },
    async (request, reply) => {
      takeRoom(request.body.events.length)
      const now = clock.now()
      const checked = request.body.events.map((event) => checkEvent(event, now))
      countRejections(checked)
      const events = checked.flatMap((entry) => ('event' in entry ? [entry.event] : []))
      const answer = describeBatch(checked, events.length === 0 ? [] : await store(request, events))
      if (answer.rejected === checked.length)
        throw problem(400, 'Invalid request', 'No event of the batch is valid.', { ...answer })
      return reply.code(answer.created > 0 ? 201 : 200).send(answer)
    },
  )

  api.get(
    '/api/v1/events',
    {
      schema: {
        summary: 'Stage events, newest first; next_cursor leads to older ones',
        tags,
        querystring: listQuery,
        response: {
          200: z.object({
            data: z.array(listedShape),
            limit: z.number(),
            next_cursor: z.string().nullable(),
          }),
        },
      },
    },
    async ({ query }) => {
      const done = metrics.querySeconds.startTimer({ endpoint: 'events' })
      const events = await listEvents(sql, filterOf(query), query.limit)
      done()
      const last = events.length === query.limit ? events.at(-1) : undefined
      return {
        data: events.map(describe),
        limit: query.limit,
        next_cursor: last === undefined ? null : `${last.occurred_at.getTime()}.${last.id}`,
      }
    },
  )

  function takeRoom(events: number): void {
    const room = rate.take(events)
    if (room.ok) return
    metrics.rejected.inc({ reason: 'rate_limited' }, events)
    throw problem(
      429,
      'Too many events',
      `At most ${eventsPerSecond} stage events a second; try again in ${room.retryAfterSeconds} s.`,
      {},
      { 'retry-after': String(room.retryAfterSeconds) },
    )
  }

  async function store(request: FastifyRequest, events: StageEvent[]): Promise<RecordOutcome[]> {
    const done = metrics.ingestSeconds.startTimer()
    const outcomes = await ingest.store(events)
    done()
    const duplicates = outcomes.filter((outcome) => outcome === 'duplicate').length
    if (duplicates > 0) metrics.duplicated.inc(duplicates)
    warnOfLateOnes(request, events, clock.now())
    return outcomes
  }

  function countRejections(checked: Checked[]): void {
    for (const entry of checked)
      if ('errors' in entry) metrics.rejected.inc({ reason: entry.errors[0]?.reason ?? 'invalid' })
  }
}

/** One line per request, about the latest of its late events. */
function warnOfLateOnes(request: FastifyRequest, events: StageEvent[], now: Date): void {
  const late = events
    .filter((event) => now.getTime() - event.occurredAt.getTime() > lateMs)
    .sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime())
  const [latest] = late
  if (latest === undefined) return
  request.log.warn(
    {
      stage: latest.stage,
      service: latest.serviceName,
      delay_minutes: Math.round((now.getTime() - latest.occurredAt.getTime()) / 60_000),
      late_events: late.length,
    },
    'late stage event received',
  )
}

function describeBatch(checked: Checked[], outcomes: RecordOutcome[]): z.infer<typeof batchShape> {
  let next = 0
  const results = checked.map((entry, index): z.infer<typeof resultShape> =>
    'errors' in entry
      ? { index, status: 'rejected', errors: fieldsOf(entry.errors) }
      : { index, status: outcomes[next++] ?? 'created' },
  )
  const count = (status: string): number =>
    results.filter((result) => result.status === status).length
  return {
    created: count('created'),
    duplicates: count('duplicate'),
    rejected: count('rejected'),
    results,
  }
}

function fieldsOf(errors: Rejection[]): FieldError[] {
  return errors.map(({ field, message }) => ({ field, message }))
}

function filterOf(query: z.infer<typeof listQuery>): EventFilter {
  const url = query.article_url === undefined ? undefined : normalizeUrl(query.article_url)
  if (url === null) throw invalid([{ field: 'article_url', message: 'is not a web address' }])
  return {
    hash: url === undefined ? undefined : urlHash(url),
    stage: query.stage === undefined ? undefined : stageNumber(query.stage),
    service: query.service,
    source: query.source,
    from: query.from === undefined ? undefined : new Date(query.from),
    to: query.to === undefined ? undefined : new Date(query.to),
    before: query.cursor === undefined ? undefined : readCursor(query.cursor),
  }
}

function readCursor(cursor: string): EventFilter['before'] {
  const [, time, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(cursor) ?? []
  if (time === undefined || id === undefined)
    throw invalid([{ field: 'cursor', message: 'is not one of ours' }])
  return { occurredAt: new Date(Number(time)), id }
}

function describe(event: ListedEvent): z.infer<typeof listedShape> {
  const traceId = event.metadata?.['trace_id']
  return {
    ...event,
    stage: stageOfNumber(event.stage),
    trace_id: typeof traceId === 'string' ? traceId : traceIdOf(event.url_hash),
  }
}

/** Unpacks gzip bodies while they arrive. The server's own limit counts what comes out, so a bomb ends there. */
function unpack(limitBytes: number) {
  return async (
    request: FastifyRequest,
    _reply: FastifyReply,
    payload: NodeJS.ReadableStream & { receivedEncodedLength?: number },
  ) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') return payload
    if (encoding !== 'gzip')
      throw problem(415, 'Unsupported encoding', 'Send the body plain or packed with gzip.')
    const gunzip = Object.assign(createGunzip({ maxOutputLength: limitBytes }), {
      receivedEncodedLength: 0,
    })
    payload.on('data', (chunk: Buffer) => (gunzip.receivedEncodedLength += chunk.length))
    payload.on('error', (error) => gunzip.destroy(error))
    gunzip.on('error', () => payload.unpipe(gunzip))
    return payload.pipe(gunzip)
  }
}
