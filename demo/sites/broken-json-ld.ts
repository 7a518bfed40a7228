import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { venues } from '../generate/places.ts'
import { at } from '../generate/random.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { eventLd } from '../render/json-ld.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const brokenJsonLd: SiteDefinition = {
  key: 'broken-json-ld',
  name: 'Brouwcafé Het Anker',
  kind: 'events',
  behaviour: 'good',
  description: 'Pub whose JSON-LD is broken in ten different ways',
  create: (context) => {
    const ideas = [
      ...context.deal('foodie', 'nl', 5),
      ...context.deal('gaming', 'nl', 5),
      ...context.deal('social', 'nl', 2),
    ]
    const events = makeEvents(context, ideas, {
      venues: [venues.brewery],
      organizer: 'Brouwcafé Het Anker',
      times: ['16:00', '19:00', '20:00'],
      minutes: [120, 180],
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
  for (const event of events) {
    // By the id, so that an edit elsewhere never changes how this page is broken.
    const breakage = at(breakages, Number(event.id.split('-').at(-1)) % breakages.length)
    const value = { '@context': 'https://schema.org', ...eventLd(event, pages.url(pathOf(event))) }
    const main = `<h1>${escapeHtml(event.title)}</h1><p>${escapeHtml(event.description)}</p><p><a href="/">Alle avonden</a></p>`
    const page = htmlPage(theme, {
      title: `${event.title} | ${theme.name}`,
      main,
      head: `<script type="application/ld+json">${breakage(JSON.stringify(value, null, 2))}</script>`,
    })
    pages.html(pathOf(event), 'page', page, event.updatedAt)
  }
  return {
    resources: pages.resources,
    strategy: 'json_ld',
    items: events.map((event) => truthOfEvent(event, pages.url(pathOf(event)))),
  }
}

function listPage(events: DemoEvent[]): string {
  const main = `<h1>Wat is er te doen?</h1><ul>${events
    .map((event) => `<li><a href="${pathOf(event)}">${escapeHtml(event.title)}</a></li>`)
    .join('')}</ul><p>Zalen te huur vanaf twintig personen. De keuken sluit om half tien.</p>`
  return htmlPage(theme, { title: theme.name, main })
}

// Each takes sound JSON and spoils it the way templates and editors do.
const breakages: readonly ((json: string) => string)[] = [
  (json) => json.replace(/\n}$/, ',\n}'),
  (json) => json.replace('"name":', '\n  // titel van de avond\n  "name":'),
  (json) => json.replace(/ (?=\S+",\n {2}"url")/, '\n'),
  (json) => `<!--\n${json}\n//-->`,
  (json) => `/*<![CDATA[*/\n${json}\n/*]]>*/`,
  (json) => json.replaceAll('"', '&quot;'),
  (json) => json.slice(0, -2),
  (json) => `${json};`,
  (json) => json.replace('",\n  "url"', '",,\n  "url"'),
  (json) => json.replace(/"(name|url|startDate|location)":/g, '$1:'),
]

const pathOf = (event: DemoEvent): string => `/avond/${event.slug}`

const theme: Theme = {
  name: 'Brouwcafé Het Anker',
  tagline: 'Eigen bier aan de Nieuwe Rijn',
  accent: '#5d4037',
  language: 'nl',
  nav: [{ href: '/', label: 'Wat is er te doen?' }],
  about: 'Veertien tapkranen, een leestafel en een zaal boven.',
}
