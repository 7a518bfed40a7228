import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { dateWords, toInstant } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const nextApp: SiteDefinition = {
  key: 'next-app',
  name: 'Bibliotheek Utrecht Samen',
  kind: 'events',
  behaviour: 'good',
  description: 'Library programme on Next.js (app router): events only in the flight data',
  create: (context) => {
    const ideas = [
      ...context.deal('workshops', 'nl', 4),
      ...context.deal('family', 'nl', 4),
      ...context.deal('social', 'nl', 4),
    ]
    const events = makeEvents(context, ideas, {
      venues: [venues.library, venues.libraryWest],
      organizer: 'Bibliotheek Utrecht',
      times: ['10:30', '14:00', '19:00'],
      minutes: [60, 90, 120],
    })
    return {
      items: events.slice(0, 10),
      reserve: events.slice(10),
      render: (items) => render(context, eventsOf(items)),
    }
  },
}

function render(context: SiteContext, events: DemoEvent[]): Rendered {
  const pages = createPages(context)
  const changed = latest(events, context.now)
  pages.robots(allowAll)
  pages.html('/', 'page', welcome())
  pages.html('/activiteiten', 'listing', listPage(events), changed)
  for (const event of events) pages.html(pathOf(event), 'page', eventPage(event), event.updatedAt)
  return {
    resources: pages.resources,
    strategy: 'hydration',
    items: events.map((event) => truthOfEvent(event, pages.url(pathOf(event)))),
  }
}

function welcome(): string {
  const main =
    '<h1>Welkom in de bibliotheek</h1><p>Lezen, leren en ontmoeten op twee plekken in de stad.</p><p><a href="/activiteiten">Bekijk alle activiteiten</a></p>'
  return htmlPage(theme, {
    title: theme.name,
    main,
    scripts: flight([['0', ['$', 'main', null, { children: 'Welkom in de bibliotheek' }]]]),
  })
}

function listPage(events: DemoEvent[]): string {
  const main = `<h1>Activiteiten</h1><div class="grid gap-6">${events
    .map(
      (event) =>
        `<a class="group block" href="${pathOf(event)}"><span class="font-semibold">${escapeHtml(event.title)}</span><span class="chip">${shortDate(event.start)}</span></a>`,
    )
    .join('')}</div>`
  return htmlPage(theme, {
    title: `Activiteiten | ${theme.name}`,
    main,
    scripts: flight([
      ['3', ['I', '(app-pages-browser)/./components/activity-grid.tsx']],
      ['5', { activities: events.map(asJson), facets: { buildings: ['Neude', 'Kanaleneiland'] } }],
      ['0', ['$', '$L3', null, { data: '$5', locale: 'nl-NL' }]],
    ]),
  })
}

function eventPage(event: DemoEvent): string {
  const main = `<article><h1>${escapeHtml(event.title)}</h1><p class="chip">${shortDate(event.start)}</p><p>${escapeHtml(event.description)}</p></article><p><a href="/activiteiten">Alle activiteiten</a></p>`
  return htmlPage(theme, {
    title: `${event.title} | ${theme.name}`,
    main,
    scripts: flight([
      ['4', ['I', '(app-pages-browser)/./components/activity-detail.tsx']],
      ['0', ['$', '$L4', null, { activity: asJson(event), back: '/activiteiten' }]],
    ]),
  })
}

/** Rows of the flight stream, cut into script tags at arbitrary places as the server does. */
function flight(rows: [string, unknown][]): string {
  const stream = rows
    .map(([id, value]) => {
      const isImport = Array.isArray(value) && value[0] === 'I'
      return isImport
        ? `${id}:I${JSON.stringify([value[1], ['static/chunks/app.js'], 'default'])}\n`
        : `${id}:${JSON.stringify(value)}\n`
    })
    .join('')
  const chunks = stream.match(/[\s\S]{1,1500}/g) ?? []
  const tag = (value: unknown[]): string =>
    `<script>self.__next_f.push(${JSON.stringify(value).replaceAll('<', '\\u003c')})</script>`
  return `<script>(self.__next_f=self.__next_f||[]).push([0])</script>${chunks.map((chunk) => tag([1, chunk])).join('')}`
}

function asJson(event: DemoEvent): object {
  return {
    id: `act_${event.id.split('-').at(-1)}`,
    name: event.title,
    summary: event.description,
    href: pathOf(event),
    startsAt: toInstant(event.start, event.timezone).toISOString(),
    endsAt: event.end === null ? null : toInstant(event.end, event.timezone).toISOString(),
    venue: {
      name: event.venue.name,
      address: event.venue.street,
      postalCode: event.venue.postalCode,
      city: event.venue.city,
    },
    organizer: event.organizer,
    isCancelled: event.status === 'cancelled',
    price: `€ ${event.price}`,
  }
}

function shortDate(local: string): string {
  const words = dateWords(local, 'nl')
  return `${words.weekdayShort} ${words.day} ${words.monthShort}`
}

const pathOf = (event: DemoEvent): string => `/activiteiten/${event.slug}`

const theme: Theme = {
  name: 'Bibliotheek Utrecht Samen',
  tagline: 'Lezen, leren, ontmoeten',
  accent: '#8a4b08',
  language: 'nl',
  nav: [
    { href: '/', label: 'Home' },
    { href: '/activiteiten', label: 'Activiteiten' },
  ],
  about: 'Twee vestigingen, honderdduizend boeken en altijd een vrije stoel.',
}
