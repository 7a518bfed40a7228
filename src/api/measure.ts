import { counter, histogram, type Metrics } from '../kernel/metrics.ts'
import type { Api } from './context.ts'

/** Counts and times requests by route pattern, never by raw path, so that the number of series stays bounded. */
export function measureRequests(api: Api, metrics: Metrics): void {
  const seconds = histogram(
    metrics,
    'millrace_http_request_duration_seconds',
    'Time to answer an HTTP request',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ['method', 'route'],
  )
  const total = counter(metrics, 'millrace_http_requests_total', 'HTTP requests answered', [
    'method',
    'route',
    'status',
  ])
  api.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    seconds.observe({ method: request.method, route }, reply.elapsedTime / 1000)
    total.inc({ method: request.method, route, status: reply.statusCode })
    request.log.debug(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}
