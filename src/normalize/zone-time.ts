import { LRUCache } from 'lru-cache'
import { isoLocal, toInstant } from '../kernel/dates/index.ts'

// Zone arithmetic takes 0.1 to 0.3 ms, and the events of a site share a few hundred hours: the offset of each hour
// is worked out once. Offsets change at full hours, so the whole hour shares it; where they do not, it is not kept.
const offsetsByLocalHour = new LRUCache<string, number>({ max: 20_000 })
const offsetsByInstantHour = new LRUCache<string, number>({ max: 20_000 })
const hourMs = 3_600_000

/** The instant of a local `YYYY-MM-DD[THH:MM[:SS]]` in a zone; null when it is no date. */
export function instantOf(local: string, zone: string): Date | null {
  const full = local.length === 10 ? `${local}T00:00` : local
  const asUtc = Date.parse(`${full}Z`)
  if (Number.isNaN(asUtc) || !sameDay(asUtc, full)) return null
  const hour = full.slice(0, 13)
  const key = `${zone} ${hour}`
  let offset = offsetsByLocalHour.get(key)
  if (offset === undefined) {
    const first = offsetOf(`${hour}:00`, zone)
    const last = offsetOf(`${hour}:59`, zone)
    if (first === null || last === null) return null
    if (first !== last) return toInstant(full, zone)
    offset = first
    offsetsByLocalHour.set(key, offset)
  }
  return new Date(asUtc - offset)
}

/** The wall clock of an instant, `YYYY-MM-DDTHH:MM`. */
export function localOf(instant: Date, zone: string): string {
  const time = instant.getTime()
  const key = `${zone} ${Math.floor(time / hourMs)}`
  let offset = offsetsByInstantHour.get(key)
  if (offset === undefined) {
    offset = Date.parse(`${isoLocal(instant, zone)}Z`) - Math.floor(time / 60_000) * 60_000
    offsetsByInstantHour.set(key, offset)
  }
  return new Date(time + offset).toISOString().slice(0, 16)
}

export function isZone(zone: string | null): zone is string {
  if (zone === null || zone === '') return false
  let known = zones.get(zone)
  if (known === undefined) {
    known = tryZone(zone)
    zones.set(zone, known)
  }
  return known
}

const zones = new LRUCache<string, boolean>({ max: 1000 })

function tryZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function offsetOf(local: string, zone: string): number | null {
  try {
    return Date.parse(`${local}Z`) - toInstant(local, zone).getTime()
  } catch {
    return null
  }
}

/** JavaScript takes the 31st of June for the 1st of July; every month has 28 days. */
function sameDay(asUtc: number, full: string): boolean {
  if (full.slice(8, 10) <= '28') return true
  return new Date(asUtc).toISOString().slice(0, 10) === full.slice(0, 10)
}
