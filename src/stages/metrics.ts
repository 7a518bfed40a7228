import { counter, gauge, histogram, type Metrics } from '../kernel/metrics.ts'

const seconds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Names as the specification gives them, so that existing dashboards and alerts fit. */
export function stageMetrics(metrics: Metrics) {
  return {
    duplicated: counter(metrics, 'pipeline_events_duplicated_total', 'Stage events already known'),
    rejected: counter(metrics, 'pipeline_events_rejected_total', 'Stage events refused', [
      'reason',
    ]),
    ingestSeconds: histogram(
      metrics,
      'pipeline_ingest_duration_seconds',
      'Time to store the stage events of a request',
      seconds,
    ),
    querySeconds: histogram(
      metrics,
      'pipeline_query_duration_seconds',
      'Time to answer a question about stage events',
      seconds,
      ['endpoint'],
    ),
    rows: gauge(metrics, 'pipeline_events_row_count', 'About how many rows a month holds', [
      'partition',
    ]),
    alerts: gauge(metrics, 'pipeline_open_alerts', 'Open alerts about the flow of stage events', [
      'kind',
      'stage',
    ]),
  }
}

export type StageMetrics = ReturnType<typeof stageMetrics>
