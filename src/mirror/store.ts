import type { Db, Tx } from '../db/pool.ts'

export interface QueuedItem {
  itemId: string
  kind: string
  attempts: number
  /** As text: the row stays when it was queued anew meanwhile. */
  queuedAt: string
  /** Where its document lies now. */
  knownIndex: string | null
  /** Null: the item is gone. */
  sourceName: string | null
  document: Record<string, unknown> | null
  /** What it was classified as; null as long as nobody has. */
  classified: Record<string, unknown> | null
}

/** From now on changes are queued. True when a mirror was not in use before. */
export async function startMirror(db: Db, now: Date): Promise<boolean> {
  const rows = await db`
    insert into mirror_state (name, started_at) values ('elasticsearch', ${now}) on conflict do nothing returning 1`
  return rows.length > 0
}

/** Queues every kept item, and every document whose item may be gone. */
export async function queueEverything(db: Db): Promise<number> {
  const rows = await db`
    insert into mirror_queue (item_id, kind)
    select id, 'article' from articles union all select id, 'calendar_event' from calendar_events
    union all select d.item_id, 'article' from mirror_documents d
      where not exists (select 1 from articles a where a.id = d.item_id)
        and not exists (select 1 from calendar_events e where e.id = d.item_id)
    on conflict (item_id) do update set attempts = 0, queued_at = excluded.queued_at, next_attempt_at = excluded.next_attempt_at`
  return rows.count
}

export async function dueItems(db: Db, now: Date, limit: number): Promise<QueuedItem[]> {
  return db<QueuedItem[]>`
    select q.item_id as "itemId", q.kind, q.attempts, q.queued_at::text as "queuedAt", d.index_name as "knownIndex",
      coalesce(s.name, case when i.document is null then null else 'one-off crawl' end) as "sourceName",
      i.document || jsonb_build_object('kind', q.kind, 'source_name', s.name) as document,
      case when c.item_id is null then null else jsonb_build_object('quality_score', c.quality_score,
        'content_type', c.content_type, 'topics', c.topics, 'confidence', c.confidence, 'language', c.language,
        'model_version', c.model_version, 'content_hash', c.content_hash, 'classified_at', c.classified_at) end as classified
    from (select * from mirror_queue where next_attempt_at <= greatest(${now}, now()) order by next_attempt_at limit ${limit}) q
    left join mirror_documents d on d.item_id = q.item_id
    left join item_classifications c on c.item_id = q.item_id and not c.gone
    left join lateral (
      select a.source_id, jsonb_build_object('title', title, 'description', description, 'text', text, 'url', url,
        'source_id', source_id, 'language', language, 'tags', tags, 'image_url', image_url, 'author', author,
        'published_at', published_at, 'updated_at', updated_at, 'quality_score', quality_score, 'status', status) as document
      from articles a where a.id = q.item_id
      union all
      select e.source_id, jsonb_build_object('title', title, 'description', description, 'url', url,
        'source_id', source_id, 'language', language, 'tags', tags, 'image_url', image_url, 'category', category,
        'status', status, 'venue_name', venue_name, 'city', city, 'location', jsonb_build_object('lat', lat, 'lon', lng),
        'starts_at', starts_at, 'ends_at', ends_at, 'updated_at', updated_at)
      from calendar_events e where e.id = q.item_id) i on true
    left join sources s on s.id = i.source_id`
}

/** Sent; what was queued again while it was under way stays. */
export async function settleItems(
  tx: Tx,
  items: readonly { itemId: string; queuedAt: string; index: string | null }[],
): Promise<void> {
  if (items.length === 0) return
  const ids = items.map((item) => item.itemId)
  await tx`
    delete from mirror_queue q using unnest(${ids}::uuid[], ${items.map((item) => item.queuedAt)}::text[]) as s(id, at)
    where q.item_id = s.id and q.queued_at = s.at::timestamptz`
  await tx`
    insert into mirror_documents (item_id, index_name)
    select id, at from unnest(${ids}::uuid[], ${items.map((item) => item.index)}::text[]) as s(id, at) where at is not null
    on conflict (item_id) do update set index_name = excluded.index_name`
  const gone = items.filter((item) => item.index === null).map((item) => item.itemId)
  await tx`delete from mirror_documents where item_id = any(${gone}::uuid[])`
}

export async function postponeItems(
  db: Db,
  ids: readonly string[],
  next: { at: Date; countAttempt: boolean },
): Promise<void> {
  if (ids.length === 0) return
  await db`
    update mirror_queue set next_attempt_at = ${next.at}, attempts = attempts + ${next.countAttempt ? 1 : 0}
    where item_id = any(${[...ids]}::uuid[])`
}
