import { z } from 'zod'
import { controlJob, controlJobs, removeOverride, setOverride } from '../../flows/control-jobs.ts'
import type { Api, ApiContext } from '../context.ts'
import { controlled, describeJob, jobShape, refusal } from './job-shape.ts'

const tags = ['job control']
const byId = z.object({ id: z.uuid() })
const actions = ['pause', 'resume', 'cancel', 'retry', 'force-run'] as const
const request = z
  .strictObject({
    reason: z.string().trim().max(500).optional(),
    /** For pause: let the run under way finish (default), or stop it. */
    mode: z.enum(['finish', 'stop']).optional(),
  })
  .nullish()

const bulkBody = z.strictObject({
  action: z.enum([...actions, 'delete']),
  /** The jobs themselves, or the sources whose jobs are meant. */
  job_ids: z.array(z.uuid()).max(1000).default([]),
  source_ids: z.array(z.uuid()).max(1000).default([]),
  reason: z.string().trim().max(500).optional(),
  mode: z.enum(['finish', 'stop']).optional(),
})

const bulkShape = z.object({
  succeeded: z.number(),
  failed: z.number(),
  results: z.array(
    z.object({
      job_id: z.string(),
      ok: z.boolean(),
      status: z.string().nullable(),
      error: z.string().nullable(),
      allowed_actions: z.array(z.string()).optional(),
    }),
  ),
})

/** What an operator may do to a job. Illegal actions are 409 with the allowed ones. */
export function jobControlRoutes(api: Api, { sql, clock }: ApiContext): void {
  const config = { role: 'operator' as const }

  for (const action of actions) {
    for (const version of ['v1', 'v2']) {
      api.post(
        `/api/${version}/jobs/:id/${action}`,
        {
          config,
          schema: {
            summary: `${action} a job`,
            tags,
            params: byId,
            body: request,
            response: { 200: jobShape },
          },
        },
        async ({ params, body }) => {
          const now = clock.now()
          const wish = { action, reason: body?.reason, mode: body?.mode }
          const job = controlled(await controlJob(sql, params.id, wish, now), params.id)
          return describeJob(job, now)
        },
      )
    }
  }

  api.put(
    '/api/v1/jobs/:id/override',
    {
      config,
      schema: {
        summary: 'Fix parts of the computed schedule by hand',
        tags,
        params: byId,
        body: z
          .strictObject({
            interval_minutes: z.int().min(1).max(525_600).optional(),
            priority: z.int().min(0).max(100).optional(),
            max_concurrent: z.int().min(1).max(100).optional(),
            reason: z.string().trim().max(500).default(''),
          })
          .refine((body) => Object.keys(body).some((key) => key !== 'reason'), {
            message: 'name at least one of interval_minutes, priority, max_concurrent',
          }),
        response: { 200: jobShape },
      },
    },
    async ({ params, body, caller }) => {
      const now = clock.now()
      const wish = {
        intervalMinutes: body.interval_minutes,
        priority: body.priority,
        maxConcurrent: body.max_concurrent,
        reason: body.reason,
        by: caller?.name ?? 'unknown',
      }
      return describeJob(controlled(await setOverride(sql, params.id, wish, now), params.id), now)
    },
  )

  api.delete(
    '/api/v1/jobs/:id/override',
    {
      config,
      schema: {
        summary: 'Go back to the computed schedule',
        tags,
        params: byId,
        response: { 200: jobShape },
      },
    },
    async ({ params }) => {
      const now = clock.now()
      return describeJob(controlled(await removeOverride(sql, params.id, now), params.id), now)
    },
  )

  api.post(
    '/api/v1/jobs/bulk',
    {
      config,
      schema: {
        summary: 'One action on many jobs, with a result for each',
        tags,
        body: bulkBody,
        response: { 200: bulkShape },
      },
    },
    async ({ body }) => {
      const ids = [...body.job_ids, ...(await jobsOfSources(body.source_ids))]
      const wish = { action: body.action, reason: body.reason, mode: body.mode }
      const results = await controlJobs(sql, ids, wish, clock.now())
      const succeeded = results.filter(({ result }) => result.ok).length
      return {
        succeeded,
        failed: results.length - succeeded,
        results: results.map(({ id, result }) => {
          if (result.ok) {
            const status = body.action === 'delete' ? null : result.job.status
            return { job_id: id, ok: true, status, error: null }
          }
          const { message, extra } = refusal(result, id)
          return {
            job_id: id,
            ok: false,
            status: result.reason === 'illegal' ? result.job.status : null,
            error: message,
            ...(Array.isArray(extra['allowed_actions']) && {
              allowed_actions: extra['allowed_actions'].map(String),
            }),
          }
        }),
      }
    },
  )

  async function jobsOfSources(sourceIds: string[]): Promise<string[]> {
    if (sourceIds.length === 0) return []
    const rows = await sql<{ id: string }[]>`
      select id from jobs where source_id = any (${sourceIds}::uuid[]) and auto_managed`
    return rows.map((row) => row.id)
  }
}
