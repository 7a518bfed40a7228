// pg-boss, asked for batches directly, which is faster than its polling workers.
import { serve } from './contender.ts'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(`${process.argv[3]}/package.json`)
const { PgBoss } = await import(pathToFileURL(require.resolve('pg-boss')).href)
const boss = new PgBoss({
  connectionString: process.argv[2],
  max: 10,
  supervise: false,
  schedule: false,
})
boss.on('error', () => {})
let started = null
const ready = () => (started ??= boss.start())
const queue = 'noop'

serve({
  prepare: async () => {
    await ready()
    await boss.createQueue(queue)
  },
  enqueue: async (jobs, batch) => {
    await ready()
    for (let i = 0; i < jobs; i += batch) {
      const size = Math.min(batch, jobs - i)
      await boss.insert(
        queue,
        Array.from({ length: size }, (_, n) => ({ data: { n: i + n } })),
      )
    }
  },
  enqueueOne: async (queuedAt) => {
    await ready()
    await boss.send(queue, { queuedAt })
  },
  work: async (batch, onJob) => {
    await ready()
    const stopping = new AbortController()
    const loop = (async () => {
      while (!stopping.signal.aborted) {
        const jobs = await boss.fetch(queue, { batchSize: batch })
        if (jobs.length === 0) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          continue
        }
        for (const job of jobs) onJob(job.data?.queuedAt ?? null)
        await boss.complete(
          queue,
          jobs.map((job) => job.id),
        )
      }
    })()
    return async () => {
      stopping.abort()
      await loop
    }
  },
  end: () => boss.stop({ graceful: false }),
})
