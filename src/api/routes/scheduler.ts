import { z } from 'zod'
import { countStatuses } from '../../flows/job-stats.ts'
import {
  previewRebalance,
  readDistribution,
  rebalance,
  type Rebalance,
} from '../../flows/rebalance.ts'
import { schedulerCounts } from '../../flows/scheduler-counts.ts'
import { queueDepth, runStats } from '../../runs/history.ts'
import { listWorkers } from '../../runs/workers.ts'
import type { Api, ApiContext } from '../context.ts'

const tags = ['scheduler']

const rebalanceShape = z.object({
  moves: z.array(
    z.object({
      job_id: z.string(),
      source_name: z.string().nullable(),
      from: z.date(),
      to: z.date(),
      from_slot: z.number(),
      to_slot: z.number(),
    }),
  ),
  total_moves: z.number(),
  score_before: z.number(),
  score_after: z.number(),
  load_after: z.array(z.number()),
})

/** The scheduler as a whole: numbers, load over the day, and evening it out. */
export function schedulerRoutes(api: Api, { sql, clock }: ApiContext): void {
  const operator = { role: 'operator' as const }

  api.get(
    '/api/v1/scheduler/metrics',
    {
      schema: {
        summary: 'Jobs, executions, queue and workers in numbers',
        tags,
        response: {
          200: z.object({
            jobs: z.record(z.string(), z.number()),
            executions: z.object({
              total: z.number(),
              completed: z.number(),
              failed: z.number(),
              cancelled: z.number(),
              success_rate: z.number().nullable(),
              avg_duration_ms: z.number().nullable(),
            }),
            queue: z.object({
              pending: z.number(),
              running: z.number(),
              oldest_seconds: z.number().nullable(),
            }),
            workers: z.object({ alive: z.number(), slots: z.number() }),
            runs_dispatched: z.number(),
            stale_locks_cleared: z.number(),
          }),
        },
      },
    },
    async () => {
      const since = new Date(clock.now().getTime() - 24 * 3_600_000)
      const [jobs, executions, queue, workers, counts] = await Promise.all([
        countStatuses(sql),
        runStats(sql, since),
        queueDepth(sql),
        listWorkers(sql),
        schedulerCounts(sql),
      ])
      return {
        jobs: { total: Object.values(jobs).reduce((sum, n) => sum + n, 0), ...jobs },
        executions: {
          total: executions.total,
          completed: executions.completed,
          failed: executions.failed,
          cancelled: executions.cancelled,
          success_rate: executions.successRate,
          avg_duration_ms:
            executions.avgDurationSeconds === null ? null : executions.avgDurationSeconds * 1000,
        },
        queue: {
          pending: queue.pending,
          running: queue.running,
          oldest_seconds: queue.oldestSeconds,
        },
        workers: {
          alive: workers.length,
          slots: workers.reduce((sum, worker) => sum + worker.concurrency, 0),
        },
        runs_dispatched: counts.dispatched,
        stale_locks_cleared: counts.reaped,
      }
    },
  )

  api.get(
    '/api/v1/scheduler/distribution',
    {
      schema: {
        summary: 'Planned runs per quarter of an hour of the day (UTC), and how even they are',
        tags,
        response: {
          200: z.object({
            distribution_score: z.number(),
            total_runs_per_day: z.number(),
            slot_minutes: z.number(),
            slots: z.array(z.object({ slot: z.number(), time: z.string(), runs: z.number() })),
          }),
        },
      },
    },
    async () => {
      const { load, score } = await readDistribution(sql)
      return {
        distribution_score: score,
        total_runs_per_day: load.reduce((sum, runs) => sum + runs, 0),
        slot_minutes: 15,
        slots: load.map((runs, slot) => ({ slot, time: timeOf(slot), runs })),
      }
    },
  )

  api.post(
    '/api/v1/scheduler/rebalance/preview',
    {
      config: operator,
      schema: {
        summary: 'What a rebalance would move; nothing is changed',
        tags,
        response: { 200: rebalanceShape },
      },
    },
    async () => describe(await previewRebalance(sql, clock.now())),
  )

  api.post(
    '/api/v1/scheduler/rebalance',
    {
      config: operator,
      schema: {
        summary: 'Move jobs to even out the day',
        tags,
        response: { 200: rebalanceShape },
      },
    },
    async () => describe(await rebalance(sql, clock.now())),
  )
}

function describe(plan: Rebalance): z.infer<typeof rebalanceShape> {
  return {
    moves: plan.moves.map((move) => ({
      job_id: move.id,
      source_name: plan.names.get(move.id) ?? null,
      from: move.from,
      to: move.to,
      from_slot: move.fromSlot,
      to_slot: move.toSlot,
    })),
    total_moves: plan.moves.length,
    score_before: plan.scoreBefore,
    score_after: plan.scoreAfter,
    load_after: [...plan.loadAfter],
  }
}

function timeOf(slot: number): string {
  const minutes = slot * 15
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
