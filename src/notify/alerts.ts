import type { Db, Tx } from '../db/pool.ts'

export const alertKinds = [
  'stage_silent',
  'low_ratio',
  'channel_disabled',
  'channel_failing',
  'source_disabled',
  'breakers_open',
  'dead_letters',
] as const
export type AlertKind = (typeof alertKinds)[number]

/** A condition that holds now. */
export interface Finding {
  kind: AlertKind
  subject: string
  title: string
  details: Record<string, unknown>
}

export interface Alert extends Finding {
  id: string
  opened_at: Date
  last_seen_at: Date
  closed_at: Date | null
  acknowledged_at: Date | null
  acknowledged_by: string | null
}

/** A condition that comes and goes is one alert: it is over when it has been away for this long. */
export const quietMs = 5 * 60_000

/** Opens what is new, refreshes what goes on, closes what is over. Gives what opened and what closed. */
export async function settleAlerts(
  tx: Tx,
  findings: readonly Finding[],
  now: Date,
): Promise<{ opened: Alert[]; closed: Alert[] }> {
  const rows = tx.json(findings as never)
  await tx`
    update alerts a set title = f.title, details = f.details, last_seen_at = ${now}
    from jsonb_to_recordset(${rows}) as f (kind text, subject text, title text, details jsonb)
    where a.closed_at is null and a.kind = f.kind and a.subject = f.subject`
  const closed = await tx<Alert[]>`
    update alerts a set closed_at = ${now}
    where closed_at is null and last_seen_at <= ${new Date(now.getTime() - quietMs)}
    returning *`
  const opened = await tx<Alert[]>`
    insert into alerts (kind, subject, title, details, opened_at, last_seen_at)
    select f.kind, f.subject, f.title, f.details, ${now}, ${now}
    from jsonb_to_recordset(${rows}) as f (kind text, subject text, title text, details jsonb)
    on conflict do nothing
    returning *`
  return { opened, closed }
}

export interface AlertFilter {
  open?: boolean | undefined
  acknowledged?: boolean | undefined
  kind?: AlertKind | undefined
}

export async function listAlerts(
  db: Db,
  filter: AlertFilter,
  page: { limit: number; offset: number },
): Promise<{ alerts: Alert[]; total: number }> {
  const { open, acknowledged, kind } = filter
  const wanted = db`
    where (${open ?? null}::boolean is null or (closed_at is null) = ${open ?? null})
      and (${acknowledged ?? null}::boolean is null
        or (acknowledged_at is not null) = ${acknowledged ?? null})
      and (${kind ?? null}::text is null or kind = ${kind ?? null})`
  const alerts = await db<Alert[]>`
    select * from alerts ${wanted}
    order by closed_at is not null, id desc limit ${page.limit} offset ${page.offset}`
  const [row] = await db<{ total: number }[]>`select count(*)::int as total from alerts ${wanted}`
  return { alerts, total: row?.total ?? 0 }
}

/** The first who takes it on is kept. */
export async function acknowledgeAlert(
  db: Db,
  id: string,
  by: string,
  now: Date,
): Promise<Alert | null> {
  const [alert] = await db<Alert[]>`
    update alerts set acknowledged_at = coalesce(acknowledged_at, ${now}),
      acknowledged_by = coalesce(acknowledged_by, ${by})
    where id = ${id} returning *`
  return alert ?? null
}

export async function pruneAlerts(db: Db, before: Date): Promise<void> {
  await db`delete from alerts where closed_at < ${before}`
  await db`delete from notifications where created_at < ${before} and status <> 'pending'`
}
