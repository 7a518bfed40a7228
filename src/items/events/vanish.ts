import type { Tx } from '../../db/pool.ts'
import { insertChanges } from '../changes.ts'

export interface SweepOptions {
  sourceId: string
  runId: string
  now: Date
  /** Healthy runs an event must be missing from. */
  afterRuns: number
}

export interface Sweep {
  missed: number
  vanished: number
  skipped: 'unhealthy' | 'suspicious_loss' | null
}

/** Losing more than this at once looks like a broken extractor, not like an emptied calendar. */
const suspiciousShare = 0.5
const suspiciousCount = 5

/**
 * After a run: pages that were read again and no longer show an event stop carrying it. An upcoming event nobody carries
 * was missed; missed by enough healthy runs in a row, it has vanished. Pages that were not visited prove nothing.
 */
export async function sweepCalendar(tx: Tx, options: SweepOptions): Promise<Sweep> {
  const { sourceId, runId, now, afterRuns } = options
  const [health] = await tx<{ good: number; bad: number }[]>`
    select count(*) filter (where outcome <> 'failed')::int as good,
      count(*) filter (where outcome = 'failed' and coalesce(reason, '') <> 'gone' and coalesce(status, 0) not in (404, 410))::int as bad
    from pages where run_id = ${runId}`
  const healthy = health !== undefined && health.good > 0 && health.bad <= health.good
  if (!healthy) return note(tx, options, { missed: 0, vanished: 0, skipped: 'unhealthy' })

  const upcoming = await tx<{ id: string; carried: boolean }[]>`
    select e.id, exists (
      select 1 from calendar_carriers c
      left join lateral (select outcome, status, reason from pages p
        where p.run_id = ${runId} and p.frontier_id = c.frontier_id order by p.id desc limit 1) p on true
      where c.item_id = e.id and (
        p.outcome is null or p.outcome = 'unchanged' or (p.outcome = 'fetched' and c.run_id = ${runId})
        or (p.outcome = 'failed' and coalesce(p.status, 0) not in (404, 410)))) as carried
    from calendar_events e
    where e.source_id = ${sourceId} and e.status <> 'vanished' and coalesce(e.ends_at, e.starts_at) > ${now}
      and e.run_id is distinct from ${runId}::uuid
      and (e.missed_runs > 0 or exists (select 1 from calendar_carriers c where c.item_id = e.id))
    for update of e`
  const missing = upcoming.filter((event) => !event.carried).map((event) => event.id)
  const [all] = await tx<{ n: number }[]>`
    select count(*)::int as n from calendar_events
    where source_id = ${sourceId} and status <> 'vanished' and coalesce(ends_at, starts_at) > ${now}`
  if (missing.length >= suspiciousCount && missing.length > (all?.n ?? 0) * suspiciousShare)
    return note(tx, options, { missed: missing.length, vanished: 0, skipped: 'suspicious_loss' })

  // Pages that stay as they are from now on must not vouch for what they no longer show.
  await tx`delete from calendar_carriers where item_id = any(${missing}::uuid[])`
  await tx`update calendar_events set missed_runs = missed_runs + 1 where id = any(${missing}::uuid[])`
  const gone = await tx<{ id: string; before: string }[]>`
    update calendar_events e set status = 'vanished', sequence = e.sequence + 1, updated_at = ${now}
    from (select id, status from calendar_events where id = any(${missing}::uuid[])) old
    where e.id = old.id and e.missed_runs >= ${afterRuns} and e.status <> 'cancelled'
    returning e.id, old.status as before`
  await insertChanges(
    tx,
    gone.map(({ id, before }) => ({
      kind: 'calendar_event',
      item_id: id,
      source_id: sourceId,
      run_id: runId,
      change: 'vanished',
      fields: { status: [before, 'vanished'] },
    })),
    now,
  )
  return note(tx, options, { missed: missing.length, vanished: gone.length, skipped: null })
}

/** Finished runs whose items are all refined and whose calendar was not looked through yet. */
export async function unsweptRuns(
  tx: Tx,
  since: Date,
  limit: number,
): Promise<{ runId: string; sourceId: string }[]> {
  return tx<{ runId: string; sourceId: string }[]>`
    select r.id as "runId", r.source_id as "sourceId" from runs r
    where r.status = 'completed' and r.completed_at > ${since} and r.source_id is not null
      and not exists (select 1 from calendar_sweeps s where s.run_id = r.id)
      and not exists (select 1 from raw_items i where i.run_id = r.id and i.status = 'pending')
    order by r.completed_at limit ${limit}`
}

async function note(tx: Tx, options: SweepOptions, sweep: Sweep): Promise<Sweep> {
  await tx`
    insert into calendar_sweeps (run_id, source_id, swept_at, vanished, skipped)
    values (${options.runId}, ${options.sourceId}, ${options.now}, ${sweep.vanished}, ${sweep.skipped})
    on conflict (run_id) do nothing`
  return sweep
}
