import type { Db } from '../../db/pool.ts'
import { eventColumns, type Row } from './list.ts'

export interface FeedWish {
  now: Date
  days: number
  near: { lat: number; lng: number } | null
  /** Category → how much it is liked, 0 to 1; unnamed ones count 0.3. Empty: no preference. */
  likes: Readonly<Record<string, number>>
  limit: number
  offset: number
}

/** How much each part of the score weighs; together 100. */
export const feedWeights = {
  distance: 30,
  category: 25,
  time: 20,
  reliability: 10,
  popularity: 15,
} as const

/**
 * Upcoming events in the order somebody is likely to care. Every part is a number from 0 to 1 and given with the event:
 * distance halves each 10 km, time halves each week, popularity is how many sources tell it.
 */
export async function rankFeed(db: Db, wish: FeedWish): Promise<Row[]> {
  const { near } = wish
  const distance =
    near === null
      ? db`0.5`
      : db`power(0.5, distance_km(e.lat, e.lng, ${near.lat}, ${near.lng}) / 10)`
  const hasLikes = Object.keys(wish.likes).length > 0
  const category = hasLikes
    ? db`coalesce((${db.json(wish.likes)}::jsonb ->> e.category)::double precision, 0.3)`
    : db`0.5`
  return db<Row[]>`
    with upcoming as (
      select ${eventColumns(db)}, e.lat, e.lng,
        ${near === null ? db`null::double precision` : db`round(distance_km(e.lat, e.lng, ${near.lat}, ${near.lng})::numeric, 2)::double precision`} as distance_km,
        ${distance} as p_distance, ${category} as p_category,
        power(0.5, greatest(0, extract(epoch from e.starts_at - ${wish.now}::timestamptz)) / 604800) as p_time,
        coalesce(h.reliability, 0.5) as p_reliability,
        1 - power(0.6, coalesce(c.size, 1) - 1) as p_popularity
      from calendar_events e
      left join cluster_members m on m.item_id = e.id left join clusters c on c.id = m.cluster_id
      left join sources s on s.id = e.source_id
      left join source_health h on h.source_id = e.source_id
      where e.starts_at >= ${wish.now} and e.starts_at < ${wish.now}::timestamptz + make_interval(days => ${wish.days})
        and e.status in ('active', 'rescheduled') and (c.id is null or c.canonical_id = e.id))
    select *, round((${feedWeights.distance} * p_distance + ${feedWeights.category} * p_category + ${feedWeights.time} * p_time
      + ${feedWeights.reliability} * p_reliability + ${feedWeights.popularity} * p_popularity)::numeric, 2)::double precision as score
    from upcoming order by score desc, starts_at, id limit ${wish.limit} offset ${wish.offset}`
}
