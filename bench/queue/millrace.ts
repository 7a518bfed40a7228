import { connect } from '../../src/db/pool.ts'
import { migrate } from '../../src/db/migrate.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { startRunWorker } from '../../src/runs/worker.ts'
import { serve } from './contender.ts'

const sql = connect(process.argv[2] ?? '', { max: 10 })

serve({
  prepare: async () => {
    await migrate(sql)
  },
  enqueue: async (jobs, batch) => {
    for (let i = 0; i < jobs; i += batch) {
      await enqueueRuns(
        sql,
        Array.from({ length: Math.min(batch, jobs - i) }, (_, n) => ({ payload: { n: i + n } })),
      )
    }
  },
  enqueueOne: async (queuedAt) => {
    await enqueueRuns(sql, [{ payload: { queuedAt } }])
  },
  work: async (batch, onJob) => {
    const worker = startRunWorker({
      sql,
      concurrency: batch,
      instanceId: `bench-${process.pid}`,
      log: silentLog,
      retryDelay: () => null,
      execute: async (run) => {
        const queuedAt = run.payload['queuedAt']
        onJob(typeof queuedAt === 'number' ? queuedAt : null)
        return {}
      },
    })
    return () => worker.stop()
  },
  end: () => sql.end({ timeout: 1 }),
})
