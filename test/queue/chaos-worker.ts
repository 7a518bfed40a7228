// One process of the chaos test: the reaper, or a worker whose runs have three steps that are done once, wherever
// the run continues.
import { connect, transaction } from '../../src/db/pool.ts'
import { startExecutingRuns } from '../../src/flows/execute-runs.ts'
import { startReaper } from '../../src/flows/reap.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { LeaseLost, holdLeases } from '../../src/runs/fence.ts'

const [url = '', name = '', leaseMs = '4000', stepMs = '60'] = process.argv.slice(2)
const sql = connect(url, { max: 6, applicationName: name })

if (name === 'reaper') startReaper({ sql, clock: systemClock, log: silentLog, everyMs: 500 })
else
  startExecutingRuns({
    sql,
    clock: systemClock,
    log: silentLog,
    instanceId: name,
    concurrency: 4,
    leaseMs: Number(leaseMs),
    execute: async (run) => {
      const done = await sql<{ step: number }[]>`
      select step from chaos_steps where run_id = ${run.id}`
      for (const step of [1, 2, 3].filter((n) => !done.some((row) => row.step === n))) {
        await new Promise((resolve) => setTimeout(resolve, Number(stepMs)))
        // Deliberately deaf to its signal: only the fence stands between a late worker and the data.
        try {
          await transaction(sql, async (tx) => {
            if (!(await holdLeases(tx, [run])).has(run.id)) throw new LeaseLost(run.id)
            await tx`insert into chaos_steps (run_id, step, worker) values (${run.id}, ${step}, ${name})`
          })
        } catch (error) {
          if (error instanceof LeaseLost) {
            await sql`insert into chaos_refusals (run_id, worker) values (${run.id}, ${name})`
          }
          throw error
        }
      }
      return { itemsIndexed: 3 }
    },
  })

console.log('ready')
