import type { Db } from '../db/pool.ts'
import { hourMs } from './kinds.ts'

export interface ListedEvent {
  id: string
  article_url: string
  url_hash: string
  source_name: string
  stage: number
  service_name: string
  occurred_at: Date
  received_at: Date
  metadata: Record<string, unknown> | null
  metadata_schema_version: number
}

export interface EventFilter {
  /** SHA-256 of the normalized address. */
  hash?: string | undefined
  stage?: number | undefined
  service?: string | undefined
  source?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** Only events before this one. */
  before?: { occurredAt: Date; id: string } | undefined
}

/** Newest first. An article's events come by its own index, all others by time. */
export async function listEvents(
  db: Db,
  filter: EventFilter,
  limit: number,
): Promise<ListedEvent[]> {
  const { before } = filter
  const to = before === undefined ? filter.to : earlier(filter.to, before.occurredAt)
  return await db<ListedEvent[]>`
    select e.id, a.url as article_url, encode(a.url_hash, 'hex') as url_hash, s.name as source_name,
      e.stage::int, v.name as service_name, e.occurred_at, e.received_at, e.metadata,
      e.schema_version::int as metadata_schema_version
    from stage_events e
    join stage_articles a on a.id = e.article_id
    join stage_sources s on s.id = e.source_id
    join stage_services v on v.id = e.service_id
    where e.occurred_at >= ${filter.from ?? new Date(0)}
      and e.occurred_at < ${to ?? new Date(Date.now() + 100 * 365 * 24 * hourMs)}
      ${filter.hash === undefined ? db`` : db`and e.article_id = (select id from stage_articles where url_hash = decode(${filter.hash}, 'hex'))`}
      ${filter.stage === undefined ? db`` : db`and e.stage = ${filter.stage}`}
      ${filter.service === undefined ? db`` : db`and e.service_id = (select id from stage_services where name = ${filter.service})`}
      ${filter.source === undefined ? db`` : db`and e.source_id in (select id from stage_sources where key = ${filter.source} or name = ${filter.source})`}
      ${before === undefined ? db`` : db`and (e.occurred_at, e.id) < (${before.occurredAt}, ${before.id})`}
    order by e.occurred_at desc, e.id desc
    limit ${limit}`
}

/** One millisecond past the cursor, because rows of the same moment may still follow it. */
function earlier(to: Date | undefined, cursor: Date): Date {
  const past = new Date(cursor.getTime() + 1)
  return to !== undefined && to < past ? to : past
}
