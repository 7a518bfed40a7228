// graphile-worker with its local queue and batched completion, which is its fastest set-up.
import { serve } from './contender.ts'
import { createRequire } from 'node:module'

const require = createRequire(`${process.argv[3]}/package.json`)
const { makeWorkerUtils, run } = require('graphile-worker')
const connectionString = process.argv[2]
const preset = (batch) => ({
  worker: {
    connectionString,
    concurrentJobs: batch,
    maxPoolSize: 10,
    pollInterval: 1000,
    localQueue: { size: batch, refetchDelay: { durationMs: 0 } },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  },
})
const quiet = { error() {}, warn() {}, info() {}, debug() {} }
let utils = null
const ready = async () => (utils ??= await makeWorkerUtils({ connectionString }))

serve({
  prepare: async () => {
    await (await ready()).migrate()
  },
  enqueue: async (jobs, batch) => {
    const { addJobs } = await ready()
    for (let i = 0; i < jobs; i += batch) {
      const size = Math.min(batch, jobs - i)
      await addJobs(
        Array.from({ length: size }, (_, n) => ({ identifier: 'noop', payload: { n: i + n } })),
      )
    }
  },
  enqueueOne: async (queuedAt) => {
    await (await ready()).addJob('noop', { queuedAt })
  },
  work: async (batch, onJob) => {
    const { Logger } = require('graphile-worker')
    const runner = await run({
      preset: preset(batch),
      noHandleSignals: true,
      logger: new Logger(() => (level) => quiet[level]?.()),
      taskList: { noop: (payload) => onJob(payload.queuedAt ?? null) },
    })
    return () => runner.stop()
  },
  end: async () => {
    await utils?.release()
  },
})
