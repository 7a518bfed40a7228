import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { dateWords, withOffset } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { escapeHtml, htmlPage, scriptJson, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const nextPages: SiteDefinition = {
  key: 'next-pages',
  name: 'Zwolle Leeft',
  kind: 'events',
  behaviour: 'good',
  description: 'City agenda on Next.js (pages router): everything in __NEXT_DATA__',
  create: (context) => {
    const ideas = [
      ...context.deal('foodie', 'nl', 5),
      ...context.deal('family', 'nl', 4),
      ...context.deal('workshops', 'nl', 4),
    ]
    const events = makeEvents(context, ideas, {
      venues: [venues.market, venues.townKitchen, venues.harbourHouse],
      organizer: 'Zwolle Marketing',
      times: ['10:00', '13:30', '16:00', '18:30'],
      minutes: [90, 120, 240],
    })
    return {
      items: events.slice(0, 11),
      reserve: events.slice(11),
      render: (items) => render(context, eventsOf(items)),
    }
  },
}

function render(context: SiteContext, events: DemoEvent[]): Rendered {
  const pages = createPages(context)
  const changed = latest(events, context.now)
  const buildId = `b${context.random.fork('build').int(100_000, 999_999)}`
  pages.robots(allowAll)
  pages.html('/', 'listing', shell(buildId, '/', 'Uitgelicht', events.slice(0, 3)), changed)
  pages.html('/agenda', 'listing', shell(buildId, '/agenda', 'Agenda', events), changed)
  for (const event of events) {
    pages.html(pathOf(event), 'page', eventPage(buildId, event), event.updatedAt)
  }
  return {
    resources: pages.resources,
    strategy: 'hydration',
    items: events.map((event) => truthOfEvent(event, pages.url(pathOf(event)))),
  }
}

function shell(buildId: string, page: string, heading: string, events: DemoEvent[]): string {
  const main = `<h1>${heading}</h1>
<ul class="EventGrid_grid__x1Yz2">${events
    .map(
      (event) =>
        `<li class="EventCard_card__q8Lk1"><a href="${pathOf(event)}"><img src="/img/${event.slug}.svg" alt="" width="320" height="180"><span class="EventCard_title__a93Fd">${escapeHtml(event.title)}</span></a><span class="EventCard_chip__77sDa">${shortDate(event.start)}</span></li>`,
    )
    .join('')}</ul><p><a href="/agenda">Hele agenda</a></p>`
  return htmlPage(theme, {
    title: `${heading} | ${theme.name}`,
    main,
    scripts: nextData(
      buildId,
      page,
      {},
      { heading, events: events.map(asJson), total: events.length },
    ),
  })
}

function eventPage(buildId: string, event: DemoEvent): string {
  const main = `<h1>${escapeHtml(event.title)}</h1><div class="Detail_when__0Iq2w">${shortDate(event.start)}</div><p>${escapeHtml(event.description)}</p><p><a href="/agenda">Terug naar de agenda</a></p>`
  return htmlPage(theme, {
    title: `${event.title} | ${theme.name}`,
    main,
    scripts: nextData(buildId, '/agenda/[slug]', { slug: event.slug }, { event: asJson(event) }),
  })
}

function nextData(buildId: string, page: string, query: object, pageProps: object): string {
  const data = {
    props: {
      pageProps: {
        ...pageProps,
        settings: { locale: 'nl', cookieVersion: 4, menu: theme.nav },
      },
      __N_SSG: true,
    },
    page,
    query,
    buildId,
    isFallback: false,
    gsp: true,
    scriptLoader: [],
  }
  return `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${scriptJson(data)}</script><script src="/_next/static/${buildId}/_buildManifest.js" defer></script>`
}

function asJson(event: DemoEvent): object {
  return {
    id: Number(event.id.split('-').at(-1)) + 4200,
    slug: event.slug,
    title: event.title,
    description: event.description,
    url: pathOf(event),
    startDate: withOffset(event.start, event.timezone),
    endDate: event.end === null ? null : withOffset(event.end, event.timezone),
    image: { src: `/img/${event.slug}.svg`, width: 640, height: 360 },
    location: {
      name: event.venue.name,
      address: {
        street: event.venue.street,
        postalCode: event.venue.postalCode,
        city: event.venue.city,
      },
    },
    organizer: { name: event.organizer },
    price: Number(event.price),
    status: event.status,
    updatedAt: event.updatedAt.toISOString(),
  }
}

function shortDate(local: string): string {
  const words = dateWords(local, 'nl')
  return `${words.weekdayShort} ${words.day} ${words.monthShort}`
}

const pathOf = (event: DemoEvent): string => `/agenda/${event.slug}`

const theme: Theme = {
  name: 'Zwolle Leeft',
  tagline: 'Alles wat er te doen is in de hanzestad',
  accent: '#0b6e4f',
  language: 'nl',
  nav: [
    { href: '/', label: 'Uitgelicht' },
    { href: '/agenda', label: 'Agenda' },
  ],
  about: 'De agenda van de stad, gemaakt met winkeliers, makers en kroegbazen.',
}
