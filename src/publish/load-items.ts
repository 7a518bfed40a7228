import type { Db } from '../db/pool.ts'
import type { ItemView } from './types.ts'

/** The kept items with these ids; ids of items that are gone are left out. */
export async function loadItems(db: Db, ids: readonly string[]): Promise<ItemView[]> {
  if (ids.length === 0) return []
  return db<ItemView[]>`
    select a.id, 'article' as kind, a.source_id as "sourceId", coalesce(s.name, '') as "sourceName", a.url, a.title,
      a.description, a.text, a.author, a.section, a.language, a.tags, null::text as category,
      a.image_url as "imageUrl", a.published_at as "publishedAt", a.modified_at as "modifiedAt",
      a.word_count as "wordCount", null::timestamptz as "startAt", null::timestamptz as "endAt", false as "allDay",
      null::text as timezone, null::text as "venueName", null::text as address, null::text as city,
      null::text as country, null::float8 as lat, null::float8 as lng, null::text as organizer,
      null::text as "priceText", nullif(a.status, 'active') as status, 0 as sequence,
      a.first_seen_at as "firstSeenAt", a.updated_at as "updatedAt"
    from articles a left join sources s on s.id = a.source_id
    where a.id = any(${[...ids]}::uuid[])
    union all
    select e.id, 'calendar_event', e.source_id, coalesce(s.name, ''), e.url, e.title,
      e.description, '', null, null, e.language, e.tags, e.category,
      e.image_url, null, null,
      cardinality(regexp_split_to_array(trim(e.description), '\\s+')), e.starts_at, e.ends_at, e.all_day,
      e.timezone, e.venue_name, e.address, e.city,
      e.country, e.lat, e.lng, e.organizer,
      e.price_text, e.status, e.sequence,
      e.first_seen_at, e.updated_at
    from calendar_events e left join sources s on s.id = e.source_id
    where e.id = any(${[...ids]}::uuid[])`
}
