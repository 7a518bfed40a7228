import type { Sql } from '../../src/db/pool.ts'
import type { Name } from './run.ts'

/** Rows that still wait or are worked on. */
export async function remaining(name: Name, sql: Sql): Promise<number> {
  const queries: Record<Name, () => Promise<{ n: number }[]>> = {
    millrace: () => sql`
      select ((select count(*) from runs where status = 'pending')
        + (select count(*) from runs where status = 'running'))::int as n`,
    'graphile-worker': () => sql`select count(*)::int as n from graphile_worker._private_jobs`,
    'pg-boss': () =>
      sql`select count(*)::int as n from pgboss.job where state < 'completed' and name = 'noop'`,
    bare: () => sql`select count(*)::int as n from jobs where status <> 'completed'`,
  }
  const [row] = await queries[name]()
  return row?.n ?? 0
}

/** A long history: rows as each leaves them behind. graphile-worker deletes finished jobs, so it has none. */
export async function finishedRows(name: Name, sql: Sql, count: number): Promise<void> {
  const inserts: Record<Name, () => Promise<unknown>> = {
    millrace: () => sql`
      insert into runs (id, status, run_at, rank_at, started_at, completed_at, payload)
      select uuid_v7(now() - n * interval '1 second'), 'completed', now(), now(), now(), now(), '{"n": 1}'
      from generate_series(1, ${count}::int) n`,
    'graphile-worker': () => sql`select 1`,
    'pg-boss': () => sql`
      insert into pgboss.job (name, data, state, started_on, completed_on)
      select 'noop', '{"n": 1}', 'completed', now(), now() from generate_series(1, ${count}::int)`,
    bare: () => sql`
      insert into jobs (payload, status) select '{"n": 1}', 'completed' from generate_series(1, ${count}::int)`,
  }
  await sql`set statement_timeout = 0`
  await inserts[name]()
  // A history at rest: what autovacuum would do soon for each of them, in the middle of somebody's turn.
  await sql`vacuum (analyze)`
}
