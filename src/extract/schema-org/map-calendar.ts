import type { CalendarStatus, RawCalendarFields } from '../types.ts'
import { mapLocations } from './map-location.ts'
import { mapPrice } from './map-offers.ts'
import { textOf, thingsOf, urlOf, type Found } from './read-property.ts'
import { shortName, type Thing } from './thing.ts'

const STATUS: readonly [RegExp, CalendarStatus][] = [
  [/cancel|annul|afgelast|abgesagt/i, 'cancelled'],
  [/postpon|uitgesteld|verschoben/i, 'postponed'],
  [/reschedul|verplaatst/i, 'rescheduled'],
  [/moved\s?online/i, 'moved_online'],
]

export interface MappedCalendar {
  fields: RawCalendarFields
  paths: Record<string, string>
}

/** The calendar half of an event; what it leaves open is taken from the event it is part of. */
export function mapCalendar(thing: Thing, parent: Thing | null, baseUrl: string): MappedCalendar {
  const schedule = thingsOf(thing, 'eventSchedule', 'schedule')[0]
  const start = textOf(thing, 'startDate', 'startTime', 'dtstart') ?? scheduled(schedule, 'start')
  const end = textOf(thing, 'endDate', 'endTime', 'dtend') ?? scheduled(schedule, 'end')
  let placed = thing
  let { locations, onlineUrl } = mapLocations(thing, baseUrl)
  if (locations.length === 0 && onlineUrl === null && parent !== null) {
    placed = parent
    ;({ locations, onlineUrl } = mapLocations(parent, baseUrl))
  }
  const status = textOf(thing, 'eventStatus')
  const organizer =
    textOf(thing, 'organizer') ?? (parent === null ? null : textOf(parent, 'organizer'))
  const price = mapPrice(thing)
  const isOnline = /online/i.test(textOf(thing, 'eventAttendanceMode')?.value ?? '')
  const fields: RawCalendarFields = {
    start: start?.value ?? null,
    end: end?.value ?? null,
    timeText: null,
    allDay: null,
    timezone: schedule === undefined ? null : (textOf(schedule, 'scheduleTimezone')?.value ?? null),
    locations,
    onlineUrl: onlineUrl ?? (isOnline ? (urlOf(thing, baseUrl, 'url')?.value ?? null) : null),
    status: statusOf(status),
    organizer: organizer?.value ?? null,
    price,
    uid: textOf(thing, 'identifier')?.value ?? thing.id,
    sequence: null,
    recurring: schedule !== undefined && schedule.props.has('repeatFrequency'),
  }
  const paths: Record<string, string> = {}
  if (start !== null) paths['start'] = start.path
  if (end !== null) paths['end'] = end.path
  if (locations.length > 0) paths['locations'] = `${placed.path}.location`
  if (onlineUrl !== null) paths['onlineUrl'] = `${placed.path}.location`
  if (status !== null) paths['status'] = status.path
  if (organizer !== null) paths['organizer'] = organizer.path
  if (price !== null) paths['price'] = `${thing.path}.offers`
  return { fields, paths }
}

function scheduled(schedule: Thing | undefined, edge: 'start' | 'end'): Found<string> | null {
  if (schedule === undefined) return null
  const date = textOf(schedule, `${edge}Date`)
  const time = textOf(schedule, `${edge}Time`)
  if (date === null || time === null || /T\d/.test(date.value)) return date
  const clock = time.value.match(/\d{1,2}:\d{2}.*$/)?.[0]
  return clock === undefined ? date : { value: `${date.value}T${clock}`, path: date.path }
}

function statusOf(status: Found<string> | null): CalendarStatus {
  if (status === null) return 'scheduled'
  const name = shortName(status.value)
  return STATUS.find(([pattern]) => pattern.test(name))?.[1] ?? 'scheduled'
}
