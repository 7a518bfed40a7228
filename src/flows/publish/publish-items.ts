import {
  claimQueued,
  dropQueued,
  postponeQueued,
  publishQueueChannel,
  type QueuedItem,
} from '../../publish/queue.ts'
import { recordStage } from '../../stages/record.ts'
import { failureOf, type Stage } from '../refine/stage.ts'
import { createCompiler } from './compiled.ts'
import { publishBatch } from './publish-batch.ts'

export const publishStageName = 'publish'

/** publish_queue ▶ classify ▶ route ▶ outbox, in one transaction per batch. */
export function publishStage(options: { batchSize?: number } = {}): Stage<QueuedItem> {
  const compile = createCompiler()
  return {
    name: publishStageName,
    channel: publishQueueChannel,
    batchSize: options.batchSize ?? 500,
    claim: claimQueued,
    work: async (tx, rows, now) => {
      const compiled = await compile(tx)
      const ids = rows.map((row) => row.id)
      const result = await publishBatch(tx, ids, {
        compiled,
        now,
        reclassify: false,
        recordStage,
      })
      const failed = new Map(result.failures.map((one) => [one.itemId, one.error]))
      await dropQueued(
        tx,
        rows.filter((row) => !failed.has(row.id)).map((row) => row.id),
      )
      return {
        failures: rows
          .filter((row) => failed.has(row.id))
          .map((row) => ({ ...failureOf(failed.get(row.id)), id: row.id })),
        counts: {
          classified: result.classified,
          routed: result.routed,
          gone: result.gone,
        },
      }
    },
    postpone: postponeQueued,
    bury: (tx, rows) =>
      dropQueued(
        tx,
        rows.map((row) => row.id),
      ),
    letter: (row, failure) => ({
      stage: publishStageName,
      subject: row.id,
      jobId: null,
      sourceId: null,
      errorType: failure.reason,
      errorMessage: failure.message,
      errorStack: failure.stack ?? null,
      payload: { item_id: row.id, kind: row.kind },
    }),
  }
}
