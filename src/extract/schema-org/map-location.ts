import type { RawLocation } from '../types.ts'
import { cleanText, textOf, thingsOf, urlOf } from './read-property.ts'
import { isPlain, isThing, type Thing, type ThingValue } from './thing.ts'

export interface MappedLocations {
  locations: RawLocation[]
  onlineUrl: string | null
}

/** Places and online addresses of a calendar event, in the order they are named. */
export function mapLocations(thing: Thing, baseUrl: string): MappedLocations {
  const locations: RawLocation[] = []
  let onlineUrl: string | null = null
  for (const value of thing.props.get('location') ?? []) {
    if (isThing(value) && value.types.includes('VirtualLocation')) {
      onlineUrl ??= urlOf(value, baseUrl, 'url', 'sameAs')?.value ?? null
      if (onlineUrl === null) addPlace(locations, value)
    } else if (typeof value === 'string' && /^https?:\/\/\S+$/.test(value.trim())) {
      onlineUrl ??= value.trim()
    } else addPlace(locations, value)
  }
  const geo = thingsOf(thing, 'geo')[0]
  const first = locations[0]
  if (geo !== undefined && first !== undefined && first.lat === null)
    Object.assign(first, coordinates(geo))
  return { locations, onlineUrl }
}

function addPlace(locations: RawLocation[], value: ThingValue): void {
  const place = isThing(value) ? mapPlace(value) : named(cleanText(String(value)))
  if (place.name === null && place.address === null && place.city === null && place.lat === null)
    return
  if (!locations.some((known) => JSON.stringify(known) === JSON.stringify(place)))
    locations.push(place)
}

function mapPlace(thing: Thing): RawLocation {
  const address = addressThing(thing)
  const street = textOf(address, 'streetAddress', 'postOfficeBoxNumber')?.value ?? null
  const geo = thingsOf(thing, 'geo')[0] ?? thing
  return {
    name: textOf(thing, 'name', 'legalName', 'alternateName')?.value ?? null,
    address:
      street ??
      (address === thing ? null : (textOf(address, 'name')?.value ?? null)) ??
      addressText(thing),
    city: textOf(address, 'addressLocality', 'addressRegion')?.value ?? null,
    postalCode: textOf(address, 'postalCode')?.value ?? null,
    country: textOf(address, 'addressCountry')?.value ?? null,
    ...coordinates(geo),
  }
}

function addressThing(thing: Thing): Thing {
  return thingsOf(thing, 'address')[0] ?? thing
}

function addressText(thing: Thing): string | null {
  const text = thing.props.get('address')?.find((value) => typeof value === 'string')
  return text === undefined ? null : cleanText(text) || null
}

function coordinates(geo: Thing): { lat: number | null; lng: number | null } {
  const lat = degrees(geo, 90, 'latitude')
  const lng = degrees(geo, 180, 'longitude')
  return lat === null || lng === null ? { lat: null, lng: null } : { lat, lng }
}

function degrees(geo: Thing, limit: number, name: string): number | null {
  const text = geo.props.get(name)?.find(isPlain)
  if (text === undefined || text === '') return null
  const number = Number(String(text).replace(',', '.'))
  return Number.isFinite(number) && Math.abs(number) <= limit ? number : null
}

function named(name: string): RawLocation {
  return {
    name: name || null,
    address: null,
    city: null,
    postalCode: null,
    country: null,
    lat: null,
    lng: null,
  }
}
