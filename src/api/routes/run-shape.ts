import { z } from 'zod'
import { runStatuses, type Run } from '../../runs/types.ts'

export const progressShape = z.object({
  percent: z.number().nullable(),
  phase: z.string(),
  counters: z.record(z.string(), z.number()),
})

export const runShape = z.object({
  id: z.string(),
  job_id: z.string().nullable(),
  source_id: z.string().nullable(),
  round_id: z.string().nullable(),
  execution_number: z.number().nullable(),
  trigger: z.enum(['schedule', 'force', 'retry', 'round', 'one_off']),
  status: z.enum(runStatuses),
  priority: z.number(),
  url: z.string().nullable(),
  run_at: z.date(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  completed_at: z.date().nullable(),
  duration_ms: z.number().nullable(),
  duration_seconds: z.number().nullable(),
  worker_id: z.string().nullable(),
  progress_percentage: z.number().nullable(),
  progress: progressShape.nullable(),
  items_crawled: z.number().nullable(),
  items_indexed: z.number().nullable(),
  articles_count: z.number().nullable(),
  counters: z.record(z.string(), z.number()),
  error_message: z.string().nullable(),
  stack_trace: z.string().nullable(),
  cpu_time_ms: z.number().nullable(),
  memory_peak_mb: z.number().nullable(),
  retry_attempt: z.number(),
  max_retries: z.number(),
  attempts: z.array(
    z.object({
      attempt: z.number(),
      started_at: z.string().nullable(),
      ended_at: z.string(),
      worker_id: z.string().nullable(),
      reason: z.string(),
    }),
  ),
  log_lines: z.number(),
  log_dropped: z.number(),
  metadata: z.record(z.string(), z.unknown()),
})

export function describeRun(run: Run): z.infer<typeof runShape> {
  const url = run.payload['url']
  const durationMs =
    run.startedAt === null || run.completedAt === null
      ? null
      : run.completedAt.getTime() - run.startedAt.getTime()
  return {
    id: run.id,
    job_id: run.jobId,
    source_id: run.sourceId,
    round_id: run.roundId,
    execution_number: run.executionNumber,
    trigger: run.trigger,
    status: run.status,
    priority: run.priority,
    url: typeof url === 'string' ? url : null,
    run_at: run.runAt,
    created_at: run.createdAt,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    duration_ms: durationMs,
    duration_seconds: durationMs === null ? null : durationMs / 1000,
    worker_id: run.workerId,
    progress_percentage: run.status === 'completed' ? 100 : (run.progress?.percent ?? null),
    progress: run.progress,
    items_crawled: run.itemsCrawled,
    items_indexed: run.itemsIndexed,
    articles_count: run.itemsIndexed,
    counters: run.counters ?? {},
    error_message: run.errorMessage,
    stack_trace: run.stackTrace,
    cpu_time_ms: run.cpuTimeMs,
    memory_peak_mb: run.memoryPeakMb,
    retry_attempt: run.retryCount,
    max_retries: run.maxRetries,
    attempts: run.attempts ?? [],
    log_lines: run.logLines,
    log_dropped: run.logDropped,
    metadata: run.metadata ?? {},
  }
}
