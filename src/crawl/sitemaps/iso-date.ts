const W3C_DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?)?)?$/i

/** The first usable date as an ISO day, or as an ISO instant in UTC; a time without a zone counts as UTC. */
export function isoDate(candidates: (string | undefined)[]): string | null {
  for (const candidate of candidates) {
    const date = candidate === undefined ? null : parse(candidate.trim())
    if (date !== null) return date
  }
  return null
}

function parse(text: string): string | null {
  const [match, year, month = '01', day = '01', hour, minute, second = '00', zone = 'Z'] =
    W3C_DATE.exec(text) ?? []
  if (match === undefined) return toIso(Date.parse(/[a-z]{3}|[+-]\d{4}$/i.test(text) ? text : ''))
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return Number.isNaN(Date.parse(date)) ? null : date
  const offset = /^[+-]\d{4}$/.test(zone)
    ? `${zone.slice(0, 3)}:${zone.slice(3)}`
    : zone.toUpperCase()
  return toIso(Date.parse(`${date}T${hour}:${minute}:${second}${offset}`))
}

function toIso(time: number): string | null {
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
