import { stringify } from 'devalue'
import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { dateWords, toInstant } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const nuxt: SiteDefinition = {
  key: 'nuxt',
  name: 'Festivalhuis Eindhoven',
  kind: 'events',
  behaviour: 'good',
  description: 'Nuxt 3 site: events in __NUXT_DATA__ (devalue format)',
  create: (context) => {
    const ideas = [
      ...context.deal('music', 'nl', 6),
      ...context.deal('entertainment', 'nl', 3),
      ...context.deal('foodie', 'nl', 3),
    ]
    const events = makeEvents(context, ideas, {
      venues: [venues.festivalHall, venues.festivalYard],
      organizer: 'Stichting Festivalhuis',
      times: ['15:00', '19:30', '20:15', '22:00'],
      minutes: [90, 150, 300],
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
  pages.robots(allowAll)
  pages.html('/', 'listing', listPage(events), latest(events, context.now))
  for (const event of events) pages.html(pathOf(event), 'page', eventPage(event), event.updatedAt)
  return {
    resources: pages.resources,
    strategy: 'hydration',
    items: events.map((event) => truthOfEvent(event, pages.url(pathOf(event)))),
  }
}

function listPage(events: DemoEvent[]): string {
  const main = `<div data-v-inspector><h1>Programma</h1>${events
    .map(
      (event) =>
        `<a class="tile" href="${pathOf(event)}"><b>${escapeHtml(event.title)}</b><i>${shortDate(event.start)}</i></a>`,
    )
    .join('')}</div>`
  const payload = {
    programme: events.map(asPayload),
    banner: { text: 'Kaarten zijn overdraagbaar' },
  }
  return htmlPage(theme, {
    title: theme.name,
    main,
    scripts: nuxtData('programme-index', payload, '/'),
  })
}

function eventPage(event: DemoEvent): string {
  const main = `<h1>${escapeHtml(event.title)}</h1><p>${escapeHtml(event.description)}</p><p><a href="/">Programma</a></p>`
  return htmlPage(theme, {
    title: `${event.title} - ${theme.name}`,
    main,
    scripts: nuxtData(`show-${event.slug}`, asPayload(event), pathOf(event)),
  })
}

/** The payload as Nuxt writes it: reactive wrappers become custom devalue types. */
function nuxtData(key: string, data: object, path: string): string {
  const shallow = new WeakSet<object>()
  const mark = <T extends object>(value: T): T => {
    shallow.add(value)
    return value
  }
  const payload = mark({
    data: mark({ [key]: data }),
    state: { '$scolor-mode': { preference: 'system', unknown: true } },
    once: new Set(['init']),
    _errors: mark({ [key]: null }),
    serverRendered: true,
    path,
  })
  const text = stringify(payload, {
    ShallowReactive: (value: unknown) =>
      typeof value === 'object' && value !== null && shallow.has(value) && { ...value },
  })
  return `<script type="application/json" data-nuxt-data="nuxt-app" data-ssr="true" id="__NUXT_DATA__">${text}</script>
<script>window.__NUXT__={};window.__NUXT__.config={public:{siteUrl:"/"},app:{baseURL:"/",buildId:"d5c1",buildAssetsDir:"/_nuxt/",cdnURL:""}}</script>`
}

function asPayload(event: DemoEvent): object {
  return {
    uuid: event.id.replace(':', '-'),
    title: event.title,
    intro: event.description,
    link: pathOf(event),
    start: toInstant(event.start, event.timezone),
    end: event.end === null ? null : toInstant(event.end, event.timezone),
    location: {
      name: event.venue.name,
      street: event.venue.street,
      postcode: event.venue.postalCode,
      city: event.venue.city,
    },
    organizer: event.organizer,
    price: { amount: Number(event.price), currency: 'EUR' },
    status: event.status,
    tags: [event.category],
  }
}

function shortDate(local: string): string {
  const words = dateWords(local, 'nl')
  return `${words.day}.${words.monthNumber}`
}

const pathOf = (event: DemoEvent): string => `/voorstelling/${event.slug}`

const theme: Theme = {
  name: 'Festivalhuis Eindhoven',
  tagline: 'Het hele jaar festival',
  accent: '#c2185b',
  language: 'nl',
  nav: [{ href: '/', label: 'Programma' }],
  about: 'Een oude fabriekshal met een nieuw dak en elke week iets anders.',
}
