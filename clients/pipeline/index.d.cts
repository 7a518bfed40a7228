export type Stage = 'crawled' | 'indexed' | 'classified' | 'routed' | 'published'

export interface PipelineEvent {
  articleUrl: string
  sourceName: string
  stage: Stage
  /** Now, unless given. Always sent in UTC. */
  occurredAt?: Date | string
  /** That of the client, unless given. */
  serviceName?: string
  metadata?: Record<string, unknown>
  idempotencyKey?: string
}

/** The same event in the spelling of the HTTP contract. */
export interface WireEvent {
  article_url: string
  source_name: string
  stage: Stage
  occurred_at?: Date | string
  service_name?: string
  metadata?: Record<string, unknown>
  idempotency_key?: string | null
}

export type EmitResult =
  | { ok: true; skipped: true }
  | { ok: true; status: number; body: unknown; skipped?: undefined }
  | { ok: false; error: Error }

export type CircuitState = 'closed' | 'open' | 'half_open'

/** Hooks for pipeline_emit_total, pipeline_emit_duration_seconds and pipeline_circuit_state. */
export interface PipelineMetrics {
  emitted?(labels: { status: 'success' | 'error' | 'dropped'; stage: Stage }): void
  duration?(seconds: number): void
  circuit?(labels: { state: CircuitState; target: string }): void
}

export interface PipelineClientOptions {
  /** PIPELINE_SERVICE_URL unless given. Without either, every call does nothing. */
  url?: string
  serviceName: string
  /** A key with the scope stage_events:write. */
  apiKey?: string
  token?: string
  timeoutMs?: number
  /** Events under way at once; more are dropped and reported. */
  maxBuffered?: number
  batchSize?: number
  /** Pause between the batches of emitMany. */
  batchDelayMs?: number
  breaker?: { failures?: number; cooldownMs?: number; successes?: number }
  log?: { warn(fields: Record<string, unknown>, message: string): void }
  metrics?: PipelineMetrics
  fetch?: typeof globalThis.fetch
  now?: () => number
}

export interface PipelineClient {
  /** Sends one event. No need to wait for it: it never throws and never takes longer than the timeout. */
  emit(event: PipelineEvent | WireEvent): Promise<EmitResult>
  /** Sends all events in one request. */
  emitBatch(events: readonly (PipelineEvent | WireEvent)[]): Promise<EmitResult>
  /** Sends any number of events, a batch at a time with a pause in between: for reclassifications and backfills. */
  emitMany(events: Iterable<PipelineEvent | WireEvent>): Promise<EmitResult[]>
  /** Waits for what is under way; for the end of a program. */
  flush(): Promise<void>
  /** For the /health of the service. */
  health(): { enabled: boolean; target_url: string; circuit: CircuitState; buffered: number }
}

export function createPipelineClient(options: PipelineClientOptions): PipelineClient

export function idempotencyKey(
  event: WireEvent & { service_name: string; occurred_at: string },
): string
