import type { RawLocation } from '../types.ts'
import { readText } from './read-value.ts'
import { isObject, type JsonObject } from './state.ts'

const KEYS = {
  name: /^(?:name|naam|title|titel|venue|venuename|locationname|label|displayname|location|place)$/,
  address:
    /^(?:address|adres|street|straat|streetaddress|addressline1?|address1|line1|formattedaddress|fulladdress)$/,
  city: /^(?:city|town|stad|plaats|municipality|gemeente|locality|addresslocality|cityname|woonplaats)$/,
  postalCode: /^(?:postalcode|postcode|zip|zipcode)$/,
  country: /^(?:country|land|countrycode|countryname|addresscountry)$/,
  lat: /^(?:lat|latitude|breedtegraad)$/,
  lng: /^(?:lng|lon|long|longitude|lengtegraad)$/,
} as const
const NESTED =
  /^(?:address|adres|geo|coordinates|coords|position|point|location|geometry|city|country|latlng|geolocation|map)$/

/** A place from whatever shape an application keeps its venues in. */
export function readPlace(value: unknown): RawLocation | null {
  const place: RawLocation = {
    name: null,
    address: null,
    city: null,
    postalCode: null,
    country: null,
    lat: null,
    lng: null,
  }
  if (typeof value === 'string') place.name = readText(value)
  else if (Array.isArray(value)) return value.length === 0 ? null : readPlace(value[0])
  else if (isObject(value)) fillPlace(place, value, 0)
  if (place.name !== null && (/^https?:/.test(place.name) || place.name.length > 300))
    place.name = null
  return place.name === null && place.address === null && place.city === null && place.lat === null
    ? null
    : place
}

function fillPlace(place: RawLocation, object: JsonObject, depth: number): void {
  for (const [rawKey, value] of Object.entries(object).slice(0, 80)) {
    const key = rawKey.toLowerCase().replace(/[^a-z\d]/g, '')
    if (typeof value === 'string') {
      for (const field of ['name', 'address', 'city', 'postalCode', 'country'] as const) {
        // The name of an address block is not the name of the place.
        if (KEYS[field].test(key) && !(field === 'name' && depth > 0))
          place[field] ??= readText(value)
      }
    } else if (Array.isArray(value) && key === 'coordinates') {
      place.lng ??= degrees(value[0], 180)
      place.lat ??= degrees(value[1], 90)
    } else if (isObject(value)) {
      if (KEYS.city.test(key)) place.city ??= readText(value)
      else if (KEYS.country.test(key)) place.country ??= readText(value)
      else if (KEYS.name.test(key) && !NESTED.test(key)) place.name ??= readText(value)
      else if (NESTED.test(key) && depth < 3) fillPlace(place, value, depth + 1)
    }
    if (KEYS.lat.test(key)) place.lat ??= degrees(value, 90)
    if (KEYS.lng.test(key)) place.lng ??= degrees(value, 180)
  }
}

function degrees(value: unknown, limit: number): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : Number.NaN
  return Number.isFinite(number) && number !== 0 && Math.abs(number) <= limit ? number : null
}
