import { textArray } from '../../db/arrays.ts'
import type { Tx } from '../../db/pool.ts'
import type { Fields } from '../changes.ts'
import { fingerprint } from '../fingerprint.ts'
import type { EventContent, EventDraft } from '../types.ts'

/** A calendar event between its row in the database and the next one: the tracked fields by column name. */
export interface EventRow {
  id: string
  sourceId: string
  url: string | null
  urlHash: string | null
  sourceUid: string | null
  fingerprint: string
  sequence: number
  sight: number
  sightAt: Date
  /** The run it was seen so in. */
  sightRunId: string | null
  rawItemId: string
  runId: string | null
  missedRuns: number
  strategy: string
  confidence: number
  provenance: unknown
  method: string
  enriched: Record<string, [unknown, unknown]>
  fields: Fields
}

/** Fields that move together: half a date is worse than an old one. */
export const whenFields = [
  'event_date',
  'event_time',
  'starts_at',
  'ends_at',
  'all_day',
  'timezone',
  'structured_date',
] as const
export const whereFields = [
  'venue_name',
  'address',
  'city',
  'postal_code',
  'country',
  'lat',
  'lng',
  'geo_precision',
  'geo_query',
] as const
export const otherFields = [
  'title',
  'description',
  'category',
  'category_unsure',
  'language',
  'image_url',
  'organizer',
  'price_text',
  'online_url',
  'tags',
  'recurring',
  'url',
] as const
/** What people hear of; the rest follows from it. */
export const tellingFields = [
  ...otherFields.filter((name) => name !== 'category_unsure'),
  ...whenFields.filter((name) => name !== 'structured_date'),
  ...whereFields.filter((name) => name !== 'geo_query' && name !== 'geo_precision'),
  'status',
] as const

export function fieldsOf(draft: EventDraft): Fields {
  const { event } = draft
  return {
    title: event.title,
    description: event.description,
    event_date: event.eventDate,
    event_time: event.eventTime,
    starts_at: event.startsAt.toISOString(),
    ends_at: event.endsAt?.toISOString() ?? null,
    all_day: event.allDay,
    timezone: event.timezone,
    structured_date: event.structured,
    venue_name: event.venueName,
    address: event.address,
    city: event.city,
    postal_code: event.postalCode,
    country: event.country,
    lat: event.lat,
    lng: event.lng,
    geo_precision: event.precision,
    geo_query: event.geoQuery,
    category: event.category,
    category_unsure: event.categoryUnsure,
    language: event.language,
    image_url: event.imageUrl,
    organizer: event.organizer,
    price_text: event.priceText,
    online_url: event.onlineUrl,
    tags: event.tags,
    recurring: event.recurring,
    status: event.status,
    url: draft.url,
  }
}

export function eventFingerprint(
  event: Pick<EventContent, 'title' | 'eventDate'>,
  sourceId: string,
): string {
  return fingerprint(event.title, event.eventDate, sourceId)
}

interface StoredRow extends Omit<EventRow, 'fields'> {
  fields: Fields
  starts_at: Date
  ends_at: Date | null
}

/** The series an identifier of one of its days belongs to, as event_series() in the database. */
export function seriesOf(uid: string | null): string | null {
  return /^(.+)#\d{4}-\d\d-\d\d[^#]*$/s.exec(uid ?? '')?.[1] ?? null
}

/** Every kept event that a batch of drafts could be, by fingerprint, the source's own id, address or page; locked. */
export async function loadCandidates(
  tx: Tx,
  drafts: readonly EventDraft[],
  now: Date,
): Promise<EventRow[]> {
  const keys = drafts.map((draft) => ({
    s: draft.sourceId,
    f: eventFingerprint(draft.event, draft.sourceId),
    u: draft.urlHash,
    i: draft.event.sourceUid,
    r: seriesOf(draft.event.sourceUid),
    p: draft.event.sourceUid === null && !draft.urlIsOwn ? draft.frontierId : null,
    t: draft.event.title,
  }))
  const rows = await tx<StoredRow[]>`
    with k as materialized (
      select s, decode(f, 'hex') as f, decode(u, 'hex') as u, i, r, p, t
      from unnest(${textArray(keys.map((key) => key.s))}::uuid[], ${textArray(keys.map((key) => key.f))}::text[],
        ${textArray(keys.map((key) => key.u))}::text[], ${textArray(keys.map((key) => key.i))}::text[],
        ${textArray(keys.map((key) => key.r))}::text[], ${textArray(keys.map((key) => key.p))}::bigint[],
        ${textArray(keys.map((key) => key.t))}::text[]) as k(s, f, u, i, r, p, t)),
    found as (
      select e.id from k join calendar_events e on e.source_id = k.s and e.event_fingerprint = k.f
      union
      select e.id from k join calendar_events e on e.source_id = k.s and e.url_hash = k.u
      union
      select e.id from k join calendar_events e on e.source_id = k.s and e.source_uid = k.i
      union
      select e.id from (select distinct s, r from k where r is not null) k
      join calendar_events e on e.source_id = k.s and event_series(e.source_uid) = k.r and e.starts_at > ${now}
      union
      select e.id from (select distinct p from k where p is not null) k
      join calendar_carriers c on c.frontier_id = k.p
      join calendar_events e on e.id = c.item_id and e.source_uid is null and e.starts_at > ${now}
      where (e.source_id, e.title) in (select s, t from k where p is not null)
    )
    select id, source_id as "sourceId", url, encode(url_hash, 'hex') as "urlHash", source_uid as "sourceUid",
      encode(event_fingerprint, 'hex') as fingerprint, sequence, sight,
      sight_at as "sightAt", sight_run_id as "sightRunId",
      raw_item_id as "rawItemId", run_id as "runId", missed_runs as "missedRuns", strategy,
      confidence_score as confidence, provenance, normalization_method as method, enriched, starts_at, ends_at,
      jsonb_build_object('title', title, 'description', description, 'event_date', event_date, 'event_time', event_time,
        'all_day', all_day, 'timezone', timezone, 'structured_date', structured_date, 'venue_name', venue_name,
        'address', address, 'city', city, 'postal_code', postal_code, 'country', country, 'lat', lat, 'lng', lng,
        'geo_precision', geo_precision, 'geo_query', geo_query, 'category', category, 'category_unsure', category_unsure,
        'language', language, 'image_url', image_url, 'organizer', organizer, 'price_text', price_text,
        'online_url', online_url, 'tags', tags, 'recurring', recurring, 'status', status, 'url', url) as fields
    from calendar_events where id in (select id from found) order by id for update`
  return rows.map(({ starts_at, ends_at, ...row }) => ({
    ...row,
    // The column is a single float: read back it is not the number that was written.
    sight: Math.fround(row.sight),
    fields: {
      ...row.fields,
      starts_at: starts_at.toISOString(),
      ends_at: ends_at?.toISOString() ?? null,
    },
  }))
}
