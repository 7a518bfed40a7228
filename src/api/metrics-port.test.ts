import { expect, test } from 'vitest'
import { Stop } from '../kernel/errors.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { openMetricsPort } from './metrics-port.ts'

test('a process without the API shows its metrics on a port of its own, and says when that is taken', async () => {
  const metrics = createMetrics({ process: true })
  const host = '127.0.0.1'
  const open = await openMetricsPort(metrics, { port: 0, host })
  try {
    const answer = await fetch(`http://${host}:${open.port}/metrics`)
    expect(await answer.text()).toContain('process_cpu_seconds_total')
    expect((await fetch(`http://${host}:${open.port}/health`)).status).toBe(200)
    expect((await fetch(`http://${host}:${open.port}/api/v1/sources`)).status).toBe(404)
    const second = openMetricsPort(metrics, { port: open.port, host })
    await expect(second).rejects.toThrow(Stop)
    await expect(second).rejects.toThrow('METRICS_PORT')
  } finally {
    await open.close()
  }
})
