import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stop, messageOf } from '../kernel/errors.ts'
import type { Metrics } from '../kernel/metrics.ts'

export interface MetricsPort {
  port: number
  close(): Promise<void>
}

/** `/metrics` and `/health` of a process without the API, on a port of their own and without a login. */
export async function openMetricsPort(
  metrics: Metrics,
  address: { port: number; host: string },
): Promise<MetricsPort> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (path === '/health') {
      response.setHeader('content-type', 'application/json').end('{"status":"ok"}')
      return
    }
    if (path !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.metrics().then(
      (text) => response.setHeader('content-type', metrics.contentType).end(text),
      () => response.writeHead(503).end(),
    )
  })
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  }).catch((error: unknown) => {
    throw new Stop(
      `Metrics cannot be served on ${address.host}:${address.port} (${messageOf(error)}). Check METRICS_PORT.`,
      { cause: error },
    )
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
