import { never } from './kinds.ts'

/** One change to the pairs table: `n` articles more or fewer were seen in `hour` and next in `nextHour`. */
export interface PairChange {
  hour: number
  nextHour: number
  n: number
}

/**
 * What new events change in the pairs of one article in one lane. Most articles move forward in time, so knowing the
 * last hour is enough; an event that comes late needs the hours already known (`earlier`) to find its neighbours.
 */
export function recordSightings(
  last: number,
  hours: readonly number[],
  earlier: ReadonlySet<number> | null,
): { last: number; changes: PairChange[] } {
  const [first = 0] = hours
  if (hours.length === 1 && first >= last) return moveForward(last, first)
  const changes: PairChange[] = []
  const known = new Set(earlier)
  if (last > 0) known.add(last)
  let latest = last
  for (const hour of new Set(hours)) {
    if (known.has(hour)) continue
    if (hour > latest) {
      if (latest > 0) changes.push(...between(latest, hour, never))
      else changes.push({ hour, nextHour: never, n: 1 })
      latest = hour
    } else {
      const next = neighbour(known, (other) => other > hour, Math.min)
      const previous = neighbour(known, (other) => other < hour, Math.max)
      if (previous !== null) changes.push(...between(previous, hour, next ?? never))
      else changes.push({ hour, nextHour: next ?? never, n: 1 })
    }
    known.add(hour)
  }
  return { last: latest, changes }
}

/** Nearly every event: the latest of its article, alone in its lane. */
function moveForward(last: number, hour: number): { last: number; changes: PairChange[] } {
  if (hour === last) return { last, changes: [] }
  const changes = last > 0 ? between(last, hour, never) : [{ hour, nextHour: never, n: 1 }]
  return { last: hour, changes }
}

function between(previous: number, hour: number, next: number): PairChange[] {
  return [
    { hour: previous, nextHour: next, n: -1 },
    { hour: previous, nextHour: hour, n: 1 },
    { hour, nextHour: next, n: 1 },
  ]
}

function neighbour(
  hours: ReadonlySet<number>,
  fits: (hour: number) => boolean,
  choose: (a: number, b: number) => number,
): number | null {
  let best: number | null = null
  for (const hour of hours) {
    if (fits(hour)) best = best === null ? hour : choose(best, hour)
  }
  return best
}
