import type { Db } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import { queriesFor } from './queries.ts'

export interface NewPlace {
  name: string
  country: string
  lat: number
  lng: number
  population: number
}

export interface Place extends NewPlace {
  id: string
  queries: string[]
  status: 'pending' | 'processing' | 'completed' | 'failed'
  checkpoint: number
  attempts: number
  nextAttemptAt: Date
  leaseToken: string | null
  found: number
  error: string | null
  searchedAt: Date | null
  createdAt: Date
}

const leaseMinutes = 10
const maxAttempts = 5
const columns = (db: Db) => db`
  id, name, country, lat, lng, population, queries, status, checkpoint, attempts, next_attempt_at as "nextAttemptAt",
  lease_token as "leaseToken", found, error, searched_at as "searchedAt", created_at as "createdAt"`

/** Puts places on the list; those that were searched since `restedBefore`, or wait already, stay as they are. */
export async function planPlaces(
  db: Db,
  places: readonly NewPlace[],
  restedBefore: Date,
  now: Date,
): Promise<number> {
  const rows = places.map((place) => ({
    ...place,
    id: newId(now.getTime()),
    queries: queriesFor(place.name, place.country),
  }))
  const planned = await db`
    insert into discovery_places (id, name, country, lat, lng, population, queries, next_attempt_at, created_at)
    select id, name, country, lat, lng, population, queries, ${now}, ${now}
    from jsonb_to_recordset(${db.json(rows)}) as p (id uuid, name text, country text, lat double precision,
      lng double precision, population integer, queries text[])
    on conflict (country, name) do update
    set status = 'pending', checkpoint = 0, attempts = 0, found = 0, error = null, queries = excluded.queries,
      next_attempt_at = excluded.next_attempt_at
    where discovery_places.status in ('completed', 'failed')
      and coalesce(discovery_places.searched_at, '-infinity') < ${restedBefore}
    returning 1`
  return planned.length
}

/** The largest place that is due, leased for a while: who dies with it leaves it to the next. */
export async function claimPlace(db: Db, now: Date): Promise<Place | null> {
  const [place] = await db<Place[]>`
    update discovery_places set status = 'processing', lease_token = ${newId()}, attempts = attempts + 1,
      next_attempt_at = ${now}::timestamptz + make_interval(mins => ${leaseMinutes})
    where id = (
      select id from discovery_places where status in ('pending', 'processing') and next_attempt_at <= ${now}
      order by population desc, next_attempt_at limit 1 for update skip locked)
    returning ${columns(db)}`
  return place ?? null
}

/** One more query is done. False when the place is somebody else's by now. */
export async function advancePlace(
  db: Db,
  place: Place,
  found: number,
  now: Date,
): Promise<boolean> {
  const rows = await db`
    update discovery_places set checkpoint = checkpoint + 1, found = found + ${found},
      next_attempt_at = ${now}::timestamptz + make_interval(mins => ${leaseMinutes})
    where id = ${place.id} and lease_token = ${place.leaseToken} returning 1`
  return rows.length > 0
}

export async function completePlace(db: Db, place: Place, now: Date): Promise<void> {
  await db`
    update discovery_places set status = 'completed', lease_token = null, error = null, searched_at = ${now}
    where id = ${place.id} and lease_token = ${place.leaseToken}`
}

/** Goes on from its checkpoint later; after the last try it waits for the next week. */
export async function postponePlace(
  db: Db,
  place: Place,
  failure: { reason: string; retryAt: Date },
): Promise<void> {
  await db`
    update discovery_places
    set status = case when attempts >= ${maxAttempts} then 'failed' else 'pending' end,
      lease_token = null, error = ${failure.reason}, next_attempt_at = ${failure.retryAt}
    where id = ${place.id} and lease_token = ${place.leaseToken}`
}

export async function listPlaces(
  db: Db,
  status: Place['status'] | null,
  page: { limit: number; offset: number },
): Promise<{ rows: Place[]; total: number }> {
  const matching = status === null ? db`true` : db`status = ${status}`
  const rows = await db<Place[]>`
    select ${columns(db)} from discovery_places where ${matching}
    order by population desc, id limit ${page.limit} offset ${page.offset}`
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from discovery_places where ${matching}`
  return { rows, total: count?.total ?? 0 }
}
