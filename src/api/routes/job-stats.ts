import { z } from 'zod'
import { countStatuses, jobDetail, jobsOverview } from '../../flows/job-stats.ts'
import { healthOf } from '../../jobs/store.ts'
import { countSourceStates, sourceStates } from '../../flows/list-sources.ts'
import { createRunTrends } from '../../flows/run-trends.ts'
import { findJobBySource, getJob } from '../../jobs/store.ts'
import { jobStatuses } from '../../jobs/transition.ts'
import type { RunStats } from '../../runs/history.ts'
import type { Run } from '../../runs/types.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound } from '../problem.ts'
import { describeJob, jobShape } from './job-shape.ts'

const tags = ['job statistics']
const statusCounts = z.record(z.enum(jobStatuses), z.number())

const totalsShape = z.object({
  total_runs: z.number(),
  successful_runs: z.number(),
  failed_runs: z.number(),
  articles_extracted: z.number(),
  success_rate: z.number(),
})

const healthShape = z.object({
  status: z.enum(['healthy', 'warning', 'failed']),
  last_run_at: z.date().nullable(),
  last_run_status: z.string().nullable(),
  last_24h_runs: z.number(),
  last_24h_failures: z.number(),
  last_24h_articles: z.number(),
  success_rate: z.number(),
  avg_duration_seconds: z.number(),
})

const recentShape = z.object({
  id: z.string(),
  started_at: z.date().nullable(),
  completed_at: z.date().nullable(),
  status: z.string(),
  articles_count: z.number(),
  duration_seconds: z.number().nullable(),
  error_message: z.string().nullable(),
})

/** Numbers about jobs; the response formats are those of the specification. */
export function jobStatsRoutes(api: Api, { sql, clock }: ApiContext): void {
  const readTrends = createRunTrends()

  api.get(
    '/api/v1/jobs/stats',
    {
      schema: {
        summary: 'Jobs, health and throughput at a glance',
        tags,
        response: {
          200: z.object({
            total_sources: z.number(),
            total_jobs: z.number(),
            jobs_by_status: statusCounts,
            health: z.object({ healthy: z.number(), warning: z.number(), failed: z.number() }),
            sources_by_status: z.record(z.enum(sourceStates), z.number()),
            last_24h: totalsShape,
            last_7d: totalsShape,
            throughput: z.object({
              articles_per_hour: z.number(),
              runs_per_hour: z.number(),
              by_hour: z.array(z.number()),
            }),
          }),
        },
      },
    },
    async () => {
      const now = clock.now()
      const [overview, sourcesByStatus, trends] = await Promise.all([
        jobsOverview(sql, now),
        countSourceStates(sql),
        readTrends(sql, now),
      ])
      const { last24h } = overview
      return {
        total_sources: overview.totalSources,
        total_jobs: overview.totalJobs,
        jobs_by_status: overview.byStatus,
        health: overview.health,
        sources_by_status: sourcesByStatus,
        last_24h: describeTotals(last24h),
        last_7d: describeTotals(trends.last7d),
        throughput: {
          articles_per_hour: Math.round(last24h.items / 24),
          runs_per_hour: Math.round(last24h.total / 24),
          by_hour: trends.itemsByHour,
        },
      }
    },
  )

  api.get(
    '/api/v1/jobs/status-counts',
    {
      schema: { summary: 'How many jobs are in each state', tags, response: { 200: statusCounts } },
    },
    () => countStatuses(sql),
  )

  api.get(
    '/api/v1/jobs/by-source/:source_id',
    {
      schema: {
        summary: 'The job of a source with its health and recent executions',
        tags,
        params: z.object({ source_id: z.uuid() }),
        response: {
          200: z.object({
            job: jobShape,
            health: healthShape,
            recent_executions: z.array(recentShape),
          }),
        },
      },
    },
    async ({ params }) => {
      const job = await findJobBySource(sql, params.source_id)
      if (job === null) throw notFound('job of source', params.source_id)
      const now = clock.now()
      const { stats, recent } = await jobDetail(sql, job, now)
      return {
        job: describeJob(job, now),
        health: {
          status: healthOf(job),
          last_run_at: job.lastRunAt,
          last_run_status: job.lastRunStatus === null ? null : spoken(job.lastRunStatus),
          last_24h_runs: stats.total,
          last_24h_failures: stats.failed,
          last_24h_articles: stats.items,
          success_rate: rounded(stats.successRate ?? 1),
          avg_duration_seconds: rounded(stats.avgDurationSeconds ?? 0),
        },
        recent_executions: recent.map(describeRecent),
      }
    },
  )

  api.get(
    '/api/v1/jobs/:id/stats',
    {
      schema: {
        summary: 'How the executions of a job went in the last 24 hours and since it exists',
        tags,
        params: z.object({ id: z.uuid() }),
        response: {
          200: z.object({
            job_id: z.string(),
            total_executions: z.number(),
            successful_executions: z.number(),
            consecutive_failures: z.number(),
            items_total: z.number(),
            last_24h: z.object({
              total_runs: z.number(),
              successful_runs: z.number(),
              failed_runs: z.number(),
              cancelled_runs: z.number(),
              items_indexed: z.number(),
              success_rate: z.number().nullable(),
              avg_duration_seconds: z.number().nullable(),
              max_duration_seconds: z.number().nullable(),
            }),
          }),
        },
      },
    },
    async ({ params }) => {
      const job = await getJob(sql, params.id)
      if (job === null) throw notFound('job', params.id)
      const { stats } = await jobDetail(sql, job, clock.now())
      return {
        job_id: job.id,
        total_executions: job.executionCount,
        successful_executions: job.successCount,
        consecutive_failures: job.failureCount,
        items_total: job.itemsTotal,
        last_24h: {
          total_runs: stats.total,
          successful_runs: stats.completed,
          failed_runs: stats.failed,
          cancelled_runs: stats.cancelled,
          items_indexed: stats.items,
          success_rate: stats.successRate,
          avg_duration_seconds: stats.avgDurationSeconds,
          max_duration_seconds: stats.maxDurationSeconds,
        },
      }
    },
  )
}

function describeTotals(stats: RunStats): z.infer<typeof totalsShape> {
  return {
    total_runs: stats.total,
    successful_runs: stats.completed,
    failed_runs: stats.failed,
    articles_extracted: stats.items,
    success_rate: rounded(stats.successRate ?? 1),
  }
}

function describeRecent(run: Run): z.infer<typeof recentShape> {
  const seconds =
    run.startedAt === null || run.completedAt === null
      ? null
      : (run.completedAt.getTime() - run.startedAt.getTime()) / 1000
  return {
    id: run.id,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    status: spoken(run.status),
    articles_count: run.itemsIndexed ?? 0,
    duration_seconds: seconds,
    error_message: run.errorMessage,
  }
}

/** These two answers say success where a run says completed. */
function spoken(status: string): string {
  return status === 'completed' ? 'success' : status
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
