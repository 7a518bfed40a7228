import type { Query } from '../../api/client.ts'

/** A circle on the map; the name is what the person typed. */
export interface Near {
  name?: string
  lat: number
  lng: number
  km: number
}

export function nearQuery(near: Near | null): Query {
  return near === null ? {} : { near: `${near.lat},${near.lng}`, km: near.km }
}
