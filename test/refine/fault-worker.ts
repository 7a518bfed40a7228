// One process of the fault test. It loads everything, says so, and waits for its orders: to refine until nothing is
// left and end (or to die at the first boundary nobody died at yet), or to run refinement as the program does.
import { writeSync } from 'node:fs'
import { connect } from '../../src/db/pool.ts'
import { startDeadLetterRetries } from '../../src/flows/refine/retry-dead-letters.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { boundaries, refineEverything } from './fault-steps.ts'

export interface Orders {
  url: string
  helpersUrl: string
  helperTimeoutMs?: number
  batchSize: number
  /** How much later than now it is. */
  laterMs: number
  /** Boundaries that were died at; null: do not die. */
  died?: string[] | null
  serve?: boolean
}

process.once('message', (orders: Orders) => {
  process.disconnect()
  void (orders.serve === true ? serve(orders) : refine(orders))
})
process.send?.('ready')

const clockOf = ({ laterMs }: Orders) => ({ now: () => new Date(Date.now() + laterMs) })

async function refine(orders: Orders): Promise<void> {
  const { url, died = null } = orders
  const sql = connect(url, { max: 4 })
  await refineEverything({
    ...orders,
    sql,
    clock: clockOf(orders),
    log: silentLog,
    metrics: createMetrics({ process: false }),
    at: (boundary) => {
      if (!boundaries.includes(boundary) || died === null || died.includes(boundary)) return
      writeSync(1, boundary)
      process.kill(process.pid, 'SIGKILL')
    },
  })
  await sql.end()
}

async function serve(orders: Orders): Promise<void> {
  const { startRefinement } = await import('../../src/flows/refine/start.ts')
  const { helperClients } = await import('./helpers-server.ts')
  const deps = { sql: connect(orders.url, { max: 8 }), clock: clockOf(orders), log: silentLog }
  await startRefinement({
    ...deps,
    ...helperClients(orders.helpersUrl, orders.helperTimeoutMs ?? 10_000),
    metrics: createMetrics({ process: false }),
    batchSize: orders.batchSize,
    embeddings: true,
    aiBudgetPerDay: 10_000,
    geocoderMinDelayMs: 0,
  })
  startDeadLetterRetries(deps)
}
