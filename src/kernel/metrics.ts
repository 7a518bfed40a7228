import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export type Metrics = Registry

/** One registry per program, so that tests can run several programs in one process. */
export function createMetrics(options: { process: boolean }): Metrics {
  const registry = new Registry()
  if (options.process) collectDefaultMetrics({ register: registry })
  return registry
}

export function counter<L extends string>(
  metrics: Metrics,
  name: string,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> {
  const existing = metrics.getSingleMetric(name)
  if (existing instanceof Counter) return existing
  return new Counter({ name, help, labelNames, registers: [metrics] })
}

export function gauge<L extends string>(
  metrics: Metrics,
  name: string,
  help: string,
  labelNames: readonly L[] = [],
): Gauge<L> {
  const existing = metrics.getSingleMetric(name)
  if (existing instanceof Gauge) return existing
  return new Gauge({ name, help, labelNames, registers: [metrics] })
}

export function histogram<L extends string>(
  metrics: Metrics,
  name: string,
  help: string,
  buckets: number[],
  labelNames: readonly L[] = [],
): Histogram<L> {
  const existing = metrics.getSingleMetric(name)
  if (existing instanceof Histogram) return existing
  return new Histogram({ name, help, buckets, labelNames, registers: [metrics] })
}
