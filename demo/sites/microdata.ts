import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { dateWords, withOffset } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const microdata: SiteDefinition = {
  key: 'microdata',
  name: 'The Canal Hall',
  kind: 'events',
  behaviour: 'good',
  description: 'English venue with schema.org microdata in the markup',
  source: { timezone: 'Europe/London', locale: 'en' },
  create: (context) => {
    const ideas = [
      ...context.deal('music', 'en', 5),
      ...context.deal('entertainment', 'en', 5),
      ...context.deal('workshops', 'en', 2),
    ]
    const events = makeEvents(context, ideas, {
      language: 'en',
      timezone: 'Europe/London',
      venues: [venues.canalHall, venues.canalHall, venues.oldChapel],
      organizer: 'Canal Hall Trust',
      times: ['11:00', '19:00', '19:30', '20:00'],
      minutes: [90, 120, 150],
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
  const intro = `<h1>The Canal Hall</h1><p>Gigs, plays and odd evenings in a former warehouse by the water.</p><p><a href="/whats-on">See what's on</a></p>`
  pages.html('/', 'page', htmlPage(theme, { title: theme.name, main: intro }))
  const list = `<h1>What's on</h1>\n${events.map((event) => block(event, 'h2')).join('\n')}`
  pages.html(
    '/whats-on',
    'listing',
    htmlPage(theme, { title: `What's on - ${theme.name}`, main: list }),
    changed,
  )
  for (const event of events) {
    const main = `<p class="small"><a href="/whats-on">Back to what's on</a></p>\n${block(event, 'h1')}`
    const page = htmlPage(theme, { title: `${event.title} - ${theme.name}`, main })
    pages.html(pathOf(event), 'page', page, event.updatedAt)
  }
  return {
    resources: pages.resources,
    strategy: 'json_ld',
    items: events.map((event) => truthOfEvent(event, pages.url(pathOf(event)))),
  }
}

function block(event: DemoEvent, heading: string): string {
  const type = event.category === 'music' ? 'MusicEvent' : 'Event'
  const status = event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'
  return `<div class="card show" itemscope itemtype="https://schema.org/${type}">
  <img itemprop="image" src="/img/${event.slug}.svg" alt="" width="160" height="90">
  <div><${heading} itemprop="name">${escapeHtml(event.title)}</${heading}>
  <a itemprop="url" href="${pathOf(event)}">Details and tickets</a>
  <link itemprop="eventStatus" href="https://schema.org/${status}">${event.status === 'cancelled' ? '<span class="label cancelled">Cancelled</span>' : ''}
  <p class="meta"><time itemprop="startDate" datetime="${withOffset(event.start, event.timezone)}">${longDate(event.start)}</time>${event.end === null ? '' : ` until <time itemprop="endDate" datetime="${withOffset(event.end, event.timezone)}">${event.end.slice(11)}</time>`}</p>
  <p itemprop="description">${escapeHtml(event.description)}</p>
  <p class="small" itemprop="location" itemscope itemtype="https://schema.org/Place"><span itemprop="name">${escapeHtml(event.venue.name)}</span>, <span itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">${event.venue.street}</span>, <span itemprop="addressLocality">${event.venue.city}</span> <span itemprop="postalCode">${event.venue.postalCode}</span></span></p>
  <p class="small" itemprop="organizer" itemscope itemtype="https://schema.org/Organization">Presented by <span itemprop="name">${escapeHtml(event.organizer)}</span></p>
  <p class="small" itemprop="offers" itemscope itemtype="https://schema.org/Offer">Tickets £<span itemprop="price">${event.price}</span><meta itemprop="priceCurrency" content="GBP"></p></div>
</div>`
}

function longDate(local: string): string {
  const words = dateWords(local, 'en')
  return `${words.weekday}, ${words.month} ${words.day}, ${words.year} at ${words.time}`
}

const pathOf = (event: DemoEvent): string => `/whats-on/${event.slug}`

const theme: Theme = {
  name: 'The Canal Hall',
  tagline: 'Gigs, plays and odd evenings by the water',
  accent: '#2f4f4f',
  language: 'en',
  nav: [
    { href: '/', label: 'Home' },
    { href: '/whats-on', label: "What's on" },
  ],
  about: 'An independent venue run by a trust, with step-free access throughout.',
}
