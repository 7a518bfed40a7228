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

/**
 * The planned days that new days of a series without identifiers replace: the same title at the same place, told by the
 * page that told the old day and tells it no longer, and each the nearest to the other within half the rhythm.
 * What has an address of its own is found by that.
 */
export function movedDays(
  rows: readonly EventRow[],
  drafts: readonly EventDraft[],
  now: Date,
): Map<EventDraft, EventRow> {
  const known = grouped(
    rows.filter((row) => row.sourceUid === null && row.fields['status'] !== 'vanished'),
    (row) => nameOf(row.sourceId, row.fields['title'], row.fields['venue_name']),
  )
  const told = grouped(drafts, ({ sourceId, event }) =>
    nameOf(sourceId, event.title, event.venueName),
  )
  const moved = new Map<EventDraft, EventRow>()
  for (const [name, days] of told) {
    const before = known.get(name) ?? []
    // A day that is over leaves its page without having moved.
    const missing = before.filter(
      (row) => startOf(row) > now.getTime() && !days.some((draft) => isDay(row, draft)),
    )
    const fresh = days.filter(
      (draft) => isNameless(draft) && !before.some((row) => isDay(row, draft)),
    )
    if (missing.length === 0 || fresh.length === 0) continue
    const reachMs = rhythmOf(before) / 2
    for (const draft of fresh) {
      const row = nearest(missing, (one) => gapOf(one, draft))
      const rival = row && nearest(fresh, (one) => gapOf(row, one))
      if (row === undefined || rival === undefined || row.runId === draft.runId) continue
      if (gapOf(row, draft) <= reachMs && gapOf(row, rival) === gapOf(row, draft))
        moved.set(draft, row)
    }
  }
  return moved
}

const isNameless = ({ event, urlIsOwn, frontierId, runId }: EventDraft): boolean =>
  event.sourceUid === null && !urlIsOwn && frontierId !== null && runId !== null

/** A time that one of the two does not tell is the other's. */
function isDay({ fields }: EventRow, { event }: EventDraft): boolean {
  return (
    fields['event_date'] === event.eventDate &&
    (fields['event_time'] === event.eventTime ||
      fields['event_time'] === 'TBD' ||
      event.eventTime === 'TBD')
  )
}

function nearest<T>(all: readonly T[], gap: (one: T) => number): T | undefined {
  return all.reduce<T | undefined>(
    (best, one) => (best === undefined || gap(one) < gap(best) ? one : best),
    undefined,
  )
}

const gapOf = (row: EventRow, draft: EventDraft): number =>
  Math.abs(startOf(row) - draft.event.startsAt.getTime())

function grouped<T>(all: readonly T[], name: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(name(one))
    if (group === undefined) groups.set(name(one), [one])
    else group.push(one)
  }
  return groups
}

const nameOf = (...parts: unknown[]): string => JSON.stringify(parts)

function startOf(row: EventRow): number {
  return Date.parse(String(row.fields['starts_at']))
}
