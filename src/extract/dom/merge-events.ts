import type { DomEvent } from './events.ts'

/**
 * One event told in several places becomes one: same day, and the same hour or name, or one of the two tells
 * neither.
 */
export function mergeEvents(events: DomEvent[]): DomEvent[] {
  const byDate = new Map<string, DomEvent[]>()
  const kept: DomEvent[] = []
  for (const event of events) {
    const sameDay = byDate.get(event.date) ?? []
    const twin = sameDay.find((other) => isSame(other, event))
    if (twin === undefined) {
      sameDay.push(event)
      byDate.set(event.date, sameDay)
      kept.push(event)
    } else fill(twin, event)
  }
  return kept
}

function isSame(a: DomEvent, b: DomEvent): boolean {
  const sameList = a.record.signature === b.record.signature
  const ownTimes = a.timeLine !== null && b.timeLine !== null
  if (ownTimes && a.time?.start !== b.time?.start) return false
  if (sameName(a, b)) return true
  if (ownTimes && a.time?.start === b.time?.start && !sameList) return true
  if (sameList && a.ownTitle === b.ownTitle) return false
  return !a.ownTitle || !b.ownTitle || !sameList
}

function sameName(a: DomEvent, b: DomEvent): boolean {
  const key = (event: DomEvent): string =>
    event.title.text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const [left, right] = [key(a), key(b)]
  return left !== '' && (left.includes(right) || right.includes(left))
}

function fill(target: DomEvent, other: DomEvent): void {
  const isBetter = other.ownTitle && (!target.ownTitle || other.groupSize > target.groupSize * 2)
  if (isBetter) {
    target.title = other.title
    target.ownTitle = true
  }
  if (target.timeLine === null && other.timeLine !== null) {
    target.time = other.time
    target.timeLine = other.timeLine
  }
  target.time ??= other.time
  target.place ??= other.place
  target.endDate ??= other.endDate
  if (target.status === 'scheduled') target.status = other.status
}
