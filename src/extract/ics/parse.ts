import { type Component, type ContentLine, readComponents } from './lines.ts'
import { readRule } from './rule.ts'
import type {
  IcsCalendar,
  IcsDuration,
  IcsEvent,
  IcsEventTimes,
  IcsTime,
  IcsZone,
} from './types.ts'
import {
  formatTime,
  lineOf,
  linesOf,
  readDuration,
  readTime,
  textOf,
  unescapeText,
} from './values.ts'
import { zonesOf } from './zones.ts'

export interface IcsParseOptions {
  /** Events beyond this many are left out. */
  maxEvents?: number
}

type Zones = ReadonlyMap<string, IcsZone>

/** Reads a calendar file into its events. Never throws: what cannot be read is left out. */
export function parseIcs(text: string, options: IcsParseOptions = {}): IcsCalendar {
  const root = readComponents(text)
  const all = flatten(root)
  const components = all
    .filter(({ name }) => name === 'VEVENT')
    .slice(0, options.maxEvents ?? 50_000)
  const calendar = all.find(({ name }) => name === 'VCALENDAR') ?? root
  const timezone = textOf(calendar, 'X-WR-TIMEZONE')
  const zones = zonesOf(
    all.filter(({ name }) => name === 'VTIMEZONE'),
    [...zoneNames(components), ...(timezone === null ? [] : [timezone])],
  )
  return {
    name: textOf(calendar, 'X-WR-CALNAME') ?? textOf(calendar, 'NAME'),
    timezone,
    method: textOf(calendar, 'METHOD')?.toUpperCase() ?? null,
    events: components.map((component) => readEvent(component, zones)),
    zones,
  }
}

function flatten(component: Component): Component[] {
  const inner =
    component.name === 'VEVENT' || component.name === 'VTIMEZONE' ? [] : component.children
  return [component, ...inner.flatMap(flatten)]
}

function zoneNames(events: Component[]): Set<string> {
  const names = new Set<string>()
  for (const event of events) {
    for (const line of event.lines) {
      const zone = line.params['TZID']
      if (zone !== undefined) names.add(zone)
    }
  }
  return names
}

function readEvent(component: Component, zones: Zones): IcsEvent {
  const times = readTimes(component, zones)
  const { start } = times
  const end = endOf(times)
  return {
    uid: textOf(component, 'UID'),
    summary: textOf(component, 'SUMMARY'),
    description: textOf(component, 'DESCRIPTION'),
    location: textOf(component, 'LOCATION'),
    url: textOf(component, 'URL'),
    status: textOf(component, 'STATUS')?.toUpperCase() ?? null,
    start: start === null ? null : formatTime(start, zones),
    end: end === null ? null : formatTime(end, zones),
    allDay: start?.kind === 'date',
    timezone: zoneName(start, zones),
    recurring: (lineOf(component, 'RRULE')?.value.trim() ?? '') !== '' || times.rdates.length > 0,
    sequence: Number.parseInt(lineOf(component, 'SEQUENCE')?.value ?? '0', 10) || 0,
    rrule: lineOf(component, 'RRULE')?.value.trim() ?? null,
    exdates: times.exdates.map((at) => formatTime(at, zones)),
    recurrenceId: times.recurrenceId === null ? null : formatTime(times.recurrenceId, zones),
    organizer: readOrganizer(lineOf(component, 'ORGANIZER')),
    categories: linesOf(component, 'CATEGORIES').flatMap(({ value }) => splitList(value)),
    lastModified: readStamp(component, zones),
    geo: readGeo(lineOf(component, 'GEO')),
    imageUrl: readImage(component),
    times,
  }
}

function readTimes(component: Component, zones: Zones): IcsEventTimes {
  const recurrence = lineOf(component, 'RECURRENCE-ID')
  const rules = (name: string): IcsEventTimes['rules'] =>
    linesOf(component, name).flatMap(({ value }) => readRule(value, zones) ?? [])
  const duration = lineOf(component, 'DURATION')
  return {
    start: timeOf(lineOf(component, 'DTSTART'), zones),
    end: timeOf(lineOf(component, 'DTEND'), zones),
    duration: duration === undefined ? null : readDuration(duration.value),
    rules: rules('RRULE'),
    excludedRules: rules('EXRULE'),
    rdates: linesOf(component, 'RDATE').flatMap((line) => readRdates(line, zones)),
    exdates: linesOf(component, 'EXDATE').flatMap((line) =>
      line.value.split(/[,;]/).flatMap((value) => timeFrom(value, line, zones) ?? []),
    ),
    recurrenceId: timeOf(recurrence, zones),
    andFuture: recurrence?.params['RANGE']?.toUpperCase() === 'THISANDFUTURE',
  }
}

function readRdates(line: ContentLine, zones: Zones): IcsEventTimes['rdates'] {
  return line.value.split(',').flatMap((value) => {
    const [from = '', to] = value.split('/')
    const at = timeFrom(from, line, zones)
    if (at === null) return []
    const duration = to === undefined ? null : readDuration(to)
    const end = to === undefined || duration !== null ? null : timeFrom(to, line, zones)
    return [{ at, end, duration }]
  })
}

function timeOf(line: ContentLine | undefined, zones: Zones): IcsTime | null {
  return line === undefined ? null : timeFrom(line.value, line, zones)
}

/** A VALUE=DATE that carries a time all the same is taken at its word: the time. */
function timeFrom(value: string, line: ContentLine, zones: Zones): IcsTime | null {
  return readTime(value, line.params['TZID'] ?? null, zones)
}

/** DTEND, or DTSTART plus DURATION; a day event without either lasts that day. */
function endOf(times: IcsEventTimes): IcsTime | null {
  const { start, end, duration } = times
  if (end !== null || start === null) return end
  if (duration !== null) return plus(start, duration)
  return start.kind === 'date' ? { ...start, day: start.day + 1 } : null
}

export function plus(time: IcsTime, duration: IcsDuration): IcsTime {
  const seconds = time.second + duration.seconds
  const days = Math.floor(seconds / 86_400)
  return { ...time, day: time.day + duration.days + days, second: seconds - days * 86_400 }
}

function zoneName(start: IcsTime | null, zones: Zones): string | null {
  if (start?.kind !== 'zoned' || start.zone === null) return null
  return zones.get(start.zone)?.name ?? start.zone
}

function readOrganizer(line: ContentLine | undefined): string | null {
  if (line === undefined) return null
  const name = line.params['CN'] ?? unescapeText(line.value).replace(/^mailto:/i, '')
  return name.trim() === '' ? null : name.trim()
}

function splitList(value: string): string[] {
  return value
    .split(/(?<!\\),/)
    .map((part) => unescapeText(part).trim())
    .filter((part) => part !== '')
}

function readStamp(component: Component, zones: Zones): string | null {
  const at = timeOf(lineOf(component, 'LAST-MODIFIED') ?? lineOf(component, 'DTSTAMP'), zones)
  return at === null ? null : formatTime(at, zones)
}

function readGeo(line: ContentLine | undefined): IcsEvent['geo'] {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*[;,]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(line?.value ?? '')
  if (match === null) return null
  const [lat, lng] = [Number(match[1]), Number(match[2])]
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0)
    ? { lat, lng }
    : null
}

function readImage(component: Component): string | null {
  const line =
    lineOf(component, 'IMAGE') ??
    linesOf(component, 'ATTACH').find(({ params }) => /^image\//i.test(params['FMTTYPE'] ?? ''))
  return line !== undefined && /^https?:/i.test(line.value) ? line.value.trim() : null
}
