import type { Db, Tx } from '../db/pool.ts'
import { insertChanges } from './changes.ts'
import type { FieldChanges } from './types.ts'

export interface EventToImprove {
  id: string
  sourceId: string
  title: string
  description: string
  category: string
  categoryUnsure: boolean
  venueName: string
  city: string | null
  startsAt: Date
  geoQuery: string | null
  precision: string
  lat: number
  lng: number
}

export async function eventsToImprove(db: Db, ids: readonly string[]): Promise<EventToImprove[]> {
  return db<EventToImprove[]>`
    select id, source_id as "sourceId", title, description, category, category_unsure as "categoryUnsure",
      venue_name as "venueName", city, starts_at as "startsAt", geo_query as "geoQuery", geo_precision as precision, lat, lng
    from calendar_events where id = any(${[...ids]}::uuid[])`
}

/**
 * Writes what a helper found. The value of the rules is kept beside it, so that the source's next telling of the same
 * does not undo it. Only fields that still have the value the helper saw are changed.
 */
export async function improveEvent(
  tx: Tx,
  event: Pick<EventToImprove, 'id' | 'sourceId'>,
  fields: FieldChanges,
  method: 'rules' | 'hybrid',
  now: Date,
): Promise<boolean> {
  const value = (name: string): never => (fields[name]?.[1] ?? null) as never
  const [row] = await tx`
    update calendar_events set
      description = coalesce(${value('description')}::text, description),
      category = coalesce(${value('category')}::text, category),
      category_unsure = case when ${value('category')}::text is null then category_unsure else false end,
      lat = coalesce(${value('lat')}::double precision, lat), lng = coalesce(${value('lng')}::double precision, lng),
      geo_precision = coalesce(${value('geo_precision')}::text, geo_precision),
      normalization_method = case when ${method} = 'hybrid' then 'hybrid' else normalization_method end,
      enriched = enriched || ${tx.json(fields as never)}::jsonb,
      updated_at = ${now},
      search = item_search(language, title, concat_ws(' ', venue_name, city, organizer, array_to_string(tags, ' ')),
        coalesce(${value('description')}::text, description))
    where id = ${event.id}
      and (${fields['description'] === undefined} or description = ${(fields['description']?.[0] ?? '') as string})
      and (${fields['lat'] === undefined} or lat = ${(fields['lat']?.[0] ?? 0) as number})
    returning 1`
  if (row === undefined) return false
  await insertChanges(
    tx,
    [
      {
        kind: 'calendar_event',
        item_id: event.id,
        source_id: event.sourceId,
        run_id: null,
        change: 'updated',
        fields,
      },
    ],
    now,
  )
  return true
}

export async function cachedPlaces(
  db: Db,
  queries: readonly string[],
  since: Date,
): Promise<Map<string, { lat: number; lng: number } | null>> {
  const rows = await db<{ query: string; lat: number | null; lng: number | null }[]>`
    select query, lat, lng from geocode_cache where query = any(${[...queries]}) and asked_at > ${since}`
  return new Map(
    rows.map(({ query, lat, lng }) => [query, lat === null || lng === null ? null : { lat, lng }]),
  )
}

export async function cachePlace(
  db: Db,
  query: string,
  place: { lat: number; lng: number; name: string } | null,
  now: Date,
): Promise<void> {
  await db`
    insert into geocode_cache (query, lat, lng, answer, asked_at)
    values (${query}, ${place?.lat ?? null}, ${place?.lng ?? null}, ${place === null ? null : db.json({ name: place.name })}, ${now})
    on conflict (query) do update set lat = excluded.lat, lng = excluded.lng, answer = excluded.answer, asked_at = excluded.asked_at`
}

/** Takes one request from today's budget; false when it is spent. */
export async function spendAiRequest(db: Db, now: Date, budget: number): Promise<boolean> {
  const [row] = await db`
    insert into ai_usage as u (day, requests) values (${now}::timestamptz::date, 1)
    on conflict (day) do update set requests = u.requests + 1 where u.requests < ${budget}
    returning 1`
  return row !== undefined
}

export async function countAiUsage(
  db: Db,
  now: Date,
  used: { tokens: number; discarded: number },
): Promise<void> {
  await db`
    update ai_usage set tokens = tokens + ${used.tokens}, discarded = discarded + ${used.discarded}
    where day = ${now}::timestamptz::date`
}
