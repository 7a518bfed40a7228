import { z } from 'zod'
import { controlJob } from '../../flows/control-jobs.ts'
import {
  findJobBySource,
  getJob,
  insertJob,
  jobSorts,
  listJobs,
  updateJob,
  type JobPatch,
} from '../../jobs/store.ts'
import { jobStatuses, type JobStatus } from '../../jobs/transition.ts'
import type { Job } from '../../jobs/types.ts'
import { hostKey, normalizeUrl } from '../../kernel/url.ts'
import { readableUnit } from '../../schedule/compute.ts'
import { findSource } from '../../sources/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid, notFound } from '../problem.ts'
import { controlled, describeJob, intervalTypes, jobShape } from './job-shape.ts'

const tags = ['jobs']
const hour = z.int().min(0).max(23)

const editable = {
  url: z.url().max(2000),
  interval_minutes: z.int().min(1).max(525_600).nullable(),
  interval_type: z.enum(intervalTypes),
  schedule_enabled: z.boolean(),
  priority: z.int().min(0).max(100),
  max_concurrent: z.int().min(1).max(100),
  crawl_window_start: hour.nullable(),
  crawl_window_end: hour.nullable(),
  crawl_window_days: z.array(z.int().min(0).max(6)).max(7).nullable(),
  max_retries: z.int().min(0).max(20),
  retry_backoff_seconds: z.int().min(1).max(86_400),
  adaptive_scheduling: z.boolean(),
  next_run_at: z.coerce.date().nullable(),
  metadata: z.record(z.string(), z.json()),
}
const patchBody = z.strictObject(editable).partial()
/** A replacement is whole: what it leaves out goes back to its default. */
const replaceBody = z.strictObject({
  url: editable.url,
  interval_minutes: editable.interval_minutes.default(null),
  interval_type: editable.interval_type.optional(),
  schedule_enabled: editable.schedule_enabled.default(true),
  priority: editable.priority.default(50),
  max_concurrent: editable.max_concurrent.default(1),
  crawl_window_start: editable.crawl_window_start.default(null),
  crawl_window_end: editable.crawl_window_end.default(null),
  crawl_window_days: editable.crawl_window_days.default(null),
  max_retries: editable.max_retries.default(3),
  retry_backoff_seconds: editable.retry_backoff_seconds.default(60),
  adaptive_scheduling: editable.adaptive_scheduling.default(true),
  metadata: editable.metadata.default({}),
})
const createBody = patchBody.extend({ source_id: z.uuid() })
type Edit = z.infer<typeof patchBody>

const byId = z.object({ id: z.uuid() })

export function jobRoutes(api: Api, { sql, clock }: ApiContext): void {
  const operator = { role: 'operator' as const }

  const load = async (id: string): Promise<Job> => {
    const job = await getJob(sql, id)
    if (job === null) throw notFound('job', id)
    return job
  }

  api.get(
    '/api/v1/jobs',
    {
      schema: {
        summary: 'List jobs',
        tags,
        querystring: pageQuery.extend({
          status: z.string().optional(),
          source_id: z.uuid().optional(),
          search: z.string().max(200).optional(),
          auto_managed: z.stringbool().optional(),
          min_priority: z.coerce.number().int().optional(),
          health: z.enum(['healthy', 'warning', 'failed']).optional(),
          sort: z.enum(jobSorts).default('created_at'),
          order: z.enum(['asc', 'desc']).default('desc'),
        }),
        response: { 200: pageShape(jobShape) },
      },
    },
    async (request) => {
      const { limit, offset, sort, order, ...query } = request.query
      const { jobs, total } = await listJobs(
        sql,
        {
          ...(query.status !== undefined && { status: statusesIn(query.status) }),
          ...(query.source_id !== undefined && { sourceId: query.source_id }),
          ...(query.search !== undefined && { search: query.search }),
          ...(query.auto_managed !== undefined && { autoManaged: query.auto_managed }),
          ...(query.min_priority !== undefined && { minPriority: query.min_priority }),
          ...(query.health !== undefined && { health: query.health }),
        },
        { limit, offset, sort, order },
      )
      const now = clock.now()
      return { data: jobs.map((job) => describeJob(job, now)), total, limit, offset }
    },
  )

  api.get(
    '/api/v1/jobs/:id',
    { schema: { summary: 'One job', tags, params: byId, response: { 200: jobShape } } },
    async (request) => describeJob(await load(request.params.id), clock.now()),
  )

  api.post(
    '/api/v1/jobs',
    {
      config: operator,
      schema: {
        summary: 'Create a job: recurring with interval_minutes, once without',
        tags,
        body: createBody,
        response: { 201: jobShape },
      },
    },
    async (request, reply) => {
      const { source_id, ...body } = request.body
      checkWindow(body)
      const source = await findSource(sql, source_id)
      if (source === null)
        throw invalid([{ field: 'source_id', message: 'there is no such source' }])
      const now = clock.now()
      const url = body.url ?? source.url
      const interval = body.interval_minutes ?? null
      const enabled = body.schedule_enabled ?? interval !== null
      const job = await insertJob(
        sql,
        {
          ...patchOf(body),
          sourceId: source.id,
          sourceName: source.name,
          url,
          hostKey: hostOf(url),
          intervalMinutes: interval,
          intervalType:
            body.interval_type ?? (interval === null ? 'minutes' : readableUnit(interval)),
          scheduleEnabled: enabled,
          // Runs once: at once. Recurring: at once too, then in its rhythm. Recurring but switched off: never by itself.
          nextRunAt: interval !== null && !enabled ? null : (body.next_run_at ?? now),
        },
        now,
      )
      return reply.code(201).send(describeJob(job, now))
    },
  )

  const save = async (id: string, body: Edit): Promise<z.infer<typeof jobShape>> => {
    const before = await load(id)
    checkWindow({
      crawl_window_start: before.crawlWindowStart,
      crawl_window_end: before.crawlWindowEnd,
      ...body,
    })
    const now = clock.now()
    const patch = { ...patchOf(body), ...reschedule(before, body, now) }
    const job = await updateJob(sql, id, patch, now)
    if (job === null) throw notFound('job', id)
    return describeJob(job, now)
  }

  api.patch(
    '/api/v1/jobs/:id',
    {
      config: operator,
      schema: {
        summary: 'Change what the body names',
        tags,
        params: byId,
        body: patchBody,
        response: { 200: jobShape },
      },
    },
    (request) => save(request.params.id, request.body),
  )

  api.put(
    '/api/v1/jobs/:id',
    {
      config: operator,
      schema: {
        summary: 'Replace the settings of a job',
        tags,
        params: byId,
        body: replaceBody,
        response: { 200: jobShape },
      },
    },
    (request) => save(request.params.id, request.body),
  )

  api.delete(
    '/api/v1/jobs/:id',
    {
      config: operator,
      schema: {
        summary: 'Delete a job; its run under way is cancelled, its history stays',
        tags,
        params: byId,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      controlled(await controlJob(sql, id, { action: 'delete' }, clock.now()), id)
      return reply.code(204).send(null)
    },
  )

  api.get(
    '/api/v1/sources/:source_id/job',
    {
      schema: {
        summary: 'The job of a source',
        tags,
        params: z.object({ source_id: z.uuid() }),
        response: { 200: jobShape },
      },
    },
    async (request) => {
      const job = await findJobBySource(sql, request.params.source_id)
      if (job === null) throw notFound('job of source', request.params.source_id)
      return describeJob(job, clock.now())
    },
  )
}

function statusesIn(text: string): JobStatus[] {
  return text.split(',').map((word) => {
    const status = jobStatuses.find((known) => known === word.trim())
    if (status !== undefined) return status
    throw invalid([{ field: 'status', message: `"${word}" is none of ${jobStatuses.join(', ')}` }])
  })
}

function checkWindow(body: Pick<Edit, 'crawl_window_start' | 'crawl_window_end'>): void {
  const start = body.crawl_window_start ?? null
  const end = body.crawl_window_end ?? null
  if ((start === null) !== (end === null)) {
    throw invalid([{ field: 'crawl_window_end', message: 'a window needs both hours or none' }])
  }
  if (start !== null && start === end) {
    throw invalid([{ field: 'crawl_window_end', message: 'a window of no hours never opens' }])
  }
}

function hostOf(url: string): string {
  return hostKey(normalizeUrl(url) ?? url) ?? ''
}

/** A changed interval starts a new rhythm now; the scheduler then finds it a calm place. */
function reschedule(before: Job, body: Edit, now: Date): Pick<JobPatch, 'nextRunAt'> {
  if (body.next_run_at !== undefined) return { nextRunAt: body.next_run_at }
  if (!['pending', 'scheduled'].includes(before.status)) return {}
  const interval =
    body.interval_minutes === undefined ? before.intervalMinutes : body.interval_minutes
  const enabled = body.schedule_enabled ?? before.scheduleEnabled
  if (interval !== null && !enabled) return { nextRunAt: null }
  if (interval !== null && before.nextRunAt === null) {
    return { nextRunAt: new Date(now.getTime() + interval * 60_000) }
  }
  return {}
}

/** What the body leaves out is undefined here, and the store leaves it alone. */
function patchOf(body: Edit): JobPatch {
  const interval = body.interval_minutes
  const unit =
    body.interval_type ??
    (interval === undefined || interval === null ? undefined : readableUnit(interval))
  return {
    url: body.url,
    hostKey: body.url === undefined ? undefined : hostOf(body.url),
    intervalMinutes: interval,
    intervalType: unit,
    scheduleEnabled: body.schedule_enabled,
    nextRunAt: body.next_run_at,
    priority: body.priority,
    maxConcurrent: body.max_concurrent,
    crawlWindowStart: body.crawl_window_start,
    crawlWindowEnd: body.crawl_window_end,
    crawlWindowDays: body.crawl_window_days,
    maxRetries: body.max_retries,
    retryBackoffSeconds: body.retry_backoff_seconds,
    adaptiveScheduling: body.adaptive_scheduling,
    metadata: body.metadata,
  }
}
