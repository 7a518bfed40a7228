import { gzipSync } from 'node:zlib'
import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { addDays, dateWords, dayFrom } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { escapeHtml, htmlPage, scriptJson, type Theme } from '../render/html.ts'
import { eventLd } from '../render/json-ld.ts'
import { allowAll, createPages, latest, type Pages } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import { sitemap } from '../render/xml.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const jsonLd: SiteDefinition = {
  key: 'json-ld',
  name: 'Schouwburg De Spiegel',
  kind: 'events',
  behaviour: 'good',
  description:
    'Theatre with JSON-LD: item list, single pages, a cancelled show, a festival of sub-events',
  create: (context) => {
    const ideas = [
      ...context.deal('entertainment', 'nl', 8),
      ...context.deal('family', 'nl', 4),
      ...context.deal('music', 'nl', 2),
    ]
    const events = makeEvents(context, ideas, {
      venues: [venues.theatre, venues.theatreSmall],
      organizer: 'Schouwburg De Spiegel',
      times: ['14:30', '19:30', '20:15'],
      minutes: [75, 100, 130],
    })
    const shows = events.slice(0, 12)
    const unusual = new Map([
      [4, 'cancelled' as const],
      [7, 'postponed' as const],
    ])
    const announced = shows.map((show, i) => ({ ...show, status: unusual.get(i) ?? show.status }))
    return {
      items: [...announced, ...festival(context)],
      reserve: events.slice(12),
      render: (items) => render(context, eventsOf(items)),
    }
  },
}

/** Three days with a concert each: one parent over whole days, three parts with hours. */
function festival(context: SiteContext): DemoEvent[] {
  const parts = makeEvents(context, context.deal('music', 'nl', 3), {
    venues: [venues.theatre],
    organizer: 'Schouwburg De Spiegel',
    times: ['20:00'],
    minutes: [120],
    firstDay: 50,
    maxGap: 1,
    idPrefix: 'festival-part',
  })
  const [model] = parts
  if (!model) return []
  const first = dayFrom(context.now, 50, model.timezone)
  const parent: DemoEvent = {
    ...model,
    id: `${context.key}:festival`,
    slug: 'spiegelfestival',
    title: 'Spiegelfestival: drie dagen winterklanken',
    description:
      'Drie avonden, drie zalen in één: het jaarlijkse winterfestival van de schouwburg.',
    start: first,
    end: addDays(first, 2),
  }
  return [parent, ...parts.map((part) => ({ ...part, parent: parent.id }))]
}

function render(context: SiteContext, events: DemoEvent[]): Rendered {
  const pages = createPages(context)
  const changed = latest(events, context.now)
  pages.html('/', 'page', homePage(pages))
  pages.html('/voorstellingen', 'listing', listPage(pages, events), changed)
  for (const event of events) {
    pages.html(pathOf(event), 'page', eventPage(pages, event, events), event.updatedAt)
  }
  const map = sitemap(
    events.map((event) => ({ loc: pages.url(pathOf(event)), lastmod: event.updatedAt })),
  )
  pages.resources.set('/sitemap.xml.gz', {
    body: gzipSync(map),
    type: 'application/gzip',
    lastModified: changed,
    page: 'sitemap',
  })
  pages.robots(allowAll, ['/sitemap.xml.gz'])
  return {
    resources: pages.resources,
    strategy: 'json_ld',
    items: events.map((event) => truthOfEvent(event, pages.url(pathOf(event)))),
  }
}

function homePage(pages: Pages): string {
  const main =
    '<h1>Schouwburg De Spiegel</h1><p>Toneel, dans, cabaret en muziek in het hart van Leeuwarden.</p><p><a class="button" href="/voorstellingen">Alle voorstellingen</a></p>'
  const organization = {
    '@context': 'https://schema.org',
    '@type': 'PerformingArtsTheater',
    name: theme.name,
    url: pages.url('/'),
    telephone: '+31 58 555 0134',
  }
  return htmlPage(theme, { title: theme.name, main, head: ldScript(organization) })
}

function listPage(pages: Pages, events: DemoEvent[]): string {
  const tops = events.filter((event) => event.parent === undefined)
  const list = {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: tops.map((event, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: eventLd(event, pages.url(pathOf(event)), 'TheaterEvent'),
    })),
  }
  const main = `<h1>Voorstellingen</h1>${tops
    .map(
      (event) =>
        `<div class="card"><img src="/img/${event.slug}.svg" alt="" width="160" height="90"><div><h2><a href="${pathOf(event)}">${escapeHtml(event.title)}</a></h2><p class="meta">${shortDate(event)}</p>${event.status === 'cancelled' ? '<span class="label cancelled">Geannuleerd</span>' : ''}</div></div>`,
    )
    .join('\n')}`
  return htmlPage(theme, { title: `Voorstellingen | ${theme.name}`, main, head: ldScript(list) })
}

function eventPage(pages: Pages, event: DemoEvent, all: DemoEvent[]): string {
  const parts = all.filter((other) => other.parent === event.id)
  const parent = all.find((other) => other.id === event.parent)
  const own = {
    ...eventLd(event, pages.url(pathOf(event)), parts.length > 0 ? 'Festival' : 'TheaterEvent'),
    '@id': `${pages.url(pathOf(event))}#event`,
    image: [pages.url(`/img/${event.slug}.svg`)],
    ...(parts.length === 0
      ? {}
      : { subEvent: parts.map((part) => eventLd(part, pages.url(pathOf(part)), 'MusicEvent')) }),
    ...(parent ? { superEvent: { '@id': `${pages.url(pathOf(parent))}#event` } } : {}),
  }
  const graph = {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', name: theme.name, url: pages.url('/') },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          {
            '@type': 'ListItem',
            position: 1,
            name: 'Voorstellingen',
            item: pages.url('/voorstellingen'),
          },
          { '@type': 'ListItem', position: 2, name: event.title },
        ],
      },
      own,
    ],
  }
  const main = `<p class="small"><a href="/voorstellingen">Voorstellingen</a></p><h1>${escapeHtml(event.title)}</h1>
<p class="meta">${shortDate(event)} · ${escapeHtml(event.venue.name)}</p><p>${escapeHtml(event.description)}</p>
${parts.length === 0 ? '' : `<h2>Programma</h2><ul>${parts.map((part) => `<li><a href="${pathOf(part)}">${escapeHtml(part.title)}</a></li>`).join('')}</ul>`}
${parent ? `<p>Onderdeel van <a href="${pathOf(parent)}">${escapeHtml(parent.title)}</a></p>` : ''}`
  return htmlPage(theme, {
    title: `${event.title} | ${theme.name}`,
    description: event.description,
    canonical: pages.url(pathOf(event)),
    main,
    head: ldScript(graph),
  })
}

function shortDate(event: DemoEvent): string {
  const words = dateWords(event.start, 'nl')
  return `${words.weekdayShort} ${words.day} ${words.monthShort} ${words.time}`.trim()
}

const ldScript = (value: object): string =>
  `<script type="application/ld+json">${scriptJson(value)}</script>`
const pathOf = (event: DemoEvent): string => `/voorstellingen/${event.slug}`

const theme: Theme = {
  name: 'Schouwburg De Spiegel',
  tagline: 'Theater in het hart van Leeuwarden',
  accent: '#143a7b',
  language: 'nl',
  nav: [
    { href: '/', label: 'Home' },
    { href: '/voorstellingen', label: 'Voorstellingen' },
  ],
  about: 'Twee zalen, een foyer met uitzicht en een ploeg van vijfendertig mensen.',
}
