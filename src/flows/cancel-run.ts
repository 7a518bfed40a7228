import { transaction, type Sql } from '../db/pool.ts'
import { cancelRuns } from '../runs/cancel.ts'
import { settleRuns } from './settle-runs.ts'

/** Ends one run; its job goes on as after any other end. False when it had ended before. */
export async function cancelRun(sql: Sql, id: string, reason: string, now: Date): Promise<boolean> {
  return await transaction(sql, async (tx) => {
    const ended = await cancelRuns(tx, [id], reason)
    await settleRuns(tx, ended, now)
    return ended.length > 0
  })
}
