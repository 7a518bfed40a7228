import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { addDays, dateWords, isWholeDay } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import { sitemap } from '../render/xml.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const municipal: SiteDefinition = {
  key: 'municipal',
  name: 'Gemeente Apeldoorn agenda',
  kind: 'events',
  behaviour: 'good',
  description: 'Municipal agenda in plain HTML: Dutch dates without a year, "t/m", "20.30 uur"',
  create: (context) => {
    const ideas = [
      ...context.deal('community', 'nl', 7),
      ...context.deal('outdoors', 'nl', 5),
      ...context.deal('active', 'nl', 3),
      ...context.deal('family', 'nl', 2),
    ]
    const events = makeEvents(context, ideas, {
      venues: [venues.townHall, venues.park, venues.visitorCentre, venues.swimmingPool],
      organizer: 'Gemeente Apeldoorn',
      times: ['09:30', '14:00', '19:30', '20:30'],
      minutes: [90, 120, 150],
      maxGap: 5,
    }).map(vary)
    return {
      items: events.slice(0, 15),
      reserve: events.slice(15),
      render: (items) => render(context, eventsOf(items)),
    }
  },
}

/** Some last several days, some have no end. */
function vary(event: DemoEvent, index: number): DemoEvent {
  if (index % 5 === 3) {
    const start = event.start.slice(0, 10)
    return { ...event, start, end: addDays(start, 2 + (index % 3)) }
  }
  return index % 2 === 0 ? { ...event, end: null } : event
}

function render(context: SiteContext, events: DemoEvent[]): Rendered {
  const pages = createPages(context)
  const changed = latest(events, context.now)
  pages.html('/', 'page', homePage())
  pages.html('/agenda', 'listing', listPage(events), changed)
  for (const event of events) pages.html(pathOf(event), 'page', eventPage(event), event.updatedAt)
  const entries = ['/', '/agenda', ...events.map(pathOf)].map((path) => ({ loc: pages.url(path) }))
  pages.file('/sitemap.xml', 'text/xml', sitemap(entries), {
    page: 'sitemap',
    lastModified: changed,
  })
  pages.robots(allowAll, ['/sitemap.xml'])
  return {
    resources: pages.resources,
    strategy: 'dom',
    items: events.map((event) =>
      truthOfEvent(event, pages.url(pathOf(event)), { organizer: null }),
    ),
  }
}

function homePage(): string {
  const main = `<h1>Welkom bij de gemeente</h1><p>Regel uw zaken online of maak een afspraak aan de balie.</p>
<h2>Direct regelen</h2><ul><li>Paspoort of identiteitskaart aanvragen</li><li>Verhuizing doorgeven</li><li>Afvalkalender bekijken</li></ul>
<p><a href="/agenda">Naar de agenda</a></p>`
  return htmlPage(theme, { title: 'Gemeente Apeldoorn', main })
}

function listPage(events: DemoEvent[]): string {
  const main = `<h1>Agenda</h1><p>Activiteiten en bijeenkomsten in de gemeente.</p>
<ul class="agenda-lijst">
${events
  .map(
    (event) => `<li class="agenda-item">
  <h2 class="agenda-titel"><a href="${pathOf(event)}">${escapeHtml(event.title)}</a></h2>
  <p class="agenda-datum">${whenText(event)}</p>
  <p class="agenda-plaats">${escapeHtml(event.venue.name)}, Apeldoorn</p>
  <p class="agenda-tekst">${escapeHtml(event.description)}</p>${event.status === 'cancelled' ? '\n  <p><strong>Gaat niet door</strong></p>' : ''}
</li>`,
  )
  .join('\n')}
</ul>`
  return htmlPage(theme, { title: 'Agenda | Gemeente Apeldoorn', main, aside: contact })
}

function eventPage(event: DemoEvent): string {
  const main = `<p class="small"><a href="/">Home</a> / <a href="/agenda">Agenda</a></p>
<h1>${escapeHtml(event.title)}</h1>
${event.status === 'cancelled' ? '<p class="melding"><strong>Let op: deze activiteit gaat niet door.</strong></p>' : ''}
<dl class="facts">
  <dt>Wanneer</dt><dd>${whenText(event)}</dd>
  <dt>Waar</dt><dd>${escapeHtml(event.venue.name)}, ${event.venue.street}, ${event.venue.postalCode} ${event.venue.city}</dd>
  <dt>Kosten</dt><dd>${event.price === '0' ? 'gratis' : `€ ${event.price.replace('.', ',')}`}</dd>
</dl>
<p>${escapeHtml(event.description)}</p>`
  return htmlPage(theme, { title: `${event.title} | Gemeente Apeldoorn`, main, aside: contact })
}

/** The way a town clerk writes it: never a year, a dot in the time. */
function whenText(event: DemoEvent): string {
  const start = dateWords(event.start, 'nl')
  if (isWholeDay(event.start) && event.end !== null) {
    const end = dateWords(event.end, 'nl')
    return start.month === end.month
      ? `${start.day} t/m ${end.day} ${end.month}`
      : `${start.day} ${start.month} t/m ${end.day} ${end.month}`
  }
  const day = `${start.weekday} ${start.day} ${start.month}`
  const from = start.time.replace(':', '.')
  return event.end === null
    ? `${day}, ${from} uur`
    : `${day} van ${from} tot ${event.end.slice(11).replace(':', '.')} uur`
}

const pathOf = (event: DemoEvent): string => `/agenda/${event.slug}`
const contact =
  '<section><h2>Contact</h2><p>Telefoon 14 055, op werkdagen van 8.30 tot 17.00 uur.</p></section>'

const theme: Theme = {
  name: 'Gemeente Apeldoorn',
  tagline: 'Informatie voor inwoners en ondernemers',
  accent: '#00528c',
  language: 'nl',
  nav: [
    { href: '/', label: 'Home' },
    { href: '/agenda', label: 'Agenda' },
  ],
  about: 'Het gemeentehuis aan de Markt is open op werkdagen en donderdagavond.',
}
