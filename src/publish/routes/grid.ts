/** Cells of about a quarter degree; a route that needs more of them is not narrow enough for the index. */
const cellDegrees = 0.25
const mostCells = 2000
const kmPerDegree = 111.19

export function gridKey(lat: number, lng: number): string {
  return `cell:${Math.floor(lat / cellDegrees)}:${column(lng)}`
}

/** Every cell a circle may touch, or null when those are too many. */
export function gridKeysAround(lat: number, lng: number, radiusKm: number): string[] | null {
  const south = lat - radiusKm / kmPerDegree
  const north = lat + radiusKm / kmPerDegree
  // Degrees of longitude are shortest where the circle comes closest to a pole.
  const narrowest = Math.cos(
    (Math.min(89.9, Math.max(Math.abs(south), Math.abs(north))) * Math.PI) / 180,
  )
  const reach = radiusKm / (kmPerDegree * narrowest)
  if (south < -90 || north > 90 || reach > 90) return null
  const rows = Math.floor(north / cellDegrees) - Math.floor(south / cellDegrees) + 1
  const columns =
    Math.floor((lng + reach) / cellDegrees) - Math.floor((lng - reach) / cellDegrees) + 1
  if (rows * columns > mostCells) return null
  const keys: string[] = []
  for (let row = 0; row < rows; row++) {
    for (let at = 0; at < columns; at++) {
      const cellLng = lng - reach + at * cellDegrees
      keys.push(`cell:${Math.floor(south / cellDegrees) + row}:${column(cellLng)}`)
    }
  }
  return keys
}

/** West of 180° is east of -180°. */
function column(lng: number): number {
  const columns = 360 / cellDegrees
  return ((Math.floor(lng / cellDegrees) % columns) + columns) % columns
}
