import { plus } from './parse.ts'
import { recur } from './recur.ts'
import type {
  IcsCalendar,
  IcsDuration,
  IcsEvent,
  IcsLimits,
  IcsOccurrence,
  IcsRule,
  IcsTime,
  IcsZone,
} from './types.ts'
import { epochOf, formatTime } from './values.ts'

const DAY = 86_400
export const DEFAULT_LIMITS: IcsLimits = { maxOccurrences: 20_000, maxSteps: 40_000 }

type Zones = ReadonlyMap<string, IcsZone>

/** Every occurrence that touches the window, in order. Days and floating times count as UTC for the window only. */
export function expandIcs(
  calendar: IcsCalendar,
  from: Date,
  to: Date,
  limits: IcsLimits = DEFAULT_LIMITS,
): IcsOccurrence[] {
  const window = { from: from.getTime() / 1000, to: to.getTime() / 1000 }
  const found: { at: number; occurrence: IcsOccurrence }[] = []
  for (const series of seriesOf(calendar.events)) {
    for (const slot of slotsOf(series, calendar, window, limits)) {
      if (found.length >= limits.maxOccurrences) break
      const at = epochOf(slot.start, calendar.zones)
      const until = slot.end === null ? at : epochOf(slot.end, calendar.zones)
      if (at < window.to && (until > window.from || at >= window.from)) {
        found.push({ at, occurrence: toOccurrence(slot, calendar.zones) })
      }
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ occurrence }) => occurrence)
}

interface Window {
  from: number
  to: number
}

interface Series {
  main: IcsEvent | null
  overrides: IcsEvent[]
}

interface Slot {
  event: IcsEvent
  start: IcsTime
  end: IcsTime | null
  recurrenceId: IcsTime | null
}

/** Events of one UID: the series itself and the occurrences that were changed. The highest SEQUENCE wins. */
function seriesOf(events: IcsEvent[]): Series[] {
  const byUid = new Map<string, Series>()
  const all: Series[] = []
  for (const event of events) {
    if (event.uid === null) {
      all.push({ main: event, overrides: [] })
      continue
    }
    let series = byUid.get(event.uid)
    const isMain = event.times.recurrenceId === null
    if (series === undefined || (isMain && series.main !== null && !replaces(event, series.main))) {
      series = { main: null, overrides: [] }
      if (!byUid.has(event.uid)) byUid.set(event.uid, series)
      all.push(series)
    }
    if (isMain) series.main = event
    else series.overrides.push(event)
  }
  return all
}

/** A newer version of the same series, not another event that shares its UID by mistake. */
function replaces(event: IcsEvent, known: IcsEvent): boolean {
  return (
    event.sequence !== known.sequence &&
    event.start === known.start &&
    event.sequence > known.sequence
  )
}

function* slotsOf(
  series: Series,
  calendar: IcsCalendar,
  window: Window,
  limits: IcsLimits,
): Generator<Slot> {
  const { zones } = calendar
  const { main } = series
  const overrides = latestOverrides(series.overrides, main?.times.start ?? null, zones)
  const used = new Set<string>()
  if (main?.times.start !== null && main !== null) {
    for (const slot of mainSlots(main, zones, calendar.timezone, window, limits)) {
      const exact = keyOf(slot.start, zones)
      const key = overrides.has(exact) ? exact : dayKey(slot.start)
      const changed = overrides.get(key)
      if (changed === undefined) {
        yield moved(slot, series.overrides, zones)
        continue
      }
      used.add(key)
      yield* overrideSlot(changed, zones)
    }
  }
  for (const [key, event] of overrides) {
    if (!used.has(key)) yield* overrideSlot(event, zones)
  }
}

function* overrideSlot(event: IcsEvent, zones: Zones): Generator<Slot> {
  const { start, recurrenceId } = event.times
  if (start !== null) yield { event, start, end: endFor(event, start, zones), recurrenceId }
}

function latestOverrides(
  overrides: IcsEvent[],
  start: IcsTime | null,
  zones: Zones,
): Map<string, IcsEvent> {
  const latest = new Map<string, IcsEvent>()
  for (const event of overrides) {
    const { recurrenceId } = event.times
    if (recurrenceId === null) continue
    const key = keyOf(likeStart(recurrenceId, start), zones)
    const known = latest.get(key)
    if (known === undefined || event.sequence >= known.sequence) latest.set(key, event)
  }
  return latest
}

/** Names an occurrence the way its series does: by day, or on the clock of the series when no zone is given. */
function likeStart(time: IcsTime, start: IcsTime | null): IcsTime {
  if (start?.kind === 'date' && time.kind !== 'date')
    return { ...time, kind: 'date', second: 0, zone: null }
  return start?.kind === 'zoned' && time.kind === 'floating'
    ? { ...time, kind: 'zoned', zone: start.zone }
    : time
}

/** RANGE=THISANDFUTURE: later occurrences move as far as the changed one did. */
function moved(slot: Slot, overrides: IcsEvent[], zones: Zones): Slot {
  const at = epochOf(slot.start, zones)
  let best: IcsEvent | null = null
  let bestAt = Number.NEGATIVE_INFINITY
  for (const event of overrides) {
    const { recurrenceId, andFuture, start } = event.times
    if (!andFuture || recurrenceId === null || start === null) continue
    const from = epochOf(recurrenceId, zones)
    if (from <= at && from > bestAt) {
      best = event
      bestAt = from
    }
  }
  if (best?.times.start == null || best.times.recurrenceId === null) return slot
  const shift = {
    days: best.times.start.day - best.times.recurrenceId.day,
    seconds: best.times.start.second - best.times.recurrenceId.second,
  }
  const start = plus(slot.start, shift)
  return { event: best, start, end: endFor(best, start, zones), recurrenceId: slot.start }
}

function* mainSlots(
  event: IcsEvent,
  zones: Zones,
  home: string | null,
  window: Window,
  limits: IcsLimits,
): Generator<Slot> {
  const { rules, rdates } = event.times
  const start = homeStart(event, zones, home)
  if (start === null) return
  const excluded = exclusions(event, zones, window, limits)
  const seen = new Set<string>()
  const offered = function* (at: IcsTime, end: IcsTime | null): Generator<Slot> {
    const key = keyOf(at, zones)
    if (seen.has(key) || excluded.has(key) || excluded.has(dayKey(at))) return
    seen.add(key)
    yield { event, start: at, end, recurrenceId: event.recurring ? at : null }
  }
  for (const { at, end, duration } of rdates) {
    yield* offered(at, end ?? (duration === null ? endFor(event, at, zones) : plus(at, duration)))
  }
  // The start belongs to the series even when its rule does not produce it.
  yield* offered(start, endFor(event, start, zones))
  for (const rule of rules) {
    for (const at of ruleTimes(rule, start, event, zones, window, limits))
      yield* offered(at, endFor(event, at, zones))
  }
}

/**
 * A series in UTC inside a calendar that names its zone keeps its hour there: exporters write UTC for
 * the first date only, and the event does not move when summer time ends.
 */
function homeStart(event: IcsEvent, zones: Zones, home: string | null): IcsTime | null {
  const { start, rules } = event.times
  const zone = home === null ? undefined : zones.get(home)
  if (start?.zone !== 'UTC' || rules.length === 0 || zone === undefined) return start
  return { kind: 'zoned', ...zone.toWall(epochOf(start, zones)), zone: home }
}

/** The rule's dates as times like the start, from a little before the window to its end. */
function* ruleTimes(
  rule: IcsRule,
  start: IcsTime,
  event: IcsEvent,
  zones: Zones,
  window: Window,
  limits: IcsLimits,
): Generator<IcsTime> {
  const length = lengthOf(event, zones)
  const from = window.from - length - 2 * DAY
  const fromWall = { day: Math.floor(from / DAY), second: 0 }
  const lastEpoch =
    rule.until === null ? Number.POSITIVE_INFINITY : untilEpoch(rule.until, start, zones)
  const lastDay = Math.floor(window.to / DAY) + 2
  for (const wall of recur(rule, start, fromWall, limits.maxSteps, lastDay)) {
    const at: IcsTime = { ...start, ...wall }
    const epoch = epochOf(at, zones)
    if (epoch > lastEpoch || epoch >= window.to) return
    if (epoch >= from) yield at
  }
}

/** UNTIL counts to the end of its day when it is a day, else on the clock it was written for. */
function untilEpoch(until: IcsTime, start: IcsTime, zones: Zones): number {
  if (until.kind === 'zoned')
    return start.kind === 'date' ? until.day * DAY + DAY - 1 : epochOf(until, zones)
  const second = until.kind === 'date' ? DAY - 1 : until.second
  return epochOf(
    { ...start, day: until.day, second: start.kind === 'date' ? DAY - 1 : second },
    zones,
  )
}

function exclusions(event: IcsEvent, zones: Zones, window: Window, limits: IcsLimits): Set<string> {
  const keys = new Set<string>()
  const { start, exdates, excludedRules } = event.times
  for (const at of exdates) keys.add(keyOf(likeStart(at, start), zones))
  if (start === null) return keys
  for (const rule of excludedRules) {
    for (const at of ruleTimes(rule, start, event, zones, window, limits))
      keys.add(keyOf(at, zones))
  }
  return keys
}

/** The end that belongs to a start: same length on the clock for days, same length in time otherwise. */
function endFor(event: IcsEvent, start: IcsTime, zones: Zones): IcsTime | null {
  const { start: first, end, duration } = event.times
  if (duration !== null && end === null) return plus(start, duration)
  if (first === null) return null
  if (end === null) return first.kind === 'date' ? { ...start, day: start.day + 1 } : null
  const length: IcsDuration = { days: end.day - first.day, seconds: end.second - first.second }
  if (end.kind === start.kind && end.zone === start.zone) return plus(start, length)
  return utcTime(epochOf(start, zones) + epochOf(end, zones) - epochOf(first, zones))
}

function utcTime(epoch: number): IcsTime {
  const day = Math.floor(epoch / DAY)
  return { kind: 'zoned', day, second: epoch - day * DAY, zone: 'UTC' }
}

function lengthOf(event: IcsEvent, zones: Zones): number {
  const { start } = event.times
  const end = start === null ? null : endFor(event, start, zones)
  return start === null || end === null
    ? 0
    : Math.min(366 * DAY, Math.max(0, epochOf(end, zones) - epochOf(start, zones)))
}

/** Two ways to write one moment are one key; a day or floating time is its own clock. */
function keyOf(time: IcsTime, zones: Zones): string {
  return time.kind === 'date' ? dayKey(time) : `${time.kind} ${String(epochOf(time, zones))}`
}

function dayKey(time: IcsTime): string {
  return `day ${String(time.day)}`
}

function toOccurrence(slot: Slot, zones: Zones): IcsOccurrence {
  return {
    event: slot.event,
    uid: slot.event.uid,
    start: formatTime(slot.start, zones),
    end: slot.end === null ? null : formatTime(slot.end, zones),
    recurrenceId: slot.recurrenceId === null ? null : formatTime(slot.recurrenceId, zones),
  }
}
