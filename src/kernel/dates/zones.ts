import { Temporal } from 'temporal-polyfill'

/**
 * The instant of a wall-clock time in a zone. A time inside a DST gap moves forward by the gap, a time that
 * happens twice is the first one ("compatible", as in RFC 5545).
 */
export function toInstant(local: string, zone: string): Date {
  const withZone = /(Z|[+-]\d\d:?\d\d)$/i.exec(local)
  if (withZone !== null && local.includes('T'))
    return new Date(Temporal.Instant.from(local).epochMilliseconds)
  const plain = Temporal.PlainDateTime.from(local)
  return new Date(plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds)
}

/** The wall clock of an instant in a zone, as `YYYY-MM-DDTHH:MM`. */
export function isoLocal(date: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(date.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}
