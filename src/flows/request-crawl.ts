import { transaction, type Sql } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import { enqueueRuns } from '../runs/enqueue.ts'
import type { JsonObject } from '../runs/types.ts'

export interface CrawlQuota {
  /** Crawls of one caller that may wait or run at once. */
  active: number
  /** Crawls one caller may ask for in a day (UTC). */
  perDay: number
}

export interface CrawlRequest {
  url: string
  hostKey: string
  sourceId: string | null
  priority: number
  settings: JsonObject
  /** Whose quota counts; null for callers without one. */
  requestedBy: string | null
}

export type CrawlAnswer =
  | { ok: true; id: string; active: number; today: number }
  | { ok: false; reason: 'active' | 'per_day'; limit: number; retryAfterSeconds: number }

/** Queues one crawl within the caller's quota. Two requests of one caller at once take turns. */
export async function requestCrawl(
  sql: Sql,
  request: CrawlRequest,
  now: Date,
  quota: CrawlQuota,
): Promise<CrawlAnswer> {
  return await transaction(sql, async (tx) => {
    let used = { active: 0, today: 0 }
    if (request.requestedBy !== null) {
      await tx`select pg_advisory_xact_lock(hashtextextended(${request.requestedBy}, 1))`
      const [row] = await tx<{ active: number; today: number }[]>`
        select (count(*) filter (where status in ('pending', 'running')))::int as active,
          (count(*) filter (where id >= uuid_floor(${midnight(now)})))::int as today
        from runs where requested_by = ${request.requestedBy}`
      used = row ?? used
      if (used.active >= quota.active) {
        return { ok: false, reason: 'active', limit: quota.active, retryAfterSeconds: 30 }
      }
      if (used.today >= quota.perDay) {
        const retryAfterSeconds = Math.ceil(
          (midnight(now).getTime() + 24 * 3_600_000 - now.getTime()) / 1000,
        )
        return { ok: false, reason: 'per_day', limit: quota.perDay, retryAfterSeconds }
      }
    }
    const id = newId(now.getTime())
    await enqueueRuns(tx, [
      {
        id,
        trigger: 'one_off',
        sourceId: request.sourceId,
        hostKey: request.hostKey,
        priority: request.priority,
        requestedBy: request.requestedBy,
        payload: { ...request.settings, url: request.url },
      },
    ])
    return { ok: true, id, active: used.active + 1, today: used.today + 1 }
  })
}

function midnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
}
