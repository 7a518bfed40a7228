import type { Db } from '../db/pool.ts'
import { runStats, type RunStats } from '../runs/history.ts'

const hourMs = 3_600_000
const weekKeptMs = 60_000

export interface RunTrends {
  last7d: RunStats
  /** Items per hour over the last 24 hours, oldest first. */
  itemsByHour: number[]
}

/**
 * Reads how runs went over time. A week of runs is long to sum and changes slowly, so that part is kept for a minute:
 * every open dashboard asks every few seconds.
 */
export function createRunTrends(): (db: Db, now: Date) => Promise<RunTrends> {
  let week: { at: number; stats: Promise<RunStats> } | null = null
  return async (db, now) => {
    const age = week === null ? Number.POSITIVE_INFINITY : now.getTime() - week.at
    if (week === null || age < 0 || age > weekKeptMs) {
      const stats = runStats(db, new Date(now.getTime() - 7 * 24 * hourMs))
      week = { at: now.getTime(), stats }
      // A failure is told to who asked, and the next one asks again.
      stats.catch(() => (week = null))
    }
    const [last7d, itemsByHour] = await Promise.all([week.stats, sumByHour(db, now)])
    return { last7d, itemsByHour }
  }
}

async function sumByHour(db: Db, now: Date): Promise<number[]> {
  const since = new Date(now.getTime() - 24 * hourMs)
  const rows = await db<{ items: number }[]>`
    with finished as (
      select least(23, floor(extract(epoch from completed_at - ${since}) / 3600))::int as hour,
        sum(items_indexed) as items
      from runs
      where status in ('completed', 'failed', 'cancelled')
        and id >= uuid_floor(${since}) and completed_at >= ${since} and items_indexed > 0
      group by 1
    )
    select coalesce(f.items, 0)::int as items
    from generate_series(0, 23) as hour left join finished f using (hour) order by hour`
  return rows.map((row) => row.items)
}
