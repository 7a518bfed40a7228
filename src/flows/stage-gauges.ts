import { Counter, Gauge } from 'prom-client'
import type { Sql } from '../db/pool.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { stageNames, stageNumber } from '../stages/kinds.ts'
import { countEverything } from '../stages/sums.ts'

const ingested = 'pipeline_events_ingested_total'
const connections = 'pipeline_db_connections'

/**
 * What is counted in the database whenever somebody asks: our own stages record their events in the transactions of
 * their work, in any process, and only what was committed counts.
 */
export function registerStageGauges(metrics: Metrics, sql: Sql): () => void {
  const events: Counter = new Counter({
    name: ingested,
    help: 'Stage events stored by all processes, our own and reported ones',
    labelNames: ['stage'],
    registers: [metrics],
    collect: async () => {
      const counts = await countEverything(sql)
      events.reset()
      for (const stage of stageNames) events.inc({ stage }, counts.get(stageNumber(stage)) ?? 0)
    },
  })
  const pool: Gauge = new Gauge({
    name: connections,
    help: 'Connections to the database by what they do; waiting ones wait for a lock',
    labelNames: ['state'],
    registers: [metrics],
    collect: async () => {
      const found = await countConnections(sql)
      for (const state of ['active', 'idle', 'waiting'] as const) pool.set({ state }, found[state])
    },
  })
  return () => {
    for (const name of [ingested, connections]) metrics.removeSingleMetric(name)
  }
}

async function countConnections(
  sql: Sql,
): Promise<{ active: number; idle: number; waiting: number }> {
  const [row] = await sql<{ active: number; idle: number; waiting: number }[]>`
    select count(*) filter (where state <> 'idle' and wait_event_type is distinct from 'Lock')::int as active,
      count(*) filter (where state = 'idle')::int as idle,
      count(*) filter (where wait_event_type = 'Lock')::int as waiting
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`
  return row ?? { active: 0, idle: 0, waiting: 0 }
}
