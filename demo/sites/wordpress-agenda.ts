import { makeEvents } from '../generate/events.ts'
import { eventsOf } from '../generate/kinds.ts'
import { dateWords } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { createPages, latest, paginate } from '../render/pages.ts'
import { truthOfEvent } from '../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const wordpressAgenda: SiteDefinition = {
  key: 'wordpress-agenda',
  name: 'Poppodium De Loods',
  kind: 'events',
  behaviour: 'good',
  description: 'WordPress with The Events Calendar: list view, paging, single event pages',
  source: { tags: ['demo', 'good', 'music'] },
  create: (context) => {
    const events = makeEvents(context, context.deal('music', 'nl', 13), {
      venues: [venues.poppodium, venues.poppodium, venues.poppodiumCafe],
      organizer: 'Stichting De Loods',
      times: ['19:30', '20:00', '20:30', '21:00'],
      minutes: [120, 150, 180],
    })
    return {
      items: events.slice(0, 11),
      reserve: events.slice(11),
      render: (items) => render(context, eventsOf(items)),
    }
  },
}

function render(context: SiteContext, sorted: DemoEvent[]): Rendered {
  const pages = createPages(context)
  const changed = latest(sorted, context.now)
  pages.robots(['User-agent: *', 'Disallow: /wp-admin/', 'Allow: /wp-admin/admin-ajax.php'])
  pages.html('/', 'page', homePage(sorted), changed)
  const parts = paginate(sorted, 6)
  parts.forEach((part, index) => {
    pages.html(listPath(index), 'listing', listPage(part, index, parts.length), changed)
  })
  for (const event of sorted) pages.html(pathOf(event), 'page', eventPage(event), event.updatedAt)
  const house =
    '<h1>Huisregels</h1><p>Geen glas op de dansvloer, wel oordoppen. Kluisjes werken met een muntje van een euro.</p>'
  pages.html(
    '/huisregels/',
    'page',
    htmlPage(theme, { title: `Huisregels – ${theme.name}`, main: house }),
  )
  pages.redirect('/agenda', '/agenda/')
  return {
    resources: pages.resources,
    strategy: 'dom',
    items: sorted.map((event) => truthOfEvent(event, pages.url(pathOf(event)))),
  }
}

function homePage(events: DemoEvent[]): string {
  const next = events[0]
  const main = `<div class="entry-content"><h1>Welkom in De Loods</h1>
<p>Twee zalen, één kade en ruim honderd avonden per jaar. Het café is open vanaf vijf uur.</p>
${next ? `<p>Eerstvolgende avond: <a href="${pathOf(next)}">${escapeHtml(next.title)}</a></p>` : ''}
<p><a class="button wp-block-button__link" href="/agenda/">Bekijk de agenda</a></p></div>`
  return htmlPage(theme, { title: theme.name, main, head: wpHead })
}

function listPage(events: DemoEvent[], index: number, count: number): string {
  const main = `<div class="tribe-common tribe-events tribe-events-view tribe-events-view--list" data-view="list">
<header class="tribe-events-header"><h1 class="tribe-events-header__title-text">Agenda</h1></header>
<div class="tribe-events-calendar-list">
${events.map(listArticle).join('\n')}
</div>
<nav class="tribe-events-calendar-list-nav tribe-events-c-nav"><ul class="tribe-events-c-nav__list">
${index > 0 ? `<li class="tribe-events-c-nav__list-item tribe-events-c-nav__list-item--prev"><a rel="prev" class="tribe-events-c-nav__prev" href="${listPath(index - 1)}">Vorige Evenementen</a></li>` : ''}
${index + 1 < count ? `<li class="tribe-events-c-nav__list-item tribe-events-c-nav__list-item--next"><a rel="next" class="tribe-events-c-nav__next" href="${listPath(index + 1)}">Volgende Evenementen</a></li>` : ''}
</ul></nav>
</div>`
  return htmlPage(listTheme, {
    title: `Evenementen${index > 0 ? ` – Pagina ${index + 1}` : ''} – ${theme.name}`,
    main,
    head: wpHead,
  })
}

function listArticle(event: DemoEvent): string {
  return `<div class="tribe-common-g-row tribe-events-calendar-list__event-row">
  <article class="tribe-events-calendar-list__event type-tribe_events status-publish">
    <div class="tribe-events-calendar-list__event-details">
      <header class="tribe-events-calendar-list__event-header">
        <div class="tribe-events-calendar-list__event-datetime-wrapper"><time class="tribe-events-calendar-list__event-datetime" datetime="${event.start.slice(0, 10)}"><span class="tribe-event-date-start">${dayAndTime(event.start)}</span> - <span class="tribe-event-time">${(event.end ?? '').slice(11)}</span></time></div>
        <h3 class="tribe-events-calendar-list__event-title"><a href="${pathOf(event)}" class="tribe-events-calendar-list__event-title-link" rel="bookmark">${escapeHtml(event.title)}</a></h3>
        <address class="tribe-events-calendar-list__event-venue"><span class="tribe-events-calendar-list__event-venue-title">${escapeHtml(event.venue.name)}</span> <span class="tribe-events-calendar-list__event-venue-address">${event.venue.street}, ${event.venue.city}</span></address>
      </header>${event.status === 'cancelled' ? '\n      <span class="tribe-events-status-label__text tribe-events-status-label__text--canceled label cancelled">Geannuleerd</span>' : ''}
      <div class="tribe-events-calendar-list__event-description"><p>${escapeHtml(event.description)}</p></div>
    </div>
  </article>
</div>`
}

function eventPage(event: DemoEvent): string {
  const price = event.price === '0' ? 'Gratis' : `€ ${event.price.replace('.', ',')}`
  const main = `<div id="tribe-events-content" class="tribe-events-single">
<p class="tribe-events-back"><a href="/agenda/">« Alle Evenementen</a></p>
<h1 class="tribe-events-single-event-title">${escapeHtml(event.title)}</h1>
${event.status === 'cancelled' ? '<div class="tribe-events-status-single tribe-events-status-single--canceled"><div class="tribe-events-status-single-header">Geannuleerd</div></div>' : ''}
<div class="tribe-events-schedule tribe-clearfix"><h2><span class="tribe-event-date-start">${dayAndTime(event.start)}</span> - <span class="tribe-event-time">${(event.end ?? '').slice(11)}</span></h2> <span class="tribe-events-cost">${price}</span></div>
<div class="tribe-events-single-event-description tribe-events-content"><p>${escapeHtml(event.description)}</p></div>
<div class="tribe-events-event-meta tribe-clearfix">
  <div class="tribe-events-meta-group tribe-events-meta-group-details"><h2>Gegevens</h2><dl>
    <dt class="tribe-events-start-date-label">Datum:</dt><dd><abbr class="tribe-events-abbr tribe-events-start-date published dtstart" title="${event.start.slice(0, 10)}">${dayWithYear(event.start)}</abbr></dd>
    <dt class="tribe-events-start-time-label">Tijd:</dt><dd><div class="tribe-events-abbr tribe-events-start-time published dtstart" title="${event.start.slice(0, 10)}">${event.start.slice(11)} - ${(event.end ?? '').slice(11)}</div></dd>
  </dl></div>
  <div class="tribe-events-meta-group tribe-events-meta-group-organizer"><h2>Organisator</h2><dl><dd class="tribe-organizer">${escapeHtml(event.organizer)}</dd></dl></div>
  <div class="tribe-events-meta-group tribe-events-meta-group-venue"><h2>Locatie</h2><dl><dd class="tribe-venue">${escapeHtml(event.venue.name)}</dd><dd class="tribe-venue-location"><address class="tribe-events-address"><span class="tribe-address"><span class="tribe-street-address">${event.venue.street}</span><br><span class="tribe-postal-code">${event.venue.postalCode}</span> <span class="tribe-locality">${event.venue.city}</span> <span class="tribe-country-name">Nederland</span></span></address></dd></dl></div>
</div>
</div>`
  return htmlPage(singleTheme, { title: `${event.title} – ${theme.name}`, main, head: wpHead })
}

function dayAndTime(local: string): string {
  const words = dateWords(local, 'nl')
  return `${words.day} ${words.month} ${words.year} @ ${words.time}`
}

function dayWithYear(local: string): string {
  const words = dateWords(local, 'nl')
  return `${words.day} ${words.month} ${words.year}`
}

const listPath = (index: number): string =>
  index === 0 ? '/agenda/' : `/agenda/lijst/pagina/${index + 1}/`
const pathOf = (event: DemoEvent): string => `/evenement/${event.slug}/`

const wpHead = `<link rel="stylesheet" href="/wp-content/plugins/the-events-calendar/build/css/tribe-events-views-v2-full.css">
<link rel="EditURI" type="application/rsd+xml" title="RSD" href="/xmlrpc.php?rsd">`

const theme: Theme = {
  name: 'Poppodium De Loods',
  tagline: 'Livemuziek aan de kade van Dordrecht',
  accent: '#3b2a6b',
  language: 'nl',
  generator: 'WordPress 6.6.2',
  bodyClass: 'home wp-custom-logo',
  nav: [
    { href: '/', label: 'Home' },
    { href: '/agenda/', label: 'Agenda' },
    { href: '/huisregels/', label: 'Huisregels' },
  ],
  about: 'Poppodium met twee zalen, gedragen door tachtig vrijwilligers.',
}
const listTheme: Theme = {
  ...theme,
  bodyClass: 'post-type-archive post-type-archive-tribe_events tribe-js',
}
const singleTheme: Theme = {
  ...theme,
  bodyClass: 'tribe_events-template-default single single-tribe_events',
}
