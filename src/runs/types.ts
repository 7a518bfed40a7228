import type { Db } from '../db/pool.ts'

export const runStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof runStatuses)[number]
export type RunTrigger = 'schedule' | 'force' | 'retry' | 'round' | 'one_off'
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export interface RunProgress {
  /** 0 to 100, or null while the amount of work is unknown. */
  percent: number | null
  phase: string
  counters: Record<string, number>
}

export interface Attempt {
  attempt: number
  started_at: string
  ended_at: string
  worker_id: string | null
  reason: string
}

export interface Run {
  id: string
  jobId: string | null
  sourceId: string | null
  roundId: string | null
  requestedBy: string | null
  hostKey: string
  trigger: RunTrigger
  status: RunStatus
  priority: number
  payload: JsonObject
  retryCount: number
  maxRetries: number
  retryBackoffSeconds: number
  executionNumber: number | null
  runAt: Date
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
  workerId: string | null
  leaseToken: string | null
  progress: RunProgress | null
  itemsCrawled: number | null
  itemsIndexed: number | null
  counters: Record<string, number> | null
  errorMessage: string | null
  stackTrace: string | null
  cpuTimeMs: number | null
  memoryPeakMb: number | null
  contentHash: string | null
  attempts: Attempt[] | null
  logLines: number
  logDropped: number
  metadata: JsonObject | null
}

/** A run in the hands of this worker: what it needs to know, and no more, because it is read for every claim. */
export interface ClaimedRun extends Pick<
  Run,
  | 'id'
  | 'jobId'
  | 'sourceId'
  | 'roundId'
  | 'requestedBy'
  | 'hostKey'
  | 'trigger'
  | 'payload'
  | 'retryCount'
  | 'maxRetries'
  | 'retryBackoffSeconds'
  | 'executionNumber'
  | 'progress'
  | 'metadata'
  | 'attempts'
  | 'createdAt'
> {
  leaseToken: string
}

/** What an execution reports when it succeeds; everything is optional. */
export interface RunResult {
  itemsCrawled?: number
  itemsIndexed?: number
  /** Items seen and how many were new decide how soon the source is looked at again. */
  itemsSeen?: number
  itemsNew?: number
  counters?: Record<string, number>
  contentHash?: string
  metadata?: JsonObject
}

/** How one attempt ended, as written to the database. */
export interface Outcome {
  id: string
  token: string
  status: 'completed' | 'failed' | 'pending'
  /** For `pending`: not before this moment; null keeps its place in the queue. */
  run_at?: string
  /** Retries this attempt used up: 0 when it was handed back. */
  retries?: number
  items_crawled?: number
  items_indexed?: number
  counters?: Record<string, number>
  error_message?: string
  stack_trace?: string
  cpu_time_ms?: number
  memory_peak_mb?: number
  content_hash?: string
  /** Kept in the list of attempts when the attempt did not complete. */
  reason?: string
  metadata?: JsonObject
}

/** The row of a run, with our names. */
export function runColumns(db: Db) {
  return db`
    id, job_id as "jobId", source_id as "sourceId", round_id as "roundId", requested_by as "requestedBy",
    host_key as "hostKey", trigger, status, priority, payload, retry_count as "retryCount",
    max_retries as "maxRetries", retry_backoff_seconds as "retryBackoffSeconds",
    execution_number as "executionNumber", run_at as "runAt", created_at as "createdAt",
    started_at as "startedAt", completed_at as "completedAt", worker_id as "workerId",
    lease_token as "leaseToken", progress, items_crawled as "itemsCrawled", items_indexed as "itemsIndexed",
    counters, error_message as "errorMessage", stack_trace as "stackTrace", cpu_time_ms as "cpuTimeMs",
    memory_peak_mb as "memoryPeakMb", content_hash as "contentHash", attempts, log_lines as "logLines",
    log_dropped as "logDropped", metadata`
}

export function claimColumns(db: Db) {
  return db`
    id, job_id as "jobId", source_id as "sourceId", round_id as "roundId", requested_by as "requestedBy",
    host_key as "hostKey", trigger, payload, retry_count as "retryCount", max_retries as "maxRetries",
    retry_backoff_seconds as "retryBackoffSeconds", execution_number as "executionNumber", progress, metadata,
    attempts, created_at as "createdAt", lease_token as "leaseToken"`
}
