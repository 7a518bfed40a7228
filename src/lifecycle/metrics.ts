import { counter, gauge, histogram, type Metrics } from '../kernel/metrics.ts'

/** Names as the specification gives them, so that existing dashboards and alerts fit. */
export function lifecycleMetrics(metrics: Metrics) {
  return {
    received: counter(metrics, 'crawler_events_received_total', 'Source events received', [
      'event_type',
    ]),
    processed: counter(
      metrics,
      'crawler_events_processed_total',
      'Source events processed, by result',
      ['event_type', 'result'],
    ),
    seconds: histogram(
      metrics,
      'crawler_event_processing_duration_seconds',
      'Time to process a source event',
      [0.01, 0.05, 0.1, 0.5, 1, 5],
      ['event_type'],
    ),
    redisOpen: gauge(
      metrics,
      'crawler_redis_breaker_open',
      '1 while Redis counts as away and the outbox delivers alone',
      ['link'],
    ),
    jobsCreated: counter(metrics, 'crawler_jobs_created_total', 'Auto-managed jobs created'),
    jobsUpdated: counter(metrics, 'crawler_jobs_updated_total', 'Auto-managed jobs updated'),
  }
}

export type LifecycleMetrics = ReturnType<typeof lifecycleMetrics>
