import { Gauge } from 'prom-client'
import type { Sql } from '../db/pool.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { countUnprocessed } from '../lifecycle/store.ts'
import { jobStatuses } from '../jobs/transition.ts'

/** How things stand, counted in the database whenever somebody asks: right in every process, whoever did the work. */
export function registerLifecycleGauges(metrics: Metrics, sql: Sql): () => void {
  const names: string[] = []
  const counted = (
    name: string,
    help: string,
    labelNames: string[],
    fill: (gauge: Gauge) => Promise<void>,
  ): void => {
    names.push(name)
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [metrics],
      collect: () => fill(gauge),
    })
  }

  counted(
    'crawler_jobs_by_status',
    'Current number of jobs by status',
    ['status'],
    async (gauge) => {
      const rows = await sql<{ status: string; count: number }[]>`
        select status, count(*)::int as count from jobs group by status`
      for (const status of jobStatuses) gauge.set({ status }, 0)
      for (const { status, count } of rows) gauge.set({ status }, count)
    },
  )
  counted(
    'crawler_jobs_by_priority',
    'Current number of jobs by priority; 100 is critical, 25 is low',
    ['priority'],
    async (gauge) => {
      const rows = await sql<{ priority: number; count: number }[]>`
        select priority, count(*)::int as count from jobs group by priority`
      gauge.reset()
      for (const { priority, count } of rows) gauge.set({ priority: String(priority) }, count)
    },
  )
  counted(
    'crawler_consumer_lag_messages',
    'Source events waiting to take effect',
    [],
    async (gauge) => gauge.set(await countUnprocessed(sql)),
  )
  counted(
    'crawler_events_quarantined',
    'Source events that wait for a person',
    [],
    async (gauge) => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from source_event_quarantine where resolved_at is null`
      gauge.set(row?.count ?? 0)
    },
  )
  return () => {
    for (const name of names) metrics.removeSingleMetric(name)
  }
}
