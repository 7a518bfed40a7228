import { z } from 'zod'
import { RetryLater } from '../../kernel/errors.ts'

export interface Located {
  lat: number
  lng: number
  /** The service's own words for the place. */
  name: string
}

/** Finds one place by its written address; null when the service knows none. */
export type Geocoder = (query: string, signal?: AbortSignal) => Promise<Located | null>

export interface GeocoderOptions {
  /** Of a Nominatim or a service that speaks like it, such as https://nominatim.example/. */
  baseUrl: string
  userAgent: string
  /** The guarded one: the address comes from configuration. */
  fetch: typeof fetch
  timeoutMs?: number
}

const answer = z.array(
  z.object({
    lat: z.coerce.number(),
    lon: z.coerce.number(),
    display_name: z.string().default(''),
  }),
)

export function createGeocoder(options: GeocoderOptions): Geocoder {
  return async (query, signal) => {
    const url = new URL(
      'search',
      options.baseUrl.endsWith('/') ? options.baseUrl : `${options.baseUrl}/`,
    )
    url.search = new URLSearchParams({ q: query, format: 'jsonv2', limit: '1' }).toString()
    const timeout = AbortSignal.timeout(options.timeoutMs ?? 10_000)
    const response = await options.fetch(url, {
      headers: { 'user-agent': options.userAgent, accept: 'application/json' },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new RetryLater(`the geocoder answered ${response.status}`)
    }
    const places = answer.safeParse(await response.json())
    if (!places.success)
      throw new RetryLater('the geocoder answered something that is no list of places')
    const [place] = places.data
    if (place === undefined || Math.abs(place.lat) > 90 || Math.abs(place.lon) > 180) return null
    return { lat: place.lat, lng: place.lon, name: place.display_name }
  }
}
