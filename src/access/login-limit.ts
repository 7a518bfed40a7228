import type { Db } from '../db/pool.ts'

const allowedFailures = 5
const firstLockSeconds = 30
const longestLockSeconds = 3600
const forgetAfterMinutes = 60

/** Seconds until the subject (an email or an address) may try again; 0 when it may now. */
export async function lockedForSeconds(db: Db, subjects: string[]): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select coalesce(max(ceil(extract(epoch from locked_until - now()))), 0)::int as seconds
    from login_failures where subject = any(${subjects}) and locked_until > now()`
  return row?.seconds ?? 0
}

/** After the allowed failures each further one doubles the lock. Counted in the database: restarts do not reset it. */
export async function recordLoginFailure(db: Db, subjects: string[]): Promise<void> {
  await db`
    insert into login_failures as f (subject, failures, last_failed_at)
    select subject, 1, now() from unnest(${subjects}::text[]) as subject
    on conflict (subject) do update set
      failures = case when f.last_failed_at < now() - ${forgetAfterMinutes} * interval '1 minute' then 1 else f.failures + 1 end,
      last_failed_at = now(),
      locked_until = case when f.failures + 1 >= ${allowedFailures} then
        now() + least(${firstLockSeconds} * power(2, least(f.failures + 1 - ${allowedFailures}, 20)), ${longestLockSeconds}) * interval '1 second'
      end`
}

export async function clearLoginFailures(db: Db, subjects: string[]): Promise<void> {
  await db`delete from login_failures where subject = any(${subjects})`
}
