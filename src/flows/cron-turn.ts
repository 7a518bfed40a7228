import { Cron } from 'croner'
import type { Sql } from '../db/pool.ts'

/**
 * True once when the time of a crontab line (UTC) has come, however many ask. Whoever leads next knows from the database
 * what was done; the first start waits for the next turn.
 */
export async function takeTurn(sql: Sql, key: string, cron: string, now: Date): Promise<boolean> {
  const [state] = await sql<{ at: Date }[]>`
    insert into scheduler_state (key, value, updated_at) values (${key}, '{}', ${now})
    on conflict (key) do update set key = excluded.key
    returning updated_at as at`
  const due = new Cron(cron, { timezone: 'UTC' }).nextRun(state?.at ?? now)
  if (due === null || due > now || state === undefined) return false
  const won = await sql`
    update scheduler_state set updated_at = ${now}
    where key = ${key} and updated_at = ${state.at} returning 1`
  return won.length > 0
}
