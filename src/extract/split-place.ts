import type { RawLocation } from './types.ts'

const MAX_CHARS = 300
const POSTAL = /^(?:(?:[A-Z]{1,2}-)?(\d{4} ?[A-Z]{2}|\d{4,5}))\s+(\p{L}.*)$/u
const POSTAL_UK = /^(.*?)\s*\b([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/
const POSTAL_US = /^(?:(\p{L}[\p{L} .'-]*?),?\s+)?([A-Z]{2})\s+(\d{5}(?:-\d{4})?)$/u
const STREET =
  /^(?:\p{L}[^\d]{1,60}\s\d{1,5}\s?[a-z]?(?:[-/]\d{1,4}[a-z]?)?|\d{1,6}[a-z]?\s+\p{L}.{2,60})$/iu
const ROOM = /^(?:zaal|kamer|lokaal|studio|room|hall|suite|floor|level|gate|saal|salle|raum)\s/i
const COUNTRY =
  /^(?:nederland|the netherlands|netherlands|nl|belgi[eë]|belgium|be|deutschland|germany|duitsland|de|united kingdom|uk|england|usa|united states|france|frankrijk)$/i

/** Takes "Hall, Street 12, 1234 AB Town" apart; a place that already is in parts stays as it is. */
export function splitPlace(place: RawLocation): RawLocation {
  const whole = place.address ?? place.name
  if (place.city !== null || whole === null || whole.length > MAX_CHARS) return place
  const parts = whole
    .split(/\s*(?:[,;\n|•·]|\s[-–—]\s)\s*/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length < 2) return place
  return assemble(place, parts)
}

function assemble(place: RawLocation, parts: readonly string[]): RawLocation {
  const rest = [...parts]
  let country: string | null = null
  if (rest.length > 2 && COUNTRY.test(rest.at(-1) ?? '')) country = rest.pop() ?? null
  const street = rest.findLastIndex(isStreet)
  if (street < 0) return place
  const after = rest.slice(street + 1)
  const town = townOf(after)
  if (town === null) return place
  const before = rest.slice(0, street).join(', ')
  return {
    ...place,
    name: place.address === null || before !== '' ? before || null : place.name,
    address: rest[street] ?? null,
    city: town.city,
    postalCode: place.postalCode ?? town.postalCode,
    country: place.country ?? country,
  }
}

function isStreet(part: string): boolean {
  return STREET.test(part) && ![POSTAL, POSTAL_US, ROOM].some((other) => other.test(part))
}

function townOf(parts: readonly string[]): { city: string; postalCode: string | null } | null {
  const last = parts.at(-1)
  if (last === undefined || parts.length > 3) return null
  const postal = POSTAL.exec(last)
  if (postal !== null) return { city: postal[2] ?? '', postalCode: postal[1] ?? null }
  const american = POSTAL_US.exec(last)
  if (american !== null) {
    const city = american[1] ?? parts.at(-2)
    return city === undefined ? null : { city, postalCode: american[3] ?? null }
  }
  const british = POSTAL_UK.exec(last)
  if (british !== null) {
    const city = british[1] === '' ? parts.at(-2) : british[1]
    return city === undefined ? null : { city, postalCode: british[2] ?? null }
  }
  return /^\p{Lu}[^\d]*$/u.test(last) ? { city: last, postalCode: null } : null
}
