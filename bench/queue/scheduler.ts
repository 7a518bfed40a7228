import type { Sql } from '../../src/db/pool.ts'
import { dispatchDue } from '../../src/flows/schedule-due.ts'

const jobs = 100_000
const due = 5_000

/** 100,000 jobs of which 5,000 are due at once: how long until all their runs exist, and in how many statements. */
export async function measureScheduler(sql: Sql): Promise<Record<string, Record<string, number>>> {
  await sql`set statement_timeout = 0`
  await sql`
    insert into jobs (id, source_id, source_name, url, host_key, status, interval_minutes, next_run_at, priority)
    select uuid_v7(), gen_random_uuid(), 'Source ' || n, 'https://s' || n || '.example/', 's' || n || '.example',
      'scheduled', 60, case when n <= ${due} then now() - interval '1 second' else now() + interval '1 hour' end,
      n % 101
    from generate_series(1, ${jobs}::int) n`
  await sql`analyze jobs`
  const began = performance.now()
  let runs = 0
  let statements = 0
  for (;;) {
    const dispatched = await dispatchDue(sql, new Date())
    statements++
    runs += dispatched.length
    if (runs >= due || dispatched.length === 0) break
  }
  const ms = Math.round(performance.now() - began)
  if (runs !== due) throw new Error(`${runs} runs for ${due} due jobs`)
  return { [`scheduler, ${due} of ${jobs} jobs due`]: { runs, statements, elapsed: ms } }
}
