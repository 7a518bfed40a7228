import { fold, oneLine } from './clean.ts'
import { capitals, countryNames } from './gazetteer/aliases.ts'
import type { CityHints, Gazetteer } from './gazetteer/gazetteer.ts'
import type { CalendarInput, GeoPrecision, PlaceInput, SourceContext, Where } from './types.ts'

interface Parts {
  venue: string | null
  address: string | null
  city: string | null
  postalCode: string | null
  country: string | null
}

interface Point {
  lat: number
  lng: number
  precision: GeoPrecision
}

const dutchPostcode = /\b([1-9]\d{3})\s?([A-Z]{2})\b/
const anyPostcode = /\b(?:[1-9]\d{3}\s?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|\d{4,5})\b/
const houseNumber =
  /^(?=.*\p{L}{3})(?:\p{L}[\p{L}\p{M}.'’ -]*\s\d+\s?[a-zA-Z]?(?:\s?[-/]\s?\d+)?|\d+[a-zA-Z]?\s\p{L}[\p{L}.'’ -]+)$/u
const mostNameChars = 200

/** The place of an event, always with a name and coordinates; `precision` says how far to trust them. */
export function readWhere(
  calendar: CalendarInput,
  title: string,
  description: string,
  source: SourceContext,
  gazetteer: Gazetteer,
): Where {
  const place = calendar.locations.find(saysSomething) ?? null
  const parts = place === null ? nothing : splitPlace(place, source, gazetteer)
  const hints = hintsFor(source, parts.country)
  const point =
    exactPoint(place) ??
    cityPoint(parts, hints, gazetteer) ??
    mentioned([parts.venue, title, source.name], hints, gazetteer) ??
    sourcePoint(source) ??
    mentioned([description.slice(0, 300)], hints, gazetteer) ??
    capitalPoint(hints)
  const { city, ...coordinates } = point
  const townName = parts.city ?? city
  return {
    venueName: venueNameOf(parts, calendar, townName, source),
    address: parts.address,
    city: townName,
    postalCode: parts.postalCode,
    country: parts.country ?? (townName === null ? null : hints.homeCountry),
    ...coordinates,
    geoQuery: point.precision === 'exact' ? null : geoQueryOf(parts, townName),
  }
}

const nothing: Parts = { venue: null, address: null, city: null, postalCode: null, country: null }

function saysSomething(place: PlaceInput): boolean {
  return (
    [place.name, place.address, place.city].some((text) => (text ?? '').trim() !== '') ||
    place.lat !== null
  )
}

/** Venue, street, postcode and town, whether they came apart or in one line. */
function splitPlace(place: PlaceInput, source: SourceContext, gazetteer: Gazetteer): Parts {
  const parts: Parts = {
    venue: null,
    address: null,
    city: clean(place.city),
    postalCode: clean(place.postalCode),
    country: countryOf(place.country),
  }
  const hints = hintsFor(source, parts.country)
  const [name, ...rest] = piecesOf(place.name)
  const told = piecesOf(place.address)
  // "Podium 35, Marktstraat 3": what ends in a number is the street only where no other does.
  const isNamed = name !== undefined && [...rest, ...told].some((piece) => houseNumber.test(piece))
  if (isNamed && houseNumber.test(name)) parts.venue = name
  else if (name !== undefined) takePiece(parts, name, true, hints, gazetteer)
  for (const piece of rest) takePiece(parts, piece, true, hints, gazetteer)
  for (const piece of told) takePiece(parts, piece, false, hints, gazetteer)
  return parts
}

function piecesOf(text: string | null): string[] {
  return (text ?? '')
    .split(/\s*[,;|\n•]\s*|\s+[-–—]\s+/)
    .map((piece) => oneLine(piece).slice(0, mostNameChars))
    .filter((piece) => piece !== '')
}

function takePiece(
  parts: Parts,
  piece: string,
  fromName: boolean,
  hints: CityHints,
  gazetteer: Gazetteer,
): void {
  const country = countryNames[fold(piece)]
  if (country !== undefined) {
    parts.country ??= country
    return
  }
  const postcode = dutchPostcode.exec(piece)
  if (postcode !== null) {
    parts.postalCode ??= `${postcode[1]} ${postcode[2]}`
    const before = piece.slice(0, postcode.index).trim()
    const after = piece.slice(postcode.index + postcode[0].length).trim()
    if (before !== '') parts.address ??= before
    if (after !== '') parts.city ??= after
    return
  }
  if (
    parts.city !== null &&
    fold(piece) === fold(parts.city) &&
    (!fromName || parts.venue !== null)
  )
    return
  if (parts.postalCode !== null && fold(piece) === fold(parts.postalCode)) return
  if (houseNumber.test(piece)) {
    parts.address ??= piece
    return
  }
  if (anyPostcode.test(piece) && piece.length <= 10) {
    parts.postalCode ??= piece
    return
  }
  if (
    parts.city === null &&
    (!fromName || parts.venue !== null) &&
    gazetteer.find(piece, hints) !== null
  ) {
    parts.city = piece
    return
  }
  if (fromName) parts.venue ??= piece
  else parts.address ??= piece
}

function exactPoint(place: PlaceInput | null): (Point & { city: null }) | null {
  if (place === null || place.lat === null || place.lng === null) return null
  const { lat, lng } = place
  // 0,0 lies in the sea: it is what programs write when they do not know.
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0)) return null
  return { lat, lng, precision: 'exact', city: null }
}

function cityPoint(
  parts: Parts,
  hints: CityHints,
  gazetteer: Gazetteer,
): (Point & { city: string }) | null {
  const name = parts.city ?? parts.venue
  if (name === null) return null
  const city = gazetteer.find(name, hints)
  // A venue called Paris is not in Paris.
  if (city === null || (parts.city === null && city.country !== hints.homeCountry)) return null
  return { lat: city.lat, lng: city.lng, precision: 'city', city: city.name }
}

function mentioned(
  texts: readonly (string | null)[],
  hints: CityHints,
  gazetteer: Gazetteer,
): (Point & { city: string }) | null {
  for (const text of texts) {
    const city = text === null ? null : gazetteer.findIn(text, hints)
    if (city !== null) return { lat: city.lat, lng: city.lng, precision: 'city', city: city.name }
  }
  return null
}

function sourcePoint(source: SourceContext): (Point & { city: null }) | null {
  if (source.defaultLat === null || source.defaultLng === null) return null
  return { lat: source.defaultLat, lng: source.defaultLng, precision: 'source', city: null }
}

function capitalPoint(hints: CityHints): Point & { city: null } {
  const [lat, lng] = capitals[hints.country ?? hints.homeCountry] ?? [52.3731, 4.8925]
  return { lat, lng, precision: 'country', city: null }
}

function venueNameOf(
  parts: Parts,
  calendar: CalendarInput,
  city: string | null,
  source: SourceContext,
): string {
  return (
    parts.venue ??
    parts.address ??
    (calendar.onlineUrl !== null || calendar.status === 'moved_online' ? 'Online' : null) ??
    city ??
    clean(calendar.organizer) ??
    source.name
  ).slice(0, mostNameChars)
}

/** Only an address or a named venue in a known town can be found better than the town itself. */
function geoQueryOf(parts: Parts, city: string | null): string | null {
  const what = parts.address ?? parts.venue
  if (what === null || (city === null && parts.postalCode === null)) return null
  return [what, parts.postalCode, city, parts.country].filter((part) => part !== null).join(', ')
}

function hintsFor(source: SourceContext, country: string | null): CityHints {
  return {
    country,
    near:
      source.defaultLat === null || source.defaultLng === null
        ? null
        : { lat: source.defaultLat, lng: source.defaultLng },
    homeCountry: homeCountryOf(source),
  }
}

function homeCountryOf(source: SourceContext): string {
  const region = /[-_]([A-Za-z]{2})$/.exec(source.locale)?.[1]?.toUpperCase()
  if (region !== undefined) return region
  return (
    zoneHomes[source.timezone] ?? languageHomes[source.locale.slice(0, 2).toLowerCase()] ?? 'NL'
  )
}

const zoneHomes: Readonly<Record<string, string>> = {
  'Europe/Amsterdam': 'NL',
  'Europe/Brussels': 'BE',
  'Europe/Berlin': 'DE',
  'Europe/Paris': 'FR',
  'Europe/London': 'GB',
  'Europe/Dublin': 'IE',
  'Europe/Luxembourg': 'LU',
}
const languageHomes: Readonly<Record<string, string>> = {
  nl: 'NL',
  en: 'GB',
  de: 'DE',
  fr: 'FR',
  es: 'ES',
  it: 'IT',
}

function countryOf(text: string | null): string | null {
  const name = clean(text)
  if (name === null) return null
  if (/^[A-Za-z]{2}$/.test(name) && fold(name) !== 'uk') return name.toUpperCase()
  return countryNames[fold(name)] ?? null
}

function clean(text: string | null): string | null {
  const line = oneLine(text ?? '').slice(0, mostNameChars)
  return line === '' ? null : line
}
