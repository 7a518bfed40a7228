import type { DomEvent } from './events.ts'

const HORIZON_DAYS = 400
const SHARE = 0.8

/**
 * Pages that keep years of past meetings are archives: when what lies over a year back outweighs the rest, only
 * the rest is read, and lists that ended long ago are left out. Short histories stay whole.
 */
export function withoutArchive(events: DomEvent[], ref: string): DomEvent[] {
  const horizon = new Date(Date.parse(`${ref.slice(0, 10)}T00:00:00Z`) - HORIZON_DAYS * 86_400_000)
    .toISOString()
    .slice(0, 10)
  const recent = events.filter((event) => (event.endDate ?? event.date) >= horizon)
  if (recent.length === 0) return events
  const live = new Set(recent.map((event) => event.record.signature))
  const kept = events.filter((event) => live.has(event.record.signature))
  return kept.length - recent.length >= recent.length * SHARE ? recent : kept
}
