import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { dateWords, withOffset } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { hashText } from '../generate/random.ts'
import { htmlPage, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const clientRendered: SiteDefinition = {
  key: 'client-rendered',
  name: 'Speelhal Noord',
  kind: 'events',
  behaviour: 'good',
  description: 'Empty shell filled by script from /api/events: needs a browser',
  create: (context) => {
    const ideas = [
      ...context.deal('gaming', 'nl', 5),
      ...context.deal('social', 'nl', 3),
      ...context.deal('workshops', 'nl', 3),
    ]
    const events = makeEvents(context, ideas, {
      venues: [venues.gameHall, venues.makerSpace],
      organizer: 'Speelhal Noord',
      times: ['13:00', '19:00', '20:00'],
      minutes: [120, 180, 240],
    })
    return {
      items: events.slice(0, 9),
      reserve: events.slice(9),
      render: (items) => render(context, eventsOf(items)),
    }
  },
}

function render(context: SiteContext, events: DemoEvent[]): Rendered {
  const pages = createPages(context)
  const changed = latest(events, context.now)
  pages.robots([...allowAll, 'Allow: /api/events'])
  // The revision makes the shell's validators follow the data that the script will draw.
  const addShell = (path: string, kind: 'page' | 'listing', shown: DemoEvent[]): void => {
    const revision = hashText(JSON.stringify(shown.map(asJson))).toString(36)
    const shell = htmlPage(theme, {
      title: theme.name,
      main: `<div id="app" data-revision="${revision}" data-state="loading"><noscript>Deze site werkt alleen met JavaScript.</noscript></div>`,
      scripts: '<script src="/app.js" defer></script>',
    })
    const lastModified = latest(shown, context.now)
    pages.file(path, 'text/html; charset=utf-8', shell, {
      page: kind,
      needs: 'browser',
      lastModified,
    })
  }
  addShell('/', 'listing', events)
  for (const event of events) addShell(pathOf(event), 'page', [event])
  pages.file('/app.js', 'text/javascript; charset=utf-8', script)
  pages.file('/api/events', 'application/json', JSON.stringify({ events: events.map(asJson) }), {
    lastModified: changed,
  })
  return {
    resources: pages.resources,
    strategy: 'dom',
    items: events.map((event) =>
      truthOfEvent(event, pages.url(pathOf(event)), { organizer: null }),
    ),
  }
}

function asJson(event: DemoEvent): object {
  const words = dateWords(event.start, 'nl')
  return {
    path: pathOf(event),
    naam: event.title,
    omschrijving: event.description,
    begin: withOffset(event.start, event.timezone),
    einde: event.end === null ? null : withOffset(event.end, event.timezone),
    tekst: `${words.weekday} ${words.day} ${words.month} ${words.year}, ${words.time} tot ${(event.end ?? '').slice(11)} uur`,
    zaal: event.venue.name,
    adres: `${event.venue.street}, ${event.venue.postalCode} ${event.venue.city}`,
    gaatDoor: event.status !== 'cancelled',
  }
}

// Draws one event when the address names one, all of them otherwise.
const script = `const app = document.getElementById('app')
const text = (tag, className, value) => {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = value
  return element
}
const draw = (event, single) => {
  const card = document.createElement('article')
  card.className = 'event-card'
  const heading = document.createElement(single ? 'h1' : 'h2')
  heading.className = 'event-title'
  const link = document.createElement('a')
  link.href = event.path
  link.textContent = event.naam
  heading.append(link)
  const time = text('time', 'event-date', event.tekst)
  time.dateTime = event.begin
  card.append(heading, time, text('p', 'event-location', event.zaal), text('address', 'event-address', event.adres), text('p', 'event-description', event.omschrijving))
  if (!event.gaatDoor) card.append(text('strong', 'label cancelled', 'Geannuleerd'))
  return card
}
fetch('/api/events').then((response) => response.json()).then(({ events }) => {
  const one = events.find((event) => event.path === location.pathname)
  app.replaceChildren(...(one ? [draw(one, true)] : events.map((event) => draw(event, false))))
  if (one) document.title = one.naam + ' | Speelhal Noord'
  app.dataset.state = 'ready'
})
`

const pathOf = (event: DemoEvent): string => `/programma/${event.slug}`

const theme: Theme = {
  name: 'Speelhal Noord',
  tagline: 'Spelen, maken en ontmoeten in Amsterdam-Noord',
  accent: '#4527a0',
  language: 'nl',
  nav: [{ href: '/', label: 'Programma' }],
  about: 'Een voormalige garage vol speeltafels, soldeerbouten en goede koffie.',
}
