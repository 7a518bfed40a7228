import type { Db } from '../../db/pool.ts'

export interface Town {
  name: string
  country: string
  lat: number
  lng: number
}

/** A town where an event was, by its name; of equal names the one with most events. */
export async function findTown(db: Db, name: string): Promise<Town | null> {
  const [row] = await db<Town[]>`
    select city as name, country, avg(lat) as lat, avg(lng) as lng from calendar_events
    where lower(city) = lower(${name}) and country is not null and lat is not null and lng is not null
    group by city, country order by count(*) desc limit 1`
  return row ?? null
}
