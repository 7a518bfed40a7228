import { makeEvents } from '../../generate/events.ts'
import { eventsOf } from '../../generate/kinds.ts'
import { dateWords, localOf } from '../../generate/local-time.ts'
import { venues } from '../../generate/places.ts'
import { hashText } from '../../generate/random.ts'
import { escapeHtml, htmlPage } from '../../render/html.ts'
import { allowAll, createPages, latest } from '../../render/pages.ts'
import { plainTheme } from '../../render/plain-events.ts'
import { truthOfEvent } from '../../render/truth.ts'
import type { DemoEvent, Rendered, Resource, SiteContext, SiteDefinition } from '../../types.ts'

export const infiniteCalendar: SiteDefinition = {
  key: 'infinite-calendar',
  name: 'Natuurvereniging De Grutto',
  kind: 'events',
  behaviour: 'misbehaving',
  description: 'Month pages without end in both directions, a new session id in every link',
  // Deep enough that the depth alone does not stop the crawl.
  source: { max_depth: 20 },
  create: (context) => {
    const ideas = [...context.deal('outdoors', 'nl', 4), ...context.deal('community', 'nl', 3)]
    const events = makeEvents(context, ideas, {
      venues: [venues.visitorCentre, venues.estate],
      organizer: 'Natuurvereniging De Grutto',
      times: ['09:00', '14:00'],
      minutes: [120, 150],
      maxGap: 9,
    })
    return {
      items: events.slice(0, 6),
      reserve: events.slice(6),
      render: (items) => render(context, eventsOf(items)),
      intercept: (request, wire, rendered) => {
        const month = /^\/kalender\/(\d{4})\/(\d{2})$/.exec(request.path)
        const session = /PHPSESSID=(\w+)/.exec(request.target)?.[1] ?? ''
        if (month) {
          const year = Number(month[1])
          const body = monthPage(year, Number(month[2]), shownIn(rendered), request.path + session)
          wire.send(page(body, context.now))
          return true
        }
        const known = session === '' ? undefined : rendered.resources.get(request.path)
        if (!known) return false
        wire.send(known)
        return true
      },
    }
  },
}

function render(context: SiteContext, events: DemoEvent[]): Rendered {
  const pages = createPages(context)
  const today = localOf(context.now, 'Europe/Amsterdam')
  pages.robots(allowAll)
  const main = `<h1>De Grutto</h1><p>Wandelen, tellen en opruimen in het buitengebied.</p><p><a href="${monthLink(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 'home')}">Naar de kalender</a></p>`
  pages.html('/', 'page', htmlPage(theme, { title: theme.name, main }))
  const months = new Set([today.slice(0, 7), ...events.map((event) => event.start.slice(0, 7))])
  for (const month of months) {
    const [year = 0, number = 0] = month.split('-').map(Number)
    const path = monthPath(year, number)
    pages.html(path, 'listing', monthPage(year, number, events, path), latest(events, context.now))
  }
  for (const event of events) pages.html(pathOf(event), 'page', eventPage(event), event.updatedAt)
  shown.set(pages.resources, events)
  return {
    resources: pages.resources,
    strategy: 'dom',
    items: events.map((e) => truthOfEvent(e, pages.url(pathOf(e)), { organizer: null })),
    traps: [{ pattern: '^/kalender/\\d{4}/\\d{2}', atMost: 24 }],
  }
}

// The events behind a rendering, so that months are drawn on demand from the same state.
const shown = new WeakMap<Map<string, Resource>, DemoEvent[]>()
const shownIn = (rendered: Rendered): DemoEvent[] => shown.get(rendered.resources) ?? []

function monthPage(year: number, month: number, events: DemoEvent[], salt: string): string {
  const prefix = `${year}-${String(month).padStart(2, '0')}`
  const own = events.filter((event) => event.start.startsWith(prefix))
  const words = dateWords(`${prefix}-01`, 'nl')
  const [next, previous] = [new Date(Date.UTC(year, month)), new Date(Date.UTC(year, month - 2))]
  const main = `<h1>Kalender ${words.month} ${year}</h1>
${own.length === 0 ? '<p class="leeg">Er zijn geen activiteiten gepland.</p>' : own.map((event) => card(event, salt)).join('\n')}
<ul class="pagination"><li><a href="${monthLink(previous.getUTCFullYear(), previous.getUTCMonth() + 1, salt)}">Vorige maand</a></li><li><a rel="next" href="${monthLink(next.getUTCFullYear(), next.getUTCMonth() + 1, salt)}">Volgende maand</a></li></ul>`
  return htmlPage(theme, { title: `Kalender ${words.month} ${year} | ${theme.name}`, main })
}

function card(event: DemoEvent, salt: string): string {
  return `<div class="activiteit"><h2><a href="${pathOf(event)}?PHPSESSID=${sessionId(salt + event.id)}">${escapeHtml(event.title)}</a></h2><p class="datum">${whenText(event)}</p><p class="plaats">${escapeHtml(event.venue.name)}</p><p>${escapeHtml(event.description)}</p></div>`
}

function eventPage(event: DemoEvent): string {
  const main = `<h1>${escapeHtml(event.title)}</h1>${event.status === 'cancelled' ? '<p class="label cancelled">Geannuleerd</p>' : ''}<p class="datum">${whenText(event)}</p><p class="plaats">${escapeHtml(event.venue.name)}, ${event.venue.street}, ${event.venue.city}</p><p>${escapeHtml(event.description)}</p>`
  return htmlPage(theme, { title: `${event.title} | ${theme.name}`, main })
}

function whenText(event: DemoEvent): string {
  const words = dateWords(event.start, 'nl')
  return `${words.weekday} ${words.day} ${words.month} ${words.year}, ${words.time} - ${(event.end ?? '').slice(11)} uur`
}

function page(body: string, lastModified: Date): Resource {
  return {
    body,
    type: 'text/html; charset=utf-8',
    lastModified,
    headers: { 'cache-control': 'no-store' },
  }
}

/** Different for every page it stands on and every session it was reached by. */
function sessionId(salt: string): string {
  return [1, 2, 3, 4]
    .map((n) =>
      hashText(salt + n)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
    .slice(0, 26)
}

const monthPath = (year: number, month: number): string =>
  `/kalender/${year}/${String(month).padStart(2, '0')}`
const monthLink = (year: number, month: number, salt: string): string =>
  `${monthPath(year, month)}?PHPSESSID=${sessionId(`${salt}/${year}/${month}`)}`
const pathOf = (event: DemoEvent): string => `/activiteit/${event.slug}`
const theme = plainTheme('Natuurvereniging De Grutto', 'Voor vogels en hun vrienden', '#558b2f')
