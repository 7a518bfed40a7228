import { parseIcs } from '../../extract/ics/parse.ts'

/** Reads one calendar file into its events. */
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const events = parseIcs(String(input['ics'])).events.map((event) => ({
    uid: event.uid,
    summary: event.summary,
    location: event.location,
    status: event.status,
    start: event.start,
    end: event.end,
    allDay: event.allDay,
    recurring: event.recurring,
  }))
  return { events }
}
