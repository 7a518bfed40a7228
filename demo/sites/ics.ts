import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { addDays, addMinutes, isWholeDay, shiftDays, toInstant } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { htmlPage, type Theme } from '../render/html.ts'
import { calendar, escapeText, icsInstant, icsTime } from '../render/ics.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition, TruthItem } from '../types.ts'

export const ics: SiteDefinition = {
  key: 'ics',
  name: 'Wijkcentrum De Koepel',
  kind: 'events',
  behaviour: 'good',
  description: 'Community centre with an ICS calendar: recurrence, exceptions, all-day, time zone',
  create: (context) => {
    const ideas = [...context.deal('active', 'nl', 6), ...context.deal('community', 'nl', 5)]
    const events = makeEvents(context, ideas, {
      venues: [venues.sportsHall, venues.communityCentre],
      organizer: 'Wijkcentrum De Koepel',
      times: ['09:00', '13:00', '19:00', '20:00'],
      minutes: [60, 90, 120],
    }).map((event, index) => (index === 5 ? wholeDays(event) : event))
    const items = events.slice(0, 9)
    return {
      items: items.map((event, index) => (index === 6 ? { ...event, status: 'cancelled' } : event)),
      reserve: events.slice(9),
      render: (current) => render(context, eventsOf(current)),
    }
  },
}

function render(context: SiteContext, events: DemoEvent[]): Rendered {
  const pages = createPages(context)
  const changed = latest(events, context.now)
  pages.robots(allowAll)
  pages.html('/', 'page', homePage())
  const opening =
    '<h1>Openingstijden</h1><p>Maandag tot en met zaterdag van negen tot tien. Op zondag alleen bij verhuur.</p>'
  pages.html('/openingstijden', 'page', htmlPage(theme, { title: 'Openingstijden', main: opening }))
  pages.file(
    '/agenda.ics',
    'text/calendar; charset=utf-8',
    calendar(theme.name, events.map(component)),
    {
      page: 'feed',
      lastModified: changed,
    },
  )
  return { resources: pages.resources, strategy: 'feed', items: events.flatMap(occurrences) }
}

function homePage(): string {
  const main = `<h1>Wijkcentrum De Koepel</h1><p>Sport, koffie en gezelschap voor de hele buurt.</p>
<p>Onze agenda staat in een kalenderbestand dat u in uw telefoon kunt zetten.</p>
<p><a class="button" type="text/calendar" href="/agenda.ics">Download de agenda (.ics)</a></p>`
  return htmlPage(theme, {
    title: theme.name,
    main,
    head: '<link rel="alternate" type="text/calendar" title="Agenda" href="/agenda.ics">',
  })
}

interface Series {
  count: number
  /** Which meeting (from 0) is left out. */
  skipped: number
  /** Which meeting starts an hour later under another title. */
  moved: number
}

// By the number in the id. Counts are small, so that any sensible window holds the whole series.
const series = new Map<number, Series>([
  [1, { count: 5, skipped: 2, moved: 3 }],
  [3, { count: 4, skipped: 1, moved: 2 }],
])

function component(event: DemoEvent): string[] {
  const rule = series.get(numberOf(event))
  const lines = (start: string, end: string | null, title: string, extra: string[]): string[] => [
    'BEGIN:VEVENT',
    `UID:${uidOf(event)}`,
    `DTSTAMP:${icsInstant(event.updatedAt)}`,
    `LAST-MODIFIED:${icsInstant(event.updatedAt)}`,
    `SEQUENCE:${event.sequence}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    `LOCATION:${escapeText(`${event.venue.name}, ${event.venue.street}, ${event.venue.postalCode} ${event.venue.city}`)}`,
    `ORGANIZER;CN=${event.organizer}:mailto:balie@koepel.example`,
    `STATUS:${event.status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    ...timeLines(event, start, end),
    ...extra,
    'END:VEVENT',
  ]
  if (!rule) return lines(event.start, event.end, event.title, [])
  const skipped = `EXDATE;TZID=${event.timezone}:${icsTime(shiftDays(event.start, 7 * rule.skipped))}`
  const moved = meeting(event, rule, rule.moved)
  return [
    ...lines(event.start, event.end, event.title, [
      `RRULE:FREQ=WEEKLY;COUNT=${rule.count}`,
      skipped,
    ]),
    ...lines(moved.start, moved.end, moved.title, [
      `RECURRENCE-ID;TZID=${event.timezone}:${icsTime(shiftDays(event.start, 7 * rule.moved))}`,
    ]),
  ]
}

/** One event is written in UTC, whole days as dates, the rest with a time zone. */
function timeLines(event: DemoEvent, start: string, end: string | null): string[] {
  if (isWholeDay(start)) {
    const last = end ?? start
    return [`DTSTART;VALUE=DATE:${icsTime(start)}`, `DTEND;VALUE=DATE:${icsTime(addDays(last, 1))}`]
  }
  const write = (name: string, local: string): string =>
    numberOf(event) === 2
      ? `${name}:${icsInstant(toInstant(local, event.timezone))}`
      : `${name};TZID=${event.timezone}:${icsTime(local)}`
  return [write('DTSTART', start), ...(end === null ? [] : [write('DTEND', end)])]
}

function occurrences(event: DemoEvent): TruthItem[] {
  const rule = series.get(numberOf(event))
  if (!rule) return [truthOfEvent(event, null)]
  return Array.from({ length: rule.count }, (_, index) => index)
    .filter((index) => index !== rule.skipped)
    .map((index) => ({
      ...truthOfEvent(event, null),
      ...meeting(event, rule, index),
      id: `${event.id}#${index + 1}`,
    }))
}

function meeting(
  event: DemoEvent,
  rule: Series,
  index: number,
): { start: string; end: string | null; title: string } {
  const later = index === rule.moved ? 60 : 0
  const shift = (local: string): string => addMinutes(shiftDays(local, 7 * index), later)
  return {
    start: shift(event.start),
    end: event.end === null ? null : shift(event.end),
    title: index === rule.moved ? `${event.title} (aangepaste tijd)` : event.title,
  }
}

function wholeDays(event: DemoEvent): DemoEvent {
  const start = event.start.slice(0, 10)
  return { ...event, start, end: addDays(start, 1) }
}

const numberOf = (event: DemoEvent): number => Number(event.id.split('-').at(-1))
const uidOf = (event: DemoEvent): string => `${event.id.replace(':', '-')}@koepel.example`

const theme: Theme = {
  name: 'Wijkcentrum De Koepel',
  tagline: 'Voor en door de buurt',
  accent: '#33691e',
  language: 'nl',
  nav: [
    { href: '/', label: 'Home' },
    { href: '/openingstijden', label: 'Openingstijden' },
  ],
  about: 'Een gebouw van de wijk, met een sporthal, een keuken en zes zalen.',
}
