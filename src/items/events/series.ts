import type { EventDraft } from '../types.ts'
import type { EventRow } from './row.ts'

/** One day alone has no rhythm; most series are weekly. */
const weekMs = 7 * 86_400_000

/** The shortest time between two days of a series. */
export function rhythmOf(days: readonly EventRow[]): number {
  const starts = days.map(startOf).sort((a, b) => a - b)
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
  return Math.min(weekMs, ...gaps.filter((gap) => gap > 0))
}

/**
 * The planned day that a new day of a series replaces: nobody tells it any more, and it is nearer than half the rhythm.
 * A day that is further away from all others is one more, not one that moved.
 */
export function movedDay(
  days: readonly EventRow[],
  draft: EventDraft,
  rhythmMs: number,
): EventRow | null {
  if (draft.runId === null) return null
  const gap = (row: EventRow): number => Math.abs(startOf(row) - draft.event.startsAt.getTime())
  const [nearest] = days
    .filter((row) => row.runId !== draft.runId && row.fields['status'] !== 'vanished')
    .sort((a, b) => gap(a) - gap(b))
  return nearest !== undefined && gap(nearest) <= rhythmMs / 2 ? nearest : null
}

function startOf(row: EventRow): number {
  return Date.parse(String(row.fields['starts_at']))
}
