import type { Db } from '../db/pool.ts'

export interface Round {
  id: string
  trigger: 'api' | 'cron'
  requestedBy: string | null
  filter: Record<string, unknown>
  skipped: Record<string, number>
  sources: number
  createdAt: Date
  completedAt: Date | null
}

/** Fills as runs finish; final when the round is completed. */
export interface RoundSummary {
  processed: number
  waiting: number
  running: number
  inserted: number
  updated: number
  skipped: number
  errors: number
  breakersTripped: string[]
  deadLetters: number
}

/** A round ends with its last run. */
export async function closeRounds(db: Db, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await db`
    update rounds set completed_at = ${now}
    where id = any (${[...ids]}::uuid[]) and completed_at is null
      and not exists (
        select 1 from runs r where r.round_id = rounds.id and r.status in ('pending', 'running'))`
}

export async function listRounds(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ rounds: Round[]; total: number }> {
  const [rounds, counted] = await Promise.all([
    db<Round[]>`
      select ${roundColumns(db)} from rounds order by id desc limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from rounds`,
  ])
  return { rounds, total: counted[0]?.total ?? 0 }
}

export async function getRound(db: Db, id: string): Promise<Round | null> {
  const [round] = await db<Round[]>`select ${roundColumns(db)} from rounds where id = ${id}`
  return round ?? null
}

export async function summarizeRound(db: Db, id: string): Promise<RoundSummary> {
  const [row] = await db<RoundSummary[]>`
    select
      count(*) filter (where r.status in ('completed', 'failed', 'cancelled'))::int as processed,
      count(*) filter (where r.status = 'pending')::int as waiting,
      count(*) filter (where r.status = 'running')::int as running,
      coalesce(sum((r.counters ->> 'items_new')::int), 0)::int as inserted,
      coalesce(sum((r.counters ->> 'items_updated')::int), 0)::int as updated,
      coalesce(sum((r.counters ->> 'items_skipped')::int), 0)::int as skipped,
      (count(*) filter (where r.status = 'failed'))::int as errors,
      coalesce(array_agg(distinct coalesce(j.source_name, r.source_id::text))
        filter (where r.counters ? 'breaker_tripped'), '{}') as "breakersTripped",
      coalesce(sum((r.counters ->> 'dead_letters')::int), 0)::int as "deadLetters"
    from runs r left join jobs j on j.id = r.job_id
    where r.round_id = ${id}`
  if (row === undefined) throw new Error('a sum without a row')
  return row
}

function roundColumns(db: Db) {
  return db`
    id, trigger, requested_by as "requestedBy", filter, skipped, sources, created_at as "createdAt",
    completed_at as "completedAt"`
}
