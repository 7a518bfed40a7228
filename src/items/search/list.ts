import type { Db } from '../../db/pool.ts'

export interface Page {
  limit: number
  offset: number
  cursor: string | null
}

export interface ArticleFilter {
  search?: string | undefined
  sourceId?: string | undefined
  language?: string | undefined
  section?: string | undefined
  tag?: string | undefined
  topic?: string | undefined
  minQuality?: number | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** What vanished is shown only when asked for. */
  status?: readonly string[] | undefined
  /** Only the one that stands for its cluster. */
  canonical?: boolean | undefined
  sort?: 'newest' | 'relevance' | undefined
}

export interface EventFilter {
  search?: string | undefined
  sourceId?: string | undefined
  category?: readonly string[] | undefined
  city?: string | undefined
  language?: string | undefined
  status?: readonly string[] | undefined
  from?: Date | undefined
  to?: Date | undefined
  near?: { lat: number; lng: number; km: number } | undefined
  canonical?: boolean | undefined
  sort?: 'time' | 'relevance' | 'distance' | undefined
}

export type Row = Record<string, unknown>

export async function listArticles(
  db: Db,
  filter: ArticleFilter,
  page: Page,
): Promise<{ rows: Row[]; total: number }> {
  const where = db`
    ${filter.search === undefined ? db`true` : db`a.search @@ search_query(${filter.search})`}
    and ${filter.sourceId === undefined ? db`true` : db`a.source_id = ${filter.sourceId}`}
    and ${filter.language === undefined ? db`true` : db`a.language = ${filter.language}`}
    and ${filter.section === undefined ? db`true` : db`lower(a.section) = lower(${filter.section})`}
    and ${filter.tag === undefined ? db`true` : db`${filter.tag} = any(a.tags)`}
    and ${filter.topic === undefined ? db`true` : db`k.topics @> array[${filter.topic}]`}
    and ${filter.minQuality === undefined ? db`true` : db`coalesce(k.quality_score, a.quality_score) >= ${filter.minQuality}`}
    and ${filter.status === undefined ? db`a.status = 'active'` : db`a.status = any(${[...filter.status]})`}
    and ${filter.from === undefined ? db`true` : db`a.sort_at >= ${filter.from}`}
    and ${filter.to === undefined ? db`true` : db`a.sort_at < ${filter.to}`}
    and ${filter.canonical === true ? db`(c.id is null or c.canonical_id = a.id)` : db`true`}`
  const after = page.cursor === null ? null : readCursor(page.cursor)
  const relevance =
    filter.search === undefined ? db`0` : db`ts_rank_cd(a.search, search_query(${filter.search}))`
  const order =
    filter.sort === 'relevance'
      ? db`${relevance} desc, a.sort_at desc, a.id desc`
      : db`a.sort_at desc, a.id desc`
  const tables = db`articles a left join cluster_members m on m.item_id = a.id left join clusters c on c.id = m.cluster_id
    left join item_classifications k on k.item_id = a.id`
  const [rows, counted] = await Promise.all([
    db<Row[]>`
      select ${articleColumns(db)}, a.sort_at
      from ${tables} left join sources s on s.id = a.source_id
      where ${where} and ${after === null ? db`true` : db`(a.sort_at, a.id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
      order by ${order} limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from ${tables} where ${where}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function listEvents(
  db: Db,
  filter: EventFilter,
  page: Page,
): Promise<{ rows: Row[]; total: number }> {
  const where = eventWhere(db, filter)
  const after = page.cursor === null ? null : readCursor(page.cursor)
  const distance = distanceOf(db, filter.near)
  const relevance =
    filter.search === undefined ? db`0` : db`ts_rank_cd(e.search, search_query(${filter.search}))`
  const order =
    filter.sort === 'relevance'
      ? db`${relevance} desc, e.starts_at, e.id`
      : filter.sort === 'distance'
        ? db`${distance}, e.starts_at, e.id`
        : db`e.starts_at, e.id`
  const tables = db`calendar_events e left join cluster_members m on m.item_id = e.id left join clusters c on c.id = m.cluster_id`
  const [rows, counted] = await Promise.all([
    db<Row[]>`
      select ${eventColumns(db)}, ${distance} as distance_km
      from ${tables} left join sources s on s.id = e.source_id
      where ${where} and ${after === null ? db`true` : db`(e.starts_at, e.id) > (${after.at}::timestamptz, ${after.id}::uuid)`}
      order by ${order} limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from ${tables} where ${where}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

export function eventWhere(db: Db, filter: EventFilter) {
  return db`
    ${filter.search === undefined ? db`true` : db`e.search @@ search_query(${filter.search})`}
    and ${filter.sourceId === undefined ? db`true` : db`e.source_id = ${filter.sourceId}`}
    and ${filter.category === undefined ? db`true` : db`e.category = any(${[...filter.category]})`}
    and ${filter.city === undefined ? db`true` : db`lower(e.city) = lower(${filter.city})`}
    and ${filter.language === undefined ? db`true` : db`e.language = ${filter.language}`}
    and ${filter.status === undefined ? db`e.status <> 'vanished'` : db`e.status = any(${[...filter.status]})`}
    and ${filter.from === undefined ? db`true` : db`(e.starts_at >= ${filter.from} or e.ends_at > ${filter.from})`}
    and ${filter.to === undefined ? db`true` : db`e.starts_at < ${filter.to}`}
    and ${filter.near === undefined ? db`true` : within(db, filter.near)}
    and ${filter.canonical === true ? db`(c.id is null or c.canonical_id = e.id)` : db`true`}`
}

export function distanceOf(db: Db, near: EventFilter['near']) {
  return near === undefined
    ? db`null::double precision`
    : db`round(distance_km(e.lat, e.lng, ${near.lat}, ${near.lng})::numeric, 2)::double precision`
}

/** A box first, which an index can use, then the circle. */
function within(db: Db, { lat, lng, km }: { lat: number; lng: number; km: number }) {
  const dLat = km / 111
  const dLng = km / Math.max(1, 111 * Math.cos((lat * Math.PI) / 180))
  return db`(e.lat between ${lat - dLat} and ${lat + dLat} and e.lng between ${lng - dLng} and ${lng + dLng}
    and distance_km(e.lat, e.lng, ${lat}, ${lng}) <= ${km})`
}

/** The place of a row in its list, in a form to hand back. */
export function writeCursor(at: Date, id: string): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')
}

export function readCursor(cursor: string): { at: string; id: string } | null {
  const match = /^(\S+Z) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString())
  return match?.[1] === undefined || match[2] === undefined ? null : { at: match[1], id: match[2] }
}

export function articleColumns(db: Db) {
  return db`
    a.id, a.source_id, s.name as source_name, a.url, a.title, a.description as excerpt, a.author, a.section,
    a.published_at, a.modified_at, a.image_url, a.language, a.tags, coalesce(k.topics, '{}') as topics, a.word_count,
    a.paywalled, coalesce(k.quality_score, a.quality_score) as quality_score, a.confidence_score, a.normalization_method,
    a.strategy as extracted_by, a.status, a.first_seen_at, a.updated_at, c.id as cluster_id, coalesce(c.size, 1) as cluster_size,
    coalesce(c.canonical_id, a.id) = a.id as canonical`
}

export function eventColumns(db: Db) {
  return db`
    e.id, e.source_id, s.name as source_name, e.url, e.title, e.description, e.event_date::text as event_date,
    e.event_time, e.starts_at, e.ends_at, e.all_day, e.timezone, e.structured_date, e.venue_name, e.city,
    jsonb_build_object('name', e.venue_name, 'address', e.address, 'city', e.city, 'postal_code', e.postal_code,
      'country', e.country, 'coordinates', jsonb_build_object('lat', e.lat, 'lng', e.lng), 'precision', e.geo_precision)
      as structured_location,
    e.category, e.language, e.image_url, e.organizer, e.price_text, e.online_url, e.tags, e.status, e.sequence,
    e.id || '@millrace' as uid, e.confidence_score, e.normalization_method, e.strategy as extracted_by,
    e.first_seen_at, e.updated_at, c.id as cluster_id, coalesce(c.size, 1) as cluster_size,
    coalesce(c.canonical_id, e.id) = e.id as canonical`
}

export async function getArticle(db: Db, id: string): Promise<Row | null> {
  const [row] = await db<Row[]>`
    select ${articleColumns(db)}, a.text, a.markdown, a.provenance, a.enriched
    from articles a left join cluster_members m on m.item_id = a.id left join clusters c on c.id = m.cluster_id
    left join sources s on s.id = a.source_id left join item_classifications k on k.item_id = a.id
    where a.id = ${id}`
  return row ?? null
}

export async function getEvent(db: Db, id: string): Promise<Row | null> {
  const [row] = await db<Row[]>`
    select ${eventColumns(db)}, e.provenance, e.enriched
    from calendar_events e left join cluster_members m on m.item_id = e.id left join clusters c on c.id = m.cluster_id
    left join sources s on s.id = e.source_id where e.id = ${id}`
  return row ?? null
}
