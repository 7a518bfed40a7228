import type { Db } from '../db/pool.ts'

export interface StageAlert {
  id: string
  kind: 'stage_silent' | 'low_ratio'
  stage: number
  opened_at: Date
  closed_at: Date | null
  details: Record<string, unknown>
}

export interface Finding {
  kind: StageAlert['kind']
  stage: number
  details: Record<string, string | number>
}

/** Opens what is new, closes what is over, and leaves alone what goes on. Gives what changed. */
export async function settleAlerts(
  db: Db,
  findings: Finding[],
  now: Date,
): Promise<{ opened: StageAlert[]; closed: StageAlert[] }> {
  const kinds = findings.map((finding) => finding.kind)
  const stages = findings.map((finding) => finding.stage)
  const closed = await db<StageAlert[]>`
    update stage_alerts a set closed_at = ${now}
    where closed_at is null and not exists (
      select from unnest(${kinds}::text[], ${stages}::smallint[]) as f (kind, stage)
      where f.kind = a.kind and f.stage = a.stage)
    returning *`
  const opened = await db<StageAlert[]>`
    insert into stage_alerts (kind, stage, opened_at, details)
    select f.kind, f.stage, ${now}, f.details::jsonb
    from unnest(${kinds}::text[], ${stages}::smallint[], ${findings.map((finding) => JSON.stringify(finding.details))}::text[])
      as f (kind, stage, details)
    on conflict do nothing
    returning *`
  return { opened, closed }
}

export async function listAlerts(
  db: Db,
  query: { open?: boolean | undefined; limit: number; offset: number },
): Promise<{ alerts: StageAlert[]; total: number }> {
  const wanted =
    query.open === undefined
      ? db``
      : query.open
        ? db`where closed_at is null`
        : db`where closed_at is not null`
  const alerts = await db<StageAlert[]>`
    select id, kind, stage::int, opened_at, closed_at, details from stage_alerts ${wanted}
    order by closed_at is not null, id desc limit ${query.limit} offset ${query.offset}`
  const [row] = await db<{ total: number }[]>`
    select count(*)::int as total from stage_alerts ${wanted}`
  return { alerts, total: row?.total ?? 0 }
}
