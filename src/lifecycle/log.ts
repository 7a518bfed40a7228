import type { Db } from '../db/pool.ts'

export interface EventLogFilter {
  source_id?: string | undefined
  event_type?: string | undefined
  status?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export interface EventLogRow {
  seq: string
  event_id: string
  event_type: string
  source_id: string
  source_name: string | null
  timestamp: Date
  origin: string
  status: string
  attempts: number
  processed_at: Date | null
  processed_by: string | null
  payload: Record<string, unknown>
  outcome: Record<string, unknown> | null
}

export async function listEventLog(
  db: Db,
  filter: EventLogFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: EventLogRow[]; total: number }> {
  const where = db`
    (${filter.source_id ?? null}::uuid is null or e.source_id = ${filter.source_id ?? null})
    and (${filter.event_type ?? null}::text is null or e.event_type = ${filter.event_type ?? null})
    and (${filter.status ?? null}::text is null or e.status = ${filter.status ?? null})
    and (${filter.from ?? null}::timestamptz is null or e.occurred_at >= ${filter.from ?? null})
    and (${filter.to ?? null}::timestamptz is null or e.occurred_at < ${filter.to ?? null})`
  const rows = await db<EventLogRow[]>`
    select e.seq, e.event_id, e.event_type, e.source_id, coalesce(s.name, e.payload->>'name') as source_name,
      e.occurred_at as timestamp, e.origin, e.status, e.attempts, e.processed_at, e.processed_by, e.payload, e.outcome
    from source_events e left join sources s on s.id = e.source_id
    where ${where} order by e.seq desc limit ${page.limit} offset ${page.offset}`
  const [count] = await db<
    { total: number }[]
  >`select count(*)::int as total from source_events e where ${where}`
  return { rows, total: count?.total ?? 0 }
}
