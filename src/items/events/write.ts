import type { Tx } from '../../db/pool.ts'
import { columnArrays } from '../../db/arrays.ts'
import { namesOf, vectorsById, type Vectors } from '../search/vectors.ts'
import type { EventRow } from './row.ts'

/** The search vectors of events, by id, for those who write them. */
export async function eventVectors(tx: Tx, rows: readonly EventRow[]): Promise<Vectors> {
  return vectorsById(tx, rows, ({ fields }) => ({
    language: String(fields['language']),
    title: String(fields['title']),
    names: namesOf(fields, ['venue_name', 'city', 'organizer']),
    body: String(fields['description']),
  }))
}

export async function insertEvents(
  tx: Tx,
  rows: readonly EventRow[],
  vectors: Vectors,
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into calendar_events (id, source_id, url, url_hash, source_uid, event_fingerprint, title, description,
      event_date, event_time, starts_at, ends_at, all_day, timezone, structured_date, venue_name, address, city,
      postal_code, country, lat, lng, geo_precision, geo_query, category, category_unsure, language, image_url,
      organizer, price_text, online_url, tags, recurring, status, sequence, confidence_score, normalization_method,
      provenance, enriched, strategy, sight, sight_at, sight_run_id, raw_item_id, run_id, first_seen_at, updated_at, search)
    select id, source_id, url, decode(url_hash, 'hex'), source_uid, decode(event_fingerprint, 'hex'), title, description,
      event_date, event_time, starts_at, ends_at, all_day, timezone, structured_date, venue_name, address, city,
      postal_code, country, lat, lng, geo_precision, geo_query, category, category_unsure, language, image_url,
      organizer, price_text, online_url, tags, recurring, status, sequence, confidence_score, normalization_method,
      provenance, enriched, strategy, sight, sight_at, sight_run_id, raw_item_id, run_id, ${now}, ${now},
      coalesce(vector, ${searchOf(tx)})
    from ${recordset(tx, rows, vectors)}`
}

export async function updateEvents(
  tx: Tx,
  rows: readonly EventRow[],
  vectors: Vectors,
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update calendar_events e set
      url = r.url, url_hash = decode(r.url_hash, 'hex'), source_uid = r.source_uid,
      event_fingerprint = decode(r.event_fingerprint, 'hex'), title = r.title, description = r.description,
      event_date = r.event_date, event_time = r.event_time, starts_at = r.starts_at, ends_at = r.ends_at,
      all_day = r.all_day, timezone = r.timezone, structured_date = r.structured_date, venue_name = r.venue_name,
      address = r.address, city = r.city, postal_code = r.postal_code, country = r.country, lat = r.lat, lng = r.lng,
      geo_precision = r.geo_precision, geo_query = r.geo_query, category = r.category,
      category_unsure = r.category_unsure, language = r.language, image_url = r.image_url, organizer = r.organizer,
      price_text = r.price_text, online_url = r.online_url, tags = r.tags, recurring = r.recurring, status = r.status,
      sequence = r.sequence, confidence_score = r.confidence_score, normalization_method = r.normalization_method,
      provenance = r.provenance, enriched = r.enriched, strategy = r.strategy, sight = r.sight, sight_at = r.sight_at,
      sight_run_id = r.sight_run_id, raw_item_id = r.raw_item_id, run_id = r.run_id, missed_runs = 0, updated_at = ${now}, search = r.search
    from (select *, coalesce(vector, ${searchOf(tx)}) as search from ${recordset(tx, rows, vectors)}) r
    where e.id = r.id`
}

/** Seen again as it was: nothing an index knows of changes, so the row stays where it is. */
export async function touchEvents(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return
  const touched = rows.map((row) => ({
    id: row.id,
    sight: row.sight,
    sight_at: row.sightAt,
    sight_run_id: row.sightRunId,
    raw_item_id: row.rawItemId,
    run_id: row.runId,
  }))
  await tx`
    update calendar_events e
    set sight = r.sight, sight_at = r.sight_at, sight_run_id = r.sight_run_id, raw_item_id = r.raw_item_id, run_id = r.run_id, missed_runs = 0
    from jsonb_to_recordset(${tx.json(touched)}) as r(
      id uuid, sight real, sight_at timestamptz, sight_run_id uuid, raw_item_id bigint, run_id uuid)
    where e.id = r.id`
}

/** Remembers on which known URLs events stand. */
export async function insertCarriers(
  tx: Tx,
  carriers: readonly { frontier_id: string; item_id: string; run_id: string | null }[],
): Promise<void> {
  if (carriers.length === 0) return
  const each = [
    ...new Map(
      carriers.map((carrier) => [`${carrier.frontier_id} ${carrier.item_id}`, carrier]),
    ).values(),
  ]
  await tx`
    insert into calendar_carriers as c (frontier_id, item_id, run_id)
    select frontier_id, item_id, run_id
    from jsonb_to_recordset(${tx.json(each)}) as n(frontier_id bigint, item_id uuid, run_id uuid)
    on conflict (frontier_id, item_id) do update set run_id = excluded.run_id
    where c.run_id is distinct from excluded.run_id`
}

/** The search vector of a row that has the event's columns by name. */
export function searchOf(tx: Tx) {
  return tx`item_search(language, title, concat_ws(' ', venue_name, city, organizer, array_to_string(tags, ' ')), description)`
}

function recordset(tx: Tx, rows: readonly EventRow[], vectors: Vectors) {
  const c = columnArrays(rows, (row) => [row.fields, besides(row, vectors)])
  const documents = rows.map(({ fields, provenance, enriched }) => ({
    structured_date: fields['structured_date'],
    tags: fields['tags'],
    provenance,
    enriched,
  }))
  return tx`
    rows from (
      unnest(${c('id')}::uuid[], ${c('source_id')}::uuid[], ${c('url')}::text[], ${c('url_hash')}::text[],
        ${c('source_uid')}::text[], ${c('event_fingerprint')}::text[], ${c('title')}::text[], ${c('description')}::text[],
        ${c('event_date')}::date[], ${c('event_time')}::text[], ${c('starts_at')}::timestamptz[],
        ${c('ends_at')}::timestamptz[], ${c('all_day')}::boolean[], ${c('timezone')}::text[], ${c('venue_name')}::text[],
        ${c('address')}::text[], ${c('city')}::text[], ${c('postal_code')}::text[], ${c('country')}::text[],
        ${c('lat')}::float8[], ${c('lng')}::float8[], ${c('geo_precision')}::text[], ${c('geo_query')}::text[],
        ${c('category')}::text[], ${c('category_unsure')}::boolean[], ${c('language')}::text[], ${c('image_url')}::text[],
        ${c('organizer')}::text[], ${c('price_text')}::text[], ${c('online_url')}::text[], ${c('recurring')}::boolean[],
        ${c('status')}::text[], ${c('sequence')}::int[], ${c('confidence_score')}::real[],
        ${c('normalization_method')}::text[], ${c('strategy')}::text[], ${c('sight')}::real[],
        ${c('sight_at')}::timestamptz[], ${c('sight_run_id')}::uuid[], ${c('raw_item_id')}::bigint[], ${c('run_id')}::uuid[],
        ${c('vector')}::tsvector[]),
      json_to_recordset(${JSON.stringify(documents)}::text::json) as (
        structured_date jsonb, tags text[], provenance jsonb, enriched jsonb)
    ) as n(id, source_id, url, url_hash, source_uid, event_fingerprint, title, description, event_date, event_time,
      starts_at, ends_at, all_day, timezone, venue_name, address, city, postal_code, country, lat, lng, geo_precision,
      geo_query, category, category_unsure, language, image_url, organizer, price_text, online_url, recurring, status,
      sequence, confidence_score, normalization_method, strategy, sight, sight_at, sight_run_id, raw_item_id, run_id,
      vector, structured_date, tags, provenance, enriched)`
}

function besides(row: EventRow, vectors: Vectors): Record<string, unknown> {
  return {
    vector: vectors.get(row.id),
    id: row.id,
    source_id: row.sourceId,
    url_hash: row.urlHash,
    source_uid: row.sourceUid,
    event_fingerprint: row.fingerprint,
    sequence: row.sequence,
    confidence_score: row.confidence,
    normalization_method: row.method,
    strategy: row.strategy,
    sight: row.sight,
    sight_at: row.sightAt,
    sight_run_id: row.sightRunId,
    raw_item_id: row.rawItemId,
    run_id: row.runId,
  }
}
