import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop, type Loop } from '../kernel/loop.ts'
import { patchSources } from '../sources/change.ts'

/** An outage of ours or theirs is over by then, and one bad run is no pattern. */
const leastFailures = 5
const mostAtOnce = 500

/** Sources that nobody can read any more stop costing runs; a person enables them again when they are mended. */
export function startAutoDisable(options: {
  sql: Sql
  clock: Clock
  log: Log
  afterDays: number
}): Loop {
  return startLoop({
    name: 'auto-disable',
    everyMs: 3_600_000,
    log: options.log,
    runOnce: async () => {
      const disabled = await disableHopeless(options.sql, options.afterDays, options.clock.now())
      if (disabled.length > 0) options.log.warn({ sources: disabled }, 'sources switched off')
    },
  })
}

/** Switches off what failed every time for so many days, with the reason and the event that pauses its job. */
export async function disableHopeless(sql: Sql, afterDays: number, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - afterDays * 86_400_000)
  const hopeless = await sql<{ id: string; failures: number; error: string | null }[]>`
    select s.id, j.failure_count as failures, j.last_error as error
    from sources s join jobs j on j.source_id = s.id and j.auto_managed
    where s.enabled and not s.auto_disabled and j.failure_count >= ${leastFailures}
      and coalesce(j.last_success_at, s.created_at) < ${since}
    order by s.id limit ${mostAtOnce}`
  if (hopeless.length === 0) return []
  const reasons = new Map(
    hopeless.map(({ id, failures, error }) => [
      id,
      `No run succeeded for ${afterDays} days, ${failures} failures in a row; last: ${error ?? 'unknown'}`,
    ]),
  )
  await patchSources(
    sql,
    hopeless.map(({ id }) => id),
    ({ id }) => {
      const reason = reasons.get(id) ?? null
      const auto = { auto_disabled: true, auto_disabled_reason: reason }
      return { enabled: false, disabled_reason: reason, ...auto }
    },
    { now, by: 'system', autoManage: true },
  )
  return hopeless.map(({ id }) => id)
}
